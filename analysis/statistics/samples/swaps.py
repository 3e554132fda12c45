"""Sentences that two systems swap: approximate randomisation (Noreen 1989).

Riezler and Maxwell (2005): it finds fewer differences that are none than a bootstrap does.
"""

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.score import resampled

# Some 5 MB of single precision for 1,312 sentences: what the processor keeps at hand.
AT_ONCE = 1_000


class Swaps:
    """Which sentences each swap gives to the other system: blocks of 0 and 1, (swaps, sentences).

    The same whenever they are read, on every machine.
    """

    def __init__(self, n_sentences: int, n_swaps: int, seed: int) -> None:
        """Draw nothing yet."""
        self._n_sentences, self._n_swaps, self._seed = n_sentences, n_swaps, seed
        self._moved: dict[tuple[bytes, tuple[int, ...]], FloatArray] = {}

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        """Yield at most 1,000 swaps at a time."""
        generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence([self._seed, 1])))
        for start in range(0, self._n_swaps, AT_ONCE):
            n_swaps = min(AT_ONCE, self._n_swaps - start)
            random = generator.bytes(n_swaps * self._n_sentences)
            coins = np.frombuffer(random, dtype=np.uint8) & np.uint8(1)
            yield coins.reshape(n_swaps, self._n_sentences)

    def moved(self, addends: FloatArray) -> FloatArray:
        """Return what each system hands over: (systems, sentences, k) to (swaps, systems, k).

        Metrics that add up the same things share it, as long as they share the swaps.
        """
        key = hashlib.blake2b(addends.tobytes(), digest_size=16).digest(), addends.shape
        if key not in self._moved:
            self._moved[key] = np.concatenate([resampled(addends, block) for block in self])
        return self._moved[key]
