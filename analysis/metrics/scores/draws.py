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
def reference_draws(counts: tuple[int, ...], generator: Generator) -> DrawMatrix:
    """Return 0-based references, shape (500 iterations, sentences), read-only.

    `counts` are the numbers of references of the sentences. Raises ValueError for 0.
    """
    if not all(counts):
        raise ValueError("expected at least one reference of every sentence, found none of some")
    matrix = np.empty((ITERATIONS, len(counts)), np.min_scalar_type(max(counts, default=0)))
    state = np.random.RandomState(0)
    for iteration in range(ITERATIONS):
        state.seed([iteration * SEED_STEP])
        if generator == "py2":
            matrix[iteration] = np.floor(state.random_sample(len(counts)) * counts)
        else:
            words = _words(state)
            for sentence, count in enumerate(counts):
                shift = WORD_BITS - count.bit_length()
                values = (word >> shift for word in words)
                matrix[iteration, sentence] = next(value for value in values if value < count)
    matrix.setflags(write=False)
    return matrix


def _words(state: np.random.RandomState) -> Iterator[int]:
    while True:
        yield from state.randint(0, 1 << WORD_BITS, 1024, dtype=np.uint32).tolist()
