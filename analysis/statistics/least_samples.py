"""How much there has to be before anything is inferred from it."""

import math

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
