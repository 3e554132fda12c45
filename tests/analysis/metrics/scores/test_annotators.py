"""Choices of annotators that depend on rounding and on all choices before them."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from maege.analysis.metrics.errant import DECIMALS
from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.formula import rounded
from maege.analysis.metrics.scores import choose_greedily


# Halves that binary numbers represent exactly: Python rounds to the even neighbour.
@example(625, 0)
@example(1875, 0)
@given(st.integers(0, 24_999), st.integers(-3, 3))
def test_scores_near_a_half_are_rounded_as_python_does(halves: int, steps: int) -> None:
    value = halves / 20_000
    for _ in range(abs(steps)):
        value = max(float(np.nextafter(value, np.copysign(np.inf, steps))), 0.0)
    assert rounded(np.array(value), DECIMALS) == round(value, 4)


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


@given(st.integers(0, 1000), st.integers(1, 300))
def test_choosing_together_is_choosing_one_by_one(seed: int, n_sentences: int) -> None:
    generator = np.random.Generator(np.random.PCG64(seed))
    counts = generator.integers(0, 4, (2, n_sentences, 3, 2)).astype(np.float64)
    counts[generator.random(counts.shape[:3]) < 0.2] = np.nan
    counts[:, :, 1] = np.nan_to_num(counts[:, :, 1])
    chosen = choose_greedily(counts, hits, (counts[..., 0],))
    assert chosen.tolist() == [one_by_one(system) for system in counts]
