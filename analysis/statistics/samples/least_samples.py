"""How much there has to be before anything is inferred from it."""

import math

import numpy as np
from numpy.typing import ArrayLike

LEAST_SYSTEMS = 5
LEAST_SENTENCES = 20
LEAST_PAIRS = 20


def too_few(
    *, systems: int | None = None, sentences: int | None = None, pairs: int | None = None
) -> str | None:
    """Return what is too few for an interval, a test or a rank; None where nothing is.

    What is not given is not asked for.
    """
    if systems is not None and systems < LEAST_SYSTEMS:
        return "systems"
    if sentences is not None and sentences < LEAST_SENTENCES:
        return "sentences"
    if pairs is not None and pairs < LEAST_PAIRS:
        return "pairs"
    return None


def with_width(low: float, high: float) -> tuple[float, float]:
    """Return the bounds, NaN where no number lies between them: no interval is so sure."""
    return (low, high) if low < high else (math.nan, math.nan)


def n_effective(sizes: ArrayLike) -> float:
    """Return of how many equal clusters a mean would be as sure as of these (Kish 1965).

    Args:
        sizes: how many values each cluster has; not all are 0.

    """
    values = np.asarray(sizes, dtype=np.float64)
    return float(values.sum() ** 2 / (values**2).sum())


def expanded_level(level: float, n: float) -> float:
    """Return the level at which percentiles of a bootstrap of so few cover `level`.

    Percentiles are as narrow as intervals that take an estimated deviation for the true one: they
    are widened as Student's t widens those (Hesterberg 2015, "What teachers should know about the
    bootstrap", section 4.2).

    Args:
        level: what is to be covered.
        n: how many equal clusters there are, more than 1.

    """
    # Imported here: who asks for sizes alone needs none of it.
    import scipy

    t = scipy.special.stdtrit(n - 1, (1 + level) / 2) * math.sqrt(n / (n - 1))
    return float(2 * scipy.special.ndtr(t) - 1)
