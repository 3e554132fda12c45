"""Agreement of judges with each other and with themselves."""

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.correlations import pearson_of_rows
from maege.analysis.statistics.resampling import Floats, Integers

# --- Kappa between judges (inter) and within a judge (intra) ---
#
# Cohen (1960), "A coefficient of agreement for nominal scales", in the form of the Workshops on
# Machine Translation (Callison-Burch, Fordyce, Koehn et al. 2007) and of Grundkiewicz,
# Junczys-Dowmunt and Gillian (2015), who print .29 and .46:
#
#     kappa = (P(A) - P(E)) / (1 - P(E))
#
# P(A) is the share of equal judgments among all pairs of judgments of the same two outputs of the
# same sentence. P(E) is the sum of the squared shares of <, = and > among the compared judgments.
# Every pair of judges has its own kappa. The overall kappa is the mean over pairs with at least 50
# compared judgments, weighted by their number.
#
# Judges compared outputs, not systems: systems with the same output shared one cell of the screen.
# Pairs of cells, not expanded to systems, give the published numbers. Expanding them would count
# one decision of a judge many times, and would count identical outputs as agreement.

PUBLISHED_MINIMUM = 50


class Agreement(NamedTuple):
    """One row per pair of judges (or single judge) with judgments of the same outputs."""

    first_judge: Integers
    second_judge: Integers
    n_compared: Integers
    observed: Floats
    expected: Floats
    kappa: Floats


class OverallAgreement(NamedTuple):
    """Kappa between judges and within judges; NaN without compared judgments."""

    inter: float
    intra: float
    n_inter: int
    n_intra: int


def judge_agreement(judge: ArrayLike, unit: ArrayLike, preference: ArrayLike) -> Agreement:
    """Return kappa, P(A) and P(E) of every pair of judges, including each judge with themselves.

    Kappa is NaN if P(E) is 1, because all judgments are then equal.

    Args:
        judge: judge number of each judged pair, from 0.
        unit: whole numbers from 0 that are equal for judgments of the same two outputs of the same
            sentence.
        preference: 1, 0 or -1; the order of the two outputs is the same throughout a unit.
    """
    judges, units, order = (
        np.asarray(column, dtype=np.int64) for column in (judge, unit, preference)
    )
    n_judges = int(judges.max(initial=-1)) + 1
    n_units = int(units.max(initial=-1)) + 1
    cells = ((order + 1) * n_units + units) * n_judges + judges
    counts = np.bincount(cells, minlength=3 * n_units * n_judges)
    by_outcome = counts.reshape(3, n_units, n_judges).astype(np.float64)
    total = by_outcome.sum(axis=0)
    same = np.eye(n_judges, dtype=bool)

    compared = np.where(same, _choose_two(total), total.T @ total)
    equal = sum(np.where(same, _choose_two(part), part.T @ part) for part in by_outcome)
    shared = (total > 0).astype(np.float64)
    repeated = total > 1
    # Shares of <, = and > among the compared judgments, each judgment counted once.
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
    """Return the weighted means of kappa between judges and within judges.

    Args:
        minimum: minimum number of comparisons of a pair of judges.
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
    return np.diag((counts * (counts - 1) / 2).sum(axis=0))


# --- Upper bounds for metrics: agreement of judges with each other ---
#
# Metrics cannot be expected to agree with judges more than judges agree with each other. For scores
# of systems, the bound is the correlation between scores by two halves of the judges, stepped up to
# all judges (Spearman 1910; Brown 1910) and averaged over splits. For pairs, it is the agreement of
# a judge with the others.

SPLITS = 20


def halves_of_judges(n_judges: int, seed: int) -> NDArray[np.bool_]:
    """Return the judges in the first half of each split, shape (splits, n_judges).

    There are no splits with fewer than two judges. All splits are returned if there are at most
    SPLITS, else random ones. With an odd number of judges the second half is larger.
    """
    size = n_judges // 2
    if size == 0:
        return np.zeros((0, n_judges), np.bool_)
    if comb(n_judges, size) <= SPLITS:
        chosen = np.array(list(combinations(range(n_judges), size)))
    else:
        generator = np.random.Generator(np.random.PCG64(seed))
        orders = np.tile(np.arange(n_judges), (SPLITS, 1))
        chosen = generator.permuted(orders, axis=1)[:, :size]
    halves = np.zeros((len(chosen), n_judges), np.bool_)
    np.put_along_axis(halves, chosen, values=True, axis=1)
    return halves


def split_half_ceiling(first: ArrayLike, second: ArrayLike) -> float:
    """Return Pearson's r between the halves' scores, stepped up: 2 r / (1 + r) with the mean r.

    NaN if no split gives every system a score, or the mean r is not positive.

    Args:
        first: scores of the systems by the first half, shape (splits, n).
        second: scores of the systems by the second half, shape (splits, n).
    """
    r = pearson_of_rows(first, second)
    if np.isnan(r).all():
        return float("nan")
    mean = float(np.nanmean(r))
    return 2 * mean / (1 + mean) if mean > 0 else float("nan")


def opinion_of_others(judge: ArrayLike, unit: ArrayLike, preference: ArrayLike) -> Floats:
    """Return the mean preference of the other judges of the same outputs; NaN without any.

    Args:
        judge: judge number of each judgment, from 0.
        unit: whole numbers from 0 that are equal for judgments of the same two outputs.
        preference: 1, 0 or -1, with the same order of the outputs throughout a unit.
    """
    judges, units = np.asarray(judge, np.int64), np.asarray(unit, np.int64)
    order = np.asarray(preference, np.float64)
    _, own = np.unique(np.stack([units, judges]), axis=1, return_inverse=True)
    own = own.ravel()

    def rest(values: Floats) -> Floats:
        unit_sums, own_sums = np.bincount(units, values), np.bincount(own, values)
        return np.asarray(unit_sums[units] - own_sums[own], np.float64)

    with np.errstate(invalid="ignore"):
        opinion: Floats = rest(order) / rest(np.ones_like(order))
    return opinion


def units_of(*columns: Integers) -> Integers:
    """Return whole numbers from 0 that are equal for rows with equal columns."""
    if not columns[0].size:
        return np.zeros(0, np.int64)
    _, unit = np.unique(np.stack(columns), axis=1, return_inverse=True)
    return unit.ravel().astype(np.int64)
