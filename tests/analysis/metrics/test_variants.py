"""Variants of metrics."""

from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.variants import VARIANT_OF


def test_variants_and_their_standards_are_metrics() -> None:
    metrics = {*METRICS, *GRAMMAR_METRICS}
    assert {*VARIANT_OF} <= metrics
    assert {*VARIANT_OF.values()} <= metrics - {*VARIANT_OF}
