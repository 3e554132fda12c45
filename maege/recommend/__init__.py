"""Recommend metrics from results: `maege recommend` and docs/state-of-gec-metrics.md."""
