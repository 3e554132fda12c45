"""Choices of annotators that depend on all choices before them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.annotators import choose_greedily


def hits(sums: FloatArray) -> FloatArray:
    share: FloatArray = sums[..., 0] / np.maximum(sums.sum(axis=-1), 1)
    return share


def one_by_one(counts: FloatArray) -> list[int]:
    """Return the choices for one system, made sentence by sentence."""
    so_far, chosen = np.zeros(counts.shape[-1]), []
    for sentence in counts:
        keys = [
            (-np.inf, 0.0) if np.isnan(row[0]) else (float(hits(so_far + row)), row[0])
            for row in sentence
        ]
        chosen.append(max(range(len(keys)), key=lambda place: (keys[place], -place)))
        so_far += sentence[chosen[-1]]
    return chosen


def test_the_same_sentence_is_judged_by_what_was_before() -> None:
    # 1 of 2 against 3 of 5: 3 of 5 is higher, but 10 of 12 is higher than 12 of 15.
    counts = np.array([[[9.0, 1], [9, 1]], [[1, 1], [3, 2]]])
    assert choose_greedily(counts[1:], hits, (counts[1:, :, 0],)).tolist() == [1]
    assert choose_greedily(counts, hits, (counts[..., 0],)).tolist() == [0, 0]


def test_ties_are_decided_by_the_first_value_that_differs() -> None:
    counts = np.array([[[1.0, 1], [2, 2], [2, 2]]])
    assert choose_greedily(counts, hits, (counts[..., 0],)).tolist() == [1]
    assert choose_greedily(counts, hits, (-counts[..., 0],)).tolist() == [0]


def test_a_sentence_without_any_line_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one annotator"):
        choose_greedily(np.full((1, 2, 2), np.nan), hits, ())


@given(st.integers(0, 1000), st.integers(1, 300))
def test_choosing_together_is_choosing_one_by_one(seed: int, n_sentences: int) -> None:
    generator = np.random.Generator(np.random.PCG64(seed))
    counts = generator.integers(0, 4, (2, n_sentences, 3, 2)).astype(np.float64)
    counts[generator.random(counts.shape[:3]) < 0.2] = np.nan
    counts[:, :, 1] = np.nan_to_num(counts[:, :, 1])
    chosen = choose_greedily(counts, hits, (counts[..., 0],))
    assert chosen.tolist() == [one_by_one(system) for system in counts]
