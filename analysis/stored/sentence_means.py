"""Intervals of means from what each source sentence adds, many means in the same samples."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from maege.analysis.statistics.bootstrap import cluster_weights, mean_intervals
from maege.analysis.stored.rows import stored_groups

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
    sentences = {
        of_mode: rows["sentence_id"].to_numpy()
        for of_mode, rows in stored_groups(drawn, MODE, "sentence_id", "sentence_id")
    }
    groups = stored_groups(relation, (*MODE, *outer), *columns)
    for of_mode, of_groups in groupby(groups, key=lambda group: group[0][: len(MODE)]):
        of_sentences = sentences[of_mode]
        weights = cluster_weights(len(of_sentences), samples, seed)
        for key, rows in of_groups:
            values, column = np.unique(rows[last].to_numpy(), return_inverse=True)
            sentence = np.searchsorted(of_sentences, rows["sentence_id"].to_numpy())
            sums = np.zeros((len(of_sentences), len(values)))
            counts = np.zeros_like(sums)
            sums[sentence, column] = rows["total"].to_numpy()
            counts[sentence, column] = rows["n_values"].to_numpy()
            bounds = mean_intervals(sums, counts, weights, level)
            yield from ((*key, *row) for row in zip(values, *bounds, strict=True))
