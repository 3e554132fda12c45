"""Metrics that use a neural model from a package or a folder; docs/your-metric.md has entries."""

from maege.analysis.metrics.neural import BertScore, LogP, Scribendi

__all__ = ["BertScore", "LogP", "Scribendi"]
