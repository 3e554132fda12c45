"""Strata of steps: what the references say of the edit that a step adds.

How often annotators agree differs from corpus to corpus, and with it every metric's tau. In each
stratum alone metrics are much the same everywhere, so that the mean of the strata with equal
weights can be compared where tau cannot (Kitagawa 1955, "Components of a difference between two
rates": direct standardisation).
"""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np

from maege.analysis.edits import Edit
from maege.analysis.statistics.resampling import Floats

# A reference has the very edit, changes its place otherwise, or leaves its place alone.
Stratum = Literal["endorsed", "touched", "untouched"]
STRATA: tuple[Stratum, ...] = get_args(Stratum)
# With fewer steps a stratum's tau moves by .1 from sample to sample.
LEAST_STEPS = 200


def stratum(edit: Edit, references: Iterable[Sequence[Edit]]) -> Stratum:
    """Return the stratum of a step that adds the edit, beside the edits of its references.

    Endorsed is what any reference has with the same span and (first) correction; touched what any
    changes in a span that overlaps or meets the edit's.
    """
    gold = [other for reference in references for other in reference]
    if any(_content(other) == _content(edit) for other in gold):
        return "endorsed"
    if any(other.start <= edit.end and edit.start <= other.end for other in gold):
        return "touched"
    return "untouched"


def standardised_tau(strata: Floats, steps: Floats, least_steps: int = LEAST_STEPS) -> float:
    """Return the mean of the strata's taus; NaN where a stratum has fewer steps than needed.

    Args:
        strata: the tau of each of STRATA.
        steps: how many steps each has.
        least_steps: what each needs.

    """
    return float(np.mean(strata)) if (np.asarray(steps) >= least_steps).all() else np.nan


def _content(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.corrections[0]
