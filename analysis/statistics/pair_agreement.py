"""Agreement of a metric with an order of pairs: ties, Kendall's tau, rules for ties."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.resampling import Floats, Integers

# --- Ties: scores within a billionth of the larger one ---
#
# Sums that differ only in their order of summation differ in the last bits, which is not a
# preference. The macro `is_tied` uses the same rule in SQL.

RELATIVE = 1e-9


def is_tied(first: ArrayLike, second: ArrayLike) -> NDArray[np.bool_]:
    """Return whether scores are equal within RELATIVE of the larger; False for NaN."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return np.abs(a - b) <= RELATIVE * np.maximum(np.abs(a), np.abs(b))


def score_differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return np.where(is_tied(a, b), 0.0, a - b)


# --- Kendall's tau over comparable pairs, and the tie order of the published run ---
#
# Kendall (1938), "A new measure of rank correlation". Of P comparable pairs C are concordant, D are
# discordant and T are tied. `kendall_tau_a` is the headline: chance is 0 for every metric.
# `kendall_tau_maege` is the form of Choshen and Abend (2018), "Automatic Metric Validation for
# Grammatical Error Correction", section 6. `goodman_kruskal_gamma` excludes ties (Goodman and
# Kruskal 1954). `kendall_tau_b` divides by the geometric mean of P and the number of untied pairs
# (Kendall 1945).

# NumPy's quicksort uses insertion sort, which is stable, for up to this many elements.
LONGEST_STABLE_SORT = 17


class TauTests(NamedTuple):
    coefficient: Floats
    p: Floats


class PairCounts(NamedTuple):
    concordant: int
    discordant: int
    tied: int


def pair_counts(scores: ArrayLike) -> PairCounts:
    values = np.asarray(scores, dtype=np.float64)
    first, second = np.triu_indices(values.size, k=1)
    rises = values[second] > values[first]
    falls = values[second] < values[first]
    concordant, discordant = int(rises.sum()), int(falls.sum())
    return PairCounts(concordant, discordant, first.size - concordant - discordant)


def kendall_tau_a(concordant: ArrayLike, discordant: ArrayLike, tied: ArrayLike) -> Floats:
    """Return (C - D) / (C + D + T), twice the pairwise accuracy minus 1; NaN without pairs."""
    wins = np.asarray(concordant, dtype=np.float64)
    losses = np.asarray(discordant, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau: Floats = (wins - losses) / (wins + losses + np.asarray(tied, dtype=np.float64))
    return tau


def kendall_tau_maege(concordant: ArrayLike, discordant: ArrayLike, tied: ArrayLike) -> TauTests:
    """Return tau = 1 - 2 D / P with P = C + D + T (a tie counts as agreement), and its p-value.

    p = 2 Phi(-|tau| sqrt(P)) is the sign test's normal approximation, as in the published run. It
    is too small, because pairs of one chain are not independent.
    """
    losses = np.asarray(discordant, dtype=np.float64)
    pairs = np.asarray(concordant, dtype=np.float64) + losses + np.asarray(tied, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau: Floats = 1 - 2 * losses / pairs
    return TauTests(tau, 2 * scipy.special.ndtr(-np.abs(tau) * np.sqrt(pairs)))


def goodman_kruskal_gamma(concordant: ArrayLike, discordant: ArrayLike) -> Floats:
    """Return (C - D) / (C + D) over the pairs that the metric does not tie; NaN without any."""
    return kendall_tau_a(concordant, discordant, 0)


def kendall_tau_b(concordant: ArrayLike, discordant: ArrayLike, tied: ArrayLike) -> Floats:
    """Return (C - D) / sqrt((C + D + T) (C + D)), for gold without ties; NaN if all are tied."""
    wins = np.asarray(concordant, dtype=np.float64)
    losses = np.asarray(discordant, dtype=np.float64)
    decided = wins + losses
    with np.errstate(divide="ignore", invalid="ignore"):
        tau: Floats = (wins - losses) / np.sqrt((decided + np.asarray(tied)) * decided)
    return tau


def published_discordant(scores: ArrayLike) -> int:
    """Return how many pairs of one chain MAEGE's published run counted as discordant.

    That run passed `numpy.argsort(scores)` instead of the scores to the pair counting.
    """
    values = np.asarray(scores, dtype=np.float64)
    order = legacy_argsort([float(value) for value in values])
    return pair_counts(order).discordant


def legacy_argsort(values: Sequence[float]) -> NDArray[np.intp]:
    """Return the order in which NumPy's argsort of 2017 sorted `values` (without NaN).

    Quicksort with the median of first, middle and last as the pivot; the smaller part is sorted
    first, parts of at most 17 elements by insertion. Today's NumPy leaves ties in another order.
    (The original turns to heapsort after 2 log2(n) splits in a row; chains are far too short for
    that.)
    """
    order = list(range(len(values)))
    waiting = [(0, len(values) - 1)]
    while waiting:
        low, high = waiting.pop()
        while high - low >= LONGEST_STABLE_SORT:
            split = _partition(order, values, low, high)
            if split - low < high - split:
                waiting.append((split + 1, high))
                high = split - 1
            else:
                waiting.append((low, split - 1))
                low = split + 1
        _insertion_sort(order, values, low, high)
    return np.array(order, dtype=np.intp)


def _partition(order: list[int], values: Sequence[float], low: int, high: int) -> int:
    middle = low + (high - low) // 2
    for left, right in ((low, middle), (middle, high), (low, middle)):
        if values[order[right]] < values[order[left]]:
            order[left], order[right] = order[right], order[left]
    pivot = values[order[middle]]
    order[middle], order[high - 1] = order[high - 1], order[middle]
    i, j = low, high - 1
    while True:
        i += 1
        while values[order[i]] < pivot:
            i += 1
        j -= 1
        while pivot < values[order[j]]:
            j -= 1
        if i >= j:
            break
        order[i], order[j] = order[j], order[i]
    order[i], order[high - 1] = order[high - 1], order[i]
    return i


def _insertion_sort(order: list[int], values: Sequence[float], low: int, high: int) -> None:
    for place in range(low + 1, high + 1):
        item = order[place]
        hole = place
        while hole > low and values[item] < values[order[hole - 1]]:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = item


# --- Agreement with human preferences, by one rule for ties each ---
#
# A pair is two outputs of one sentence that a judge compared. The metric orders C pairs as the
# judge does and D pairs in the opposite way. It gives equal scores to T pairs that the judge did
# not tie. The rules differ in how they count ties:
#
# - `ties_wrong`: a tie of the metric is an error, accuracy = C / (C + D + T). Callison-Burch,
#   Koehn, Monz et al. (2012), "Findings of the 2012 Workshop on Statistical Machine Translation".
# - `ties_half`: a tie counts half, accuracy = (C + T / 2) / (C + D + T). Macháček and Bojar
#   (2014), "Results of the WMT14 metrics shared task", where a tie adds 0 to Kendall's numerator.
# - `ties_by_name`: if two scores are equal, the system whose name comes first loses, so T = 0. The
#   scripts of Kobayashi, Mita and Komachi (2024), "Revisiting meta-evaluation for grammatical
#   error correction" (SEEDA) do this.
# - `acc_eq`: pairs that the judge tied count. The metric ties a pair if its scores differ by at
#   most epsilon. Accuracy = (C + T_both) / all. Deutsch, Foster and Freitag (2023), "Ties matter:
#   meta-evaluating modern metrics with pairwise accuracy and tie calibration", arXiv 2305.14324.
#   Epsilon is the value that gives the highest accuracy over all pairs.
#
# The first three rules exclude pairs that the judge tied. Kendall's tau is 2 accuracy - 1; for
# `acc_eq` it is tau_23, (C + T_both - D - T_judge - T_metric) / all.


class PairAgreement(NamedTuple):
    """`n_pairs` is the sum of the counts, `n_tied` the number of pairs that only the metric ties.

    `epsilon` is NaN for rules without it.
    """

    n_pairs: int
    n_concordant: int
    n_discordant: int
    n_tied: int
    n_tied_by_judge: int
    n_tied_by_both: int
    accuracy: float
    kendall: float
    epsilon: float


class TieRule(NamedTuple):
    """The credit of a pair with each outcome, and whether it counts, shape (OUTCOMES,)."""

    credit: Floats
    counts: Floats


# Outcomes: the judge prefers the second output, neither, or the first; for each of these, the
# metric does.
OUTCOMES = 9
_DECIDED = np.array([1.0, 1, 1, 0, 0, 0, 1, 1, 1])
RULES: Mapping[str, TieRule] = MappingProxyType(
    {
        "ties_wrong": TieRule(np.array([1.0, 0, 0, 0, 0, 0, 0, 0, 1]), _DECIDED),
        "ties_by_name": TieRule(np.array([1.0, 1, 0, 0, 0, 0, 0, 0, 1]), _DECIDED),
        "ties_half": TieRule(np.array([1.0, 0.5, 0, 0, 0, 0, 0, 0.5, 1]), _DECIDED),
        "acc_eq": TieRule(np.array([1.0, 0, 0, 0, 1, 0, 0, 0, 1]), np.ones(OUTCOMES)),
    }
)


def outcomes(preference: ArrayLike, difference: ArrayLike, epsilon: float = 0.0) -> Integers:
    """Return each pair's outcome: 3 times the judge's code (0: second) plus the metric's code.

    Args:
        preference: 1 if the judge prefers the first output, -1 the second, 0 neither.
        difference: the first output's score minus the second's; higher scores are better.
    """
    order, gap = np.asarray(preference, np.int64), np.asarray(difference, np.float64)
    return 3 * order + 4 + (gap > epsilon) - (gap < -epsilon)


def outcomes_by_unit(unit: Integers, outcome: Integers, n_units: int) -> Integers:
    cells = np.bincount(unit * OUTCOMES + outcome, minlength=n_units * OUTCOMES)
    return cells.reshape(n_units, OUTCOMES)


def agreement_of_outcomes(rule: str, n_pairs: ArrayLike, epsilon: float = 0.0) -> PairAgreement:
    """Return the agreement by a rule of RULES, from the number of pairs with each outcome.

    For `ties_by_name`, the first output of each pair must be that of the earlier name (by code
    points, as Python sorts), as in SEEDA's scripts. Only `acc_eq` has an epsilon.
    """
    counts = np.asarray(n_pairs, np.int64)
    # Rows: the judge prefers the second output, neither, or the first. Columns: the metric does.
    second, neither, first = counts.reshape(3, 3).tolist()
    concordant, discordant = second[0] + first[2], second[2] + first[0]
    tied, tied_by_judge, tied_by_both = second[1] + first[1], 0, 0
    if rule == "ties_by_name":
        concordant, discordant, tied = concordant + second[1], discordant + first[1], 0
    if rule == "acc_eq":
        tied_by_judge, tied_by_both = neither[0] + neither[2], neither[1]
    else:
        epsilon = float("nan")
    n_counted = counts @ RULES[rule].counts
    accuracy = float(counts @ RULES[rule].credit / n_counted) if n_counted else float("nan")
    return PairAgreement(
        int(n_counted),
        concordant,
        discordant,
        tied,
        tied_by_judge,
        tied_by_both,
        accuracy,
        2 * accuracy - 1,
        epsilon,
    )


def tuned_epsilon(preference: ArrayLike, difference: ArrayLike) -> float:
    """Return the smallest epsilon with the highest accuracy of `acc_eq`; NaN without pairs.

    Only zero and the absolute differences need to be tried.
    """
    order, gap = np.asarray(preference, np.int64), np.asarray(difference, np.float64)
    if not gap.size:
        return float("nan")
    size = np.abs(gap)
    # The order of equal differences does not matter.
    by_size = np.argsort(size)
    gained = (order == 0).astype(np.int64) - (order * np.sign(gap) > 0)
    correct = np.cumsum(gained[by_size])
    sizes = size[by_size]
    # A threshold ties all equal differences, so only the last of them is a candidate.
    last = np.append(sizes[1:] > sizes[:-1], True)
    thresholds = np.concatenate([[0.0], sizes[last]])
    changes = np.concatenate([[gained[size == 0].sum()], correct[last]])
    return float(thresholds[np.argmax(changes)])
