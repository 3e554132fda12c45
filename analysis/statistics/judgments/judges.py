"""Agreement of judges about pairs: kappa with others (inter) and with oneself (intra).

Cohen (1960), "A coefficient of agreement for nominal scales", in the form of the Workshops on
Machine Translation (Callison-Burch, Fordyce, Koehn et al. 2007) and of Grundkiewicz,
Junczys-Dowmunt and Gillian (2015), who print .29 and .46:

    kappa = (P(A) - P(E)) / (1 - P(E))

P(A) is the share of equal judgments among all pairs of judgments of the same two outputs of the
same sentence, P(E) the sum of the squared shares of <, = and > among the judgments compared. Every
two judges have their own kappa; the kappa of all is the mean, weighted by the judgments compared,
of those with at least 50 of them.

What was judged are OUTPUTS: systems with the same output stood in one cell of the screen. Judged
pairs of cells, not expanded to systems, give the published numbers; expanding them would count one
decision of a judge many times, and identical outputs as agreement.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers

PUBLISHED_MINIMUM = 50


class Agreement(NamedTuple):
    """One row for every two judges who compared the same outputs, and a judge with oneself."""

    first_judge: Integers
    second_judge: Integers
    n_compared: Integers
    observed: Floats
    expected: Floats
    kappa: Floats


class OverallAgreement(NamedTuple):
    """Kappa between judges and of judges with themselves; NaN where nothing was compared."""

    inter: float
    intra: float
    n_inter: int
    n_intra: int


def judge_agreement(judge: ArrayLike, unit: ArrayLike, preference: ArrayLike) -> Agreement:
    """Return kappa, P(A) and P(E) of every two judges, the same judge twice included.

    Kappa is NaN where P(E) is 1: all judgments are equal and agree by necessity.

    Args:
        judge: whole numbers from 0, one a judged pair.
        unit: whole numbers from 0 that are equal where the same two outputs of the same sentence
            were judged.
        preference: 1, 0 or -1; the same output has to be the first throughout a unit.

    Raises:
        ValueError: the vectors differ in length, or a preference is not -1, 0 or 1.

    """
    judges, units, order = (
        np.asarray(column, dtype=np.int64) for column in (judge, unit, preference)
    )
    if not judges.shape == units.shape == order.shape == (judges.size,):
        raise ValueError(
            f"expected three vectors of one length, found shapes {judges.shape}, {units.shape} "
            f"and {order.shape}"
        )
    if (np.abs(order) > 1).any():
        raise ValueError(f"expected preferences -1, 0 and 1, found {order[np.abs(order) > 1][0]}")
    n_judges = int(judges.max(initial=-1)) + 1
    n_units = int(units.max(initial=-1)) + 1
    cells = ((order + 1) * n_units + units) * n_judges + judges
    given = np.bincount(cells, minlength=3 * n_units * n_judges)
    by_outcome = given.reshape(3, n_units, n_judges).astype(np.float64)
    total = by_outcome.sum(axis=0)
    same = np.eye(n_judges, dtype=bool)

    compared = np.where(same, _choose_two(total), total.T @ total)
    equal = sum(np.where(same, _choose_two(part), part.T @ part) for part in by_outcome)
    shared = (total > 0).astype(np.float64)
    repeated = total > 1
    # Shares of <, = and > among the judgments that take part in a comparison, each counted once.
    used = np.array(
        [
            np.where(
                same,
                np.diag((part * repeated).sum(axis=0)),
                part.T @ shared + (part.T @ shared).T,
            )
            for part in by_outcome
        ]
    )
    first, second = np.nonzero(np.triu(compared > 0))
    observed = (equal / np.where(compared > 0, compared, 1))[first, second]
    shares = used[:, first, second] / used[:, first, second].sum(axis=0)
    expected = (shares**2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)
    return Agreement(
        first.astype(np.int64),
        second.astype(np.int64),
        compared[first, second].astype(np.int64),
        observed,
        expected,
        kappa,
    )


def overall_agreement(agreement: Agreement, minimum: int = PUBLISHED_MINIMUM) -> OverallAgreement:
    """Return the weighted means of kappa between judges and within them.

    Args:
        agreement: what `judge_agreement` returned.
        minimum: how many comparisons two judges need to be counted.

    """
    counted = (agreement.n_compared >= minimum) & ~np.isnan(agreement.kappa)
    within = agreement.first_judge == agreement.second_judge
    inter, n_inter = _weighted_kappa(agreement, counted & ~within)
    intra, n_intra = _weighted_kappa(agreement, counted & within)
    return OverallAgreement(inter, intra, n_inter, n_intra)


def _weighted_kappa(agreement: Agreement, rows: np.ndarray) -> tuple[float, int]:
    weights = agreement.n_compared[rows]
    if not weights.size:
        return float("nan"), 0
    return float((agreement.kappa[rows] * weights).sum() / weights.sum()), int(weights.sum())


def _choose_two(counts: Floats) -> Floats:
    """Return the pairs within each unit, summed by judge, on the diagonal."""
    return np.diag((counts * (counts - 1) / 2).sum(axis=0))
