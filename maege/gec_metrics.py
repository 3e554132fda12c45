r"""The metrics of the package gec-metrics. To add one:

maege metric add maege.gec_metrics:GecMetric --name some --parameter metric=some \
    --parameter folder=gfm-models --python OTHER/bin/python
"""

from maege.analysis.metrics.neural.gec_metrics import GecMetric

__all__ = ["GecMetric"]
