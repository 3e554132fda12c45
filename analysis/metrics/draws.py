"""Which reference the GLEU program draws for each sentence, as Python 2 and Python 3 draw it.

The program seeds `random` with j * 101 for iteration j and calls
`random.randint(0, references - 1)` once per sentence. Both Pythons seed the Mersenne Twister from
an integer by `init_by_array`, as NumPy's RandomState does for a list of one: its words are the
same. Python 2 multiplies a 53-bit fraction by the number of references; Python 3 takes the top
bits of one word and rejects what is too large.
"""

from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

ITERATIONS = 500
SEED_STEP = 101
WORD_BITS = 32
CACHED_MATRICES = 8

Generator = Literal["py2", "py3"]
# `expected`: no draws, but what the mean over many converges to.
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
