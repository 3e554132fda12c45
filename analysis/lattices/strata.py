"""Strata of steps: how the references treat the edit of a step.

Annotators agree more on some corpora than on others, and every metric's tau depends on it. Within a
stratum metrics are similar on all corpora, so the mean of the strata with equal weights can be
compared across corpora (Kitagawa 1955, "Components of a difference between two rates": direct
standardisation).
"""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np

from maege.analysis.edits import Edit
from maege.analysis.statistics.resampling import Floats

# A reference makes the edit, changes its place differently, or does not change its place.
Stratum = Literal["endorsed", "touched", "untouched"]
STRATA: tuple[Stratum, ...] = get_args(Stratum)
# With fewer steps, a stratum's tau varies by 0.1 between samples.
LEAST_STEPS = 200


def stratum(edit: Edit, references: Iterable[Sequence[Edit]]) -> Stratum:
    """Return the stratum of a step that adds the edit, given the edits of its references.

    Endorsed: a reference has the same span and (first) correction. Touched: a reference changes a
    span that overlaps or meets the edit's.
    """
    gold = [other for reference in references for other in reference]
    if any(_content(other) == _content(edit) for other in gold):
        return "endorsed"
    if any(other.start <= edit.end and edit.start <= other.end for other in gold):
        return "touched"
    return "untouched"


def standardised_tau(strata: Floats, steps: Floats, least_steps: int = LEAST_STEPS) -> float:
    """Return the mean of the strata's taus; NaN if a stratum has too few steps.

    Args:
        strata: the tau of each stratum in STRATA.
        steps: number of steps of each stratum.
        least_steps: required number of steps per stratum.
    """
    return float(np.mean(strata)) if (np.asarray(steps) >= least_steps).all() else np.nan


def _content(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.corrections[0]
