"""Correlations of scores and gold scores over the positions of chains, from sums by sentence.

Three of them, because scores differ between sentences and between the versions of one:
  pooled   over all positions, as the MAEGE paper (Choshen and Abend 2018) has it
  within   of deviations from the sentence's means: does the metric order versions of a sentence?
  partial  given the number of edits applied (Yule 1907): does it compare different sentences that
           are equally far corrected?
All follow from sums over sentences, so that a bootstrap over sentences is one product of matrices.
"""

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.samples.bootstrap import (
    Floats,
    Intervals,
    percentile_intervals,
    resampled_sums,
)

NAMES = ("pooled", "within", "partial")
# What is left of the variance of a constant, relative to a variance of 1.
_ROUNDING = 1e-12


def sentence_sums(
    scores: ArrayLike, gold: ArrayLike, n_edits: ArrayLike, sentence: ArrayLike
) -> Floats:
    """Return the sums of each sentence that `correlations` needs: shape (n_sentences, 13).

    Args:
        scores: of each position.
        gold: the gold score of each position.
        n_edits: the number of edits applied at each position.
        sentence: the sentence of each position, in ascending order.

    """
    _, starts = np.unique(np.asarray(sentence), return_index=True)
    x, y, z = (_standardised(values) for values in (scores, gold, n_edits))
    ones = np.ones_like(x)
    columns = np.stack([ones, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z], axis=1)
    sums = np.add.reduceat(columns, starts, axis=0)
    n, sx, sy, _, sxx, syy, _, sxy, *_ = sums.T
    within = np.stack([sxx - sx * sx / n, syy - sy * sy / n, sxy - sx * sy / n], axis=1)
    return np.hstack([sums, within])


def correlations(sums: Floats) -> Floats:
    """Return the pooled, within-sentence and partial r of each row of sums: shape (..., 3).

    NaN where scores or gold scores do not vary.

    Args:
        sums: of any sentences, what `sentence_sums` returned added up: shape (..., 13).

    """
    n, sx, sy, sz, sxx, syy, szz, sxy, sxz, syz, wxx, wyy, wxy = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled, with_edits, gold_with_edits = (
            _coefficient(ab - a * b / n, aa - a * a / n, bb - b * b / n, n)
            for a, b, aa, bb, ab in (
                (sx, sy, sxx, syy, sxy),
                (sx, sz, sxx, szz, sxz),
                (sy, sz, syy, szz, syz),
            )
        )
        left = (1 - with_edits**2) * (1 - gold_with_edits**2)
        partial = (pooled - with_edits * gold_with_edits) / np.sqrt(
            np.where(left > _ROUNDING, left, np.nan)
        )
        within = _coefficient(wxy, wxx, wyy, n)
    return np.stack([pooled, within, np.clip(partial, -1.0, 1.0)], axis=-1)


def correlation_intervals(sums: Floats, weights: SampleWeights, level: float) -> Intervals:
    """Return percentile bounds of the three correlations: source sentences are redrawn.

    Args:
        sums: what `sentence_sums` returned.
        weights: what `cluster_weights` returned for as many sentences.
        level: the share of samples between the bounds.

    """
    return percentile_intervals(correlations(resampled_sums(sums, weights)), level)


def _standardised(values: ArrayLike) -> Floats:
    """Return the values with mean 0 and variance 1, so that sums of squares keep their digits."""
    vector = np.asarray(values, dtype=np.float64)
    if vector.size == 0 or vector.max() == vector.min():
        return np.zeros_like(vector)
    standard: Floats = (vector - vector.mean()) / vector.std()
    return standard


def _coefficient(covariance: Floats, first: Floats, second: Floats, n: Floats) -> Floats:
    varies = (first > _ROUNDING * n) & (second > _ROUNDING * n)
    found: Floats = np.clip(
        covariance / np.sqrt(np.where(varies, first * second, np.nan)), -1.0, 1.0
    )
    return found
