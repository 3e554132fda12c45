"""Metrics by a model that a package brings, to be added by name.

maege metric add maege.neural:LogP --name log_p
"""

from maege.analysis.metrics.neural.log_p import LogP, Scribendi

__all__ = ["LogP", "Scribendi"]
