"""Choices of annotators that depend on all choices before them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.scores import choose_greedily


def hits(sums: FloatArray) -> FloatArray:
    share: FloatArray = sums[..., 0] / np.maximum(sums.sum(axis=-1), 1)
    return share


def one_by_one(counts: FloatArray) -> list[int]:
    so_far, chosen = np.zeros(counts.shape[-1]), []
    for sentence in counts:
        keys = [
            (-np.inf, 0.0) if np.isnan(row[0]) else (float(hits(so_far + row)), row[0])
            for row in sentence
        ]
        chosen.append(max(range(len(keys)), key=lambda place: (keys[place], -place)))
        so_far += sentence[chosen[-1]]
    return chosen


@given(st.integers(0, 1000), st.integers(1, 300))
def test_choosing_together_is_choosing_one_by_one(seed: int, n_sentences: int) -> None:
    generator = np.random.Generator(np.random.PCG64(seed))
    counts = generator.integers(0, 4, (2, n_sentences, 3, 2)).astype(np.float64)
    counts[generator.random(counts.shape[:3]) < 0.2] = np.nan
    counts[:, :, 1] = np.nan_to_num(counts[:, :, 1])
    chosen = choose_greedily(counts, hits, (counts[..., 0],))
    assert chosen.tolist() == [one_by_one(system) for system in counts]
