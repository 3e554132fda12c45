"""The reference that the GLEU program draws for each sentence, with Python 2 or Python 3.

The program seeds `random` with j * 101 for iteration j and calls `random.randint(0, references -
1)` once per sentence. Both Pythons seed the Mersenne Twister from an integer by `init_by_array`.
NumPy's RandomState does the same for a list of one integer, so its words are equal. Python 2
multiplies a 53-bit fraction by the number of references. Python 3 takes the top bits of one word
and rejects values that are too large.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

ITERATIONS = 500
SEED_STEP = 101
WORD_BITS = 32
CACHED_MATRICES = 8

Generator = Literal["py2", "py3"]
# `expected` draws no references. It is the limit of the mean over many draws.
Reference = Literal[Generator, "expected"]
DrawMatrix = NDArray[np.unsignedinteger[Any]]


@lru_cache(maxsize=CACHED_MATRICES)
def reference_draws(sentences: int, references: int, generator: Generator) -> DrawMatrix:
    """Return the 0-based references, shape (500 iterations, sentences), read-only."""
    draw = _draw_python2 if generator == "py2" else _draw_python3
    matrix = np.empty((ITERATIONS, sentences), np.min_scalar_type(references))
    state = np.random.RandomState(0)
    for iteration in range(ITERATIONS):
        state.seed([iteration * SEED_STEP])
        matrix[iteration] = draw(state, sentences, references)
    matrix.setflags(write=False)
    return matrix


def draws_of_present(is_there: NDArray[np.bool_], generator: Generator) -> DrawMatrix:
    """Return references drawn only from those that each sentence has.

    `is_there` has shape (sentences, references). Raises ValueError if a sentence has no reference.
    """
    counts = is_there.sum(axis=-1)
    if not counts.all():
        raise ValueError("expected at least one reference of every sentence, found none of some")
    # Existing references, in order, precede missing ones.
    places = np.argsort(~is_there, axis=-1, kind="stable")
    matrix = np.empty((ITERATIONS, len(counts)), np.min_scalar_type(is_there.shape[-1]))
    state = np.random.RandomState(0)
    for iteration in range(ITERATIONS):
        state.seed([iteration * SEED_STEP])
        if generator == "py2":
            drawn = np.floor(state.random_sample(len(counts)) * counts).astype(np.intp)
        else:
            drawn = _draw_each_python3(state, counts)
        matrix[iteration] = places[np.arange(len(counts)), drawn]
    return matrix


def _draw_each_python3(state: np.random.RandomState, counts: NDArray[np.intp]) -> NDArray[np.intp]:
    words = iter(_words(state))
    return np.array(
        [
            next(drawn for word in words if (drawn := word >> shift) < count)
            for count, shift in (
                (count, WORD_BITS - count.bit_length()) for count in counts.tolist()
            )
        ],
        dtype=np.intp,
    )


def _words(state: np.random.RandomState) -> Iterator[int]:
    while True:
        yield from state.randint(0, 1 << WORD_BITS, 1024, dtype=np.uint32).tolist()


def _draw_python2(
    state: np.random.RandomState, sentences: int, references: int
) -> NDArray[np.float64]:
    return np.floor(state.random_sample(sentences) * references)


def _draw_python3(
    state: np.random.RandomState, sentences: int, references: int
) -> NDArray[np.uint32]:
    shift = WORD_BITS - references.bit_length()
    words = np.empty(0, np.uint32)
    accepted = np.empty(0, np.intp)
    while len(accepted) < sentences:
        more = state.randint(0, 1 << WORD_BITS, 2 * sentences, dtype=np.uint32) >> shift
        words = np.concatenate([words, more])
        accepted = np.flatnonzero(words < references)
    return words[accepted[:sentences]]
