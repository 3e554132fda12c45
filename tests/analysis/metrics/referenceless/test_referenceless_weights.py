"""The weighted sum of metrics that read no reference."""

import numpy as np
import pytest

from maege.analysis.metrics.referenceless.fluency import ReferencelessScore
from maege.analysis.metrics.registry import METRICS, metrics_with

PARTS = {"grammaticality": np.array([1.0]), "fluency": np.array([0.5]), "meaning": np.array([0.8])}


def test_weights_are_those_published_or_another_metric() -> None:
    # .07 x 1 + .83 x .5 + .10 x .8
    assert ReferencelessScore().combine(PARTS) == pytest.approx([0.565])

    weights = {"grammaticality": 0.0, "fluency": 0.5, "meaning": 0.5}
    other = metrics_with(weights)["referenceless"]
    assert other.score.families == METRICS["referenceless"].score.families
    assert "weights:0,0.5,0.5" in other.signature()
    assert "weights:0.07,0.83,0.1" in METRICS["referenceless"].signature()
