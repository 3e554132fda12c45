"""User-defined metrics, declared in metrics.yml, as families."""
