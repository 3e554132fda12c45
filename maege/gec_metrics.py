r"""Metrics of the package gec-metrics, to add by a command such as this one.

maege metric add maege.gec_metrics:GecMetric --name some --parameter metric=some \
    --parameter folder=gfm-models --python OTHER/bin/python
"""

from maege.analysis.metrics.neural.gec_metrics import GecMetric

__all__ = ["GecMetric"]
