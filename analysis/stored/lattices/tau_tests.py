"""Tests of which of two metrics orders corrections better, as rows of tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.statistics.lattice_correlations import TauDifference
from maege.analysis.statistics.resampling import too_few, with_width
from maege.analysis.statistics.significance import q_values

TESTED = pa.schema(
    {
        "n_sentences": pa.int32(),
        "n_pairs": pa.int64(),
        "too_few": pa.string(),
        "estimate_a": pa.float64(),
        "estimate_b": pa.float64(),
        "difference": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "p_value": pa.float64(),
        "q_value": pa.float64(),
        "n_resamples": pa.int32(),
    }
)


def tested_family(found: Sequence[TauDifference], n_signs: int) -> list[tuple[Any, ...]]:
    """Return the values of TESTED for each test of one family; none with too few sentences.

    Args:
        found: the tests, whose p-values form one family.
        n_signs: number of random sign assignments for each.

    """
    lacking = [too_few(sentences=each.n_sentences, pairs=each.n_pairs) for each in found]
    p = np.array(
        [np.nan if few else each.p_value for few, each in zip(lacking, found, strict=True)]
    )
    rows = []
    for each, few, p_value, q_value in zip(found, lacking, p, q_values(p), strict=True):
        low, high = (np.nan, np.nan) if few else with_width(each.low, each.high)
        sizes = (each.n_sentences, each.n_pairs, few)
        estimates = (each.estimate_a, each.estimate_b, each.difference)
        rows.append((*sizes, *estimates, low, high, p_value, q_value, n_signs))
    return rows
