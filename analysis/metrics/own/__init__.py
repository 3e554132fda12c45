"""User-defined metrics, declared with `maege metric add`, as families."""
