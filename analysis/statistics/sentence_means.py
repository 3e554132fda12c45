"""Intervals of means from what each source sentence adds, many means in the same samples."""

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from analysis.statistics.bootstrap import cluster_weights, mean_intervals


def sentence_mean_intervals(
    rows: Iterable[tuple[Any, ...]], n_keys: int, samples: int, level: float, seed: int
) -> list[tuple[Any, ...]]:
    """Return (corpus, mode, keys, lower, upper bound) of the mean of every key, sorted.

    All means of a corpus and mode are in the same samples of its sentences.

    Args:
        rows: (corpus, mode, sentence_id, keys, number of values, their sum), sorted by corpus and
            mode; keys of one sort in each place, and none of them None.
        n_keys: how many keys stand behind the sentence.
        samples: how many samples to draw.
        level: the share of samples between the bounds.
        seed: of the samples.

    """
    found: list[tuple[Any, ...]] = []
    for of_mode, of_rows in groupby(rows, key=itemgetter(0, 1)):
        cells = list(of_rows)
        sentences = {key: index for index, key in enumerate(sorted({row[2] for row in cells}))}
        keys = sorted({row[3 : 3 + n_keys] for row in cells})
        columns = {key: index for index, key in enumerate(keys)}
        sums = np.zeros((len(sentences), len(columns)))
        counts = np.zeros_like(sums)
        for _, _, sentence_id, *key, n_values, total in cells:
            place = sentences[sentence_id], columns[tuple(key)]
            counts[place] = n_values
            sums[place] = total
        weights = cluster_weights(len(sentences), samples, seed)
        bounds = mean_intervals(sums, counts, weights, level)
        found += [(*of_mode, *key, *pair) for key, *pair in zip(keys, *bounds, strict=True)]
    return found
