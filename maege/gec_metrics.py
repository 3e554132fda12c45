"""Metrics of the package gec-metrics; docs/your-metric.md has an entry for metrics.yml."""

from maege.analysis.metrics.gec_metrics import GecMetric

__all__ = ["GecMetric"]
