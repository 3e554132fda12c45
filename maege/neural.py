"""Metrics that use a neural model from a package or a folder; docs/your-metric.md has entries."""

from maege.analysis.metrics.neural.bert_score import BertScore
from maege.analysis.metrics.neural.log_p import LogP, Scribendi

__all__ = ["BertScore", "LogP", "Scribendi"]
