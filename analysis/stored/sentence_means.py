"""Intervals of means from what each source sentence adds, many means in the same samples."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from analysis.statistics.bootstrap import cluster_weights, mean_intervals
from analysis.stored.rows import stored_groups, where

MODE = ("corpus", "mode")


def sentence_mean_intervals(
    relation: Any, keys: Sequence[str], samples: int, level: float, seed: int
) -> Iterator[tuple[Any, ...]]:
    """Yield (corpus, mode, keys, lower, upper bound) of the mean of every choice of the keys.

    All means of a corpus and mode are in the same samples of its sentences. In memory are these,
    and the rows that differ in the last of the keys only.

    Args:
        relation: of DuckDB, with the columns corpus, mode, sentence_id, the keys, n_values and
            total (their sum).
        keys: names of columns of strings, none of them NULL.
        samples: how many samples to draw.
        level: the share of samples between the bounds.
        seed: of the samples.

    """
    *outer, last = keys
    columns = (f"{last}, sentence_id, n_values, total", f"{last}, sentence_id")
    drawn = relation.select("corpus, mode, sentence_id").distinct()
    for of_mode, ids in stored_groups(drawn, MODE, "sentence_id", "sentence_id"):
        sentences = ids["sentence_id"].to_numpy()
        weights = cluster_weights(len(sentences), samples, seed)
        for key, rows in stored_groups(where(relation, MODE, of_mode), outer, *columns):
            values, column = np.unique(rows[last].to_numpy(), return_inverse=True)
            sentence = np.searchsorted(sentences, rows["sentence_id"].to_numpy())
            sums = np.zeros((len(sentences), len(values)))
            counts = np.zeros_like(sums)
            sums[sentence, column] = rows["total"].to_numpy()
            counts[sentence, column] = rows["n_values"].to_numpy()
            for value, *bounds in zip(
                values, *mean_intervals(sums, counts, weights, level), strict=True
            ):
                yield (*of_mode, *key, value, *bounds)
