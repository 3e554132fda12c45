"""Metrics that use a neural model from a package or a folder, to add by commands such as these.

maege metric add maege.neural:LogP --name log_p
maege metric add maege.neural:BertScore --name bertscore --parameter folder=bert-base-uncased
"""

from maege.analysis.metrics.neural.bert_score import BertScore
from maege.analysis.metrics.neural.log_p import LogP, Scribendi

__all__ = ["BertScore", "LogP", "Scribendi"]
