"""How many references it takes until others would put systems into the same order.

Two choices of k references, with none in both, rank the systems twice. How often two systems stand
in the same order by both, and how often all do, says what another k references might change: a
choice that is compared with all references would share some of them, and look more stable than it
is.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Choice = tuple[int, ...]


class Stability(NamedTuple):
    """With so many references: the share of pairs in the same order by two choices, and of orders.

    Beside that of pairs quantiles over choices. Choices are of the same annotators, who are the
    sample: neither says how far other annotators would move it.
    """

    n_references: int
    n_choices: int
    pairs: float
    pairs_low: float
    pairs_high: float
    orders: float


def stability(
    scores: Callable[[Choice], Array], n_references: int, draws: int, level: float, seed: int
) -> Iterator[Stability]:
    """Yield how stable orders are with 1, 2 ... references, up to half of all.

    `scores` returns the scores of all systems beside the references in these positions, shape
    (systems,).
    """
    rng = np.random.default_rng(seed)
    for k in range(1, n_references // 2 + 1):
        pairs = []
        for _ in range(draws):
            drawn = rng.permutation(n_references)
            one, other = (tuple(sorted(part.tolist())) for part in (drawn[:k], drawn[k : 2 * k]))
            pairs.append(same_order(scores(one), scores(other)))
        low, high = np.quantile(pairs, [(1 - level) / 2, (1 + level) / 2], method="hazen")
        orders = float(np.mean([found == 1 for found in pairs]))
        yield Stability(k, draws, float(np.mean(pairs)), float(low), float(high), orders)


def same_order(one: Array, other: Array) -> float:
    """Return the share of pairs of systems that both scores put in the same order.

    A tie is the same as a tie alone.
    """
    first, second = np.triu_indices(len(one), 1)
    same = np.sign(one[first] - one[second]) == np.sign(other[first] - other[second])
    return float(same.mean())
