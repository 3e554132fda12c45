"""Pairs that metrics have ordered, and how many of them random metrics order wrongly."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.statistics.samples.least_samples import too_few
from maege.analysis.statistics.significance.random_metrics import discordant_by_chance

# What is known of a pair and a metric; pairs have the same numbers and texts for all metrics, in
# the order of their sentences.
COLUMNS = (
    "pair_number",
    "sentence_id",
    "lower_text",
    "upper_text",
    "is_decided",
    "is_discordant",
)


class RandomOrders(NamedTuple):
    """Counts of each metric, in the order of the metrics, of shape (k,) if not said otherwise.

    `by_chance`: of the pairs that the metric decides, how many each random metric orders wrongly,
    shape (n_random, k).
    """

    n_pairs: NDArray[np.int64]
    n_decided: NDArray[np.int64]
    n_discordant: NDArray[np.int64]
    is_enough: NDArray[np.bool_]
    by_chance: NDArray[np.float64]


def random_orders(of_metrics: Mapping[str, pa.Table], seed: int) -> RandomOrders:
    """Return the counts of the metrics of a lattice and those of random metrics.

    Args:
        of_metrics: by metric a table of its pairs, with COLUMNS in this order, sorted.
        seed: of the random metrics.

    """
    tables = [[column.to_numpy() for column in table.columns] for table in of_metrics.values()]
    size = 1 + max(int(numbers[-1]) for numbers, *_ in tables)
    sentence, lower, upper = (np.zeros(size, np.int64) for _ in range(3))
    decided = np.zeros((size, len(tables)), np.bool_)
    for column, (number, of_sentence, below, above, is_decided, _) in enumerate(tables):
        sentence[number], lower[number], upper[number] = of_sentence, below, above
        decided[number, column] = is_decided
    some = np.flatnonzero(decided.any(axis=1))
    return RandomOrders(
        np.array([len(numbers) for numbers, *_ in tables]),
        decided.sum(axis=0),
        np.array([is_discordant.sum() for *_, is_discordant in tables]),
        np.array(
            [
                too_few(sentences=len(np.unique(of_sentence)), pairs=len(number)) is None
                for number, of_sentence, *_ in tables
            ]
        ),
        discordant_by_chance(sentence[some], lower[some], upper[some], decided[some], seed),
    )
