"""Means over source sentences with intervals and tests, many means in the same resamples."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import scipy

from maege.analysis.statistics.resampling import (
    cluster_weights,
    mean_intervals,
    too_few,
    with_width,
)
from maege.analysis.stored.rows import stored_groups


class SentenceMean(NamedTuple):
    """A mean, percentile bounds over source sentences and the two-sided p-value of a mean of 0.

    The test is Student's t of the sums of sentences, whose expectation is 0 if the mean is. Bounds
    and p-value are NaN if `too_few` is set; the bounds also if they are equal.
    """

    key: tuple[str, ...]
    too_few: str | None
    n_sentences: int
    mean: float
    low: float
    high: float
    p_value: float


def sentence_means(
    relation: Any, keys: Sequence[str], samples: int, level: float, seed: int
) -> Iterator[SentenceMean]:
    """Yield the mean of every combination of corpus and keys.

    All means of a corpus use the same resamples of its sentences. Only these, and the rows that
    differ in the last of the keys, are in memory.

    Args:
        relation: of DuckDB, with the columns corpus, sentence_id, the keys, n_values and total
            (their sum).
        keys: names of columns of strings, none of them NULL.
        samples: number of resamples.
        level: confidence level.
        seed: seed of the resamples.

    """
    *outer, last = keys
    columns = (f"{last}, sentence_id, n_values, total", f"{last}, sentence_id")
    drawn = relation.select("corpus, sentence_id").distinct()
    sentences = {
        of_corpus: rows["sentence_id"].to_numpy()
        for of_corpus, rows in stored_groups(drawn, ("corpus",), "sentence_id", "sentence_id")
    }
    groups = stored_groups(relation, ("corpus", *outer), *columns)
    for of_corpus, of_groups in groupby(groups, key=lambda group: group[0][:1]):
        of_sentences = sentences[of_corpus]
        weights = cluster_weights(len(of_sentences), samples, seed)
        for key, rows in of_groups:
            values, column = np.unique(rows[last].to_numpy(), return_inverse=True)
            sentence = np.searchsorted(of_sentences, rows["sentence_id"].to_numpy())
            sums = np.zeros((len(of_sentences), len(values)))
            counts = np.zeros_like(sums)
            sums[sentence, column] = rows["total"].to_numpy()
            counts[sentence, column] = rows["n_values"].to_numpy()
            bounds = mean_intervals(sums, counts, weights, level)
            for place, (value, low, high) in enumerate(zip(values, *bounds, strict=True)):
                of_value = counts[:, place] > 0
                yield _mean(
                    (*key, value), sums[of_value, place], counts[of_value, place], low, high
                )


def _mean(key: tuple[str, ...], sums: Any, counts: Any, low: float, high: float) -> SentenceMean:
    mean = float(sums.sum() / counts.sum())
    few = too_few(sentences=len(sums), pairs=int(counts.sum()))
    if few:
        return SentenceMean(key, few, len(sums), mean, np.nan, np.nan, np.nan)
    n, deviation = len(sums), float(sums.std())
    t = float(sums.mean()) / deviation * (n - 1) ** 0.5 if deviation else np.nan
    p_value = float(2 * scipy.special.stdtr(n - 1, -abs(t)))
    return SentenceMean(key, None, n, mean, *with_width(low, high), p_value)
