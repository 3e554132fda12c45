"""Metrics of the package gec-metrics; docs/your-metric.md has an entry for metrics.yml."""

from maege.analysis.metrics.neural.gec_metrics import GecMetric

__all__ = ["GecMetric"]
