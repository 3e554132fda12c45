"""Every two systems by one metric: which is better, and how sure that is.

All pairs are a family: Benjamini and Hochberg (1995) correct for what is found among them, Holm
(1979) for claims about a rank.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from maege.analysis.compare.inference.significance import (
    LEVEL,
    benjamini_hochberg,
    holm,
    randomisation_p,
)
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.score import Statistics, SystemScores
from maege.analysis.statistics.randomisation import Swaps
from maege.analysis.statistics.resampling import percentile_intervals, too_few, with_width
from maege.analysis.system_scores import swapped_differences


class PairTest(NamedTuple):
    """The first system's score less the second's, and how sure that is; NaN where nothing is."""

    first: int
    second: int
    difference: float
    ci_low: float
    ci_high: float
    p_value: float
    q_value: float
    p_holm: float


def pair_tests(
    metric: str,
    sentence_scores: FloatArray,
    statistics: Statistics,
    scores: SystemScores,
    swaps: Swaps,
) -> Iterator[PairTest]:
    """Yield every two systems, in their order.

    Intervals are over bootstrap samples, p-values those of approximate randomisation; of too few
    sentences there is the difference alone.

    Args:
        metric: by name.
        sentence_scores: shape (systems, sentences).
        statistics: what the metric sums of these, by family.
        scores: the corpus scores, and those of bootstrap samples.
        swaps: of the sentences.

    """
    n_systems, n_sentences = sentence_scores.shape
    listed = [*combinations(range(n_systems), 2)]
    if not listed:
        return
    if too_few(sentences=n_sentences):
        for first, second in listed:
            difference = float(scores.score[first] - scores.score[second])
            yield PairTest(first, second, difference, *[np.nan] * 5)
        return
    swapped = swapped_differences(metric, sentence_scores, statistics, swaps, listed)
    first, second = np.array(listed).T
    p = randomisation_p(scores.score[second] - scores.score[first], swapped)
    low, high = percentile_intervals(scores.samples[:, first] - scores.samples[:, second], LEVEL)
    columns = zip(
        listed, scores.score[first] - scores.score[second], low, high, p,
        benjamini_hochberg(p), holm(p),
        strict=True,
    )  # fmt: skip
    for (a, b), difference, lower, upper, *of_test in columns:
        yield PairTest(a, b, float(difference), *with_width(lower, upper), *map(float, of_test))
