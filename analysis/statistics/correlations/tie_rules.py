"""Agreement of a metric with human preferences sentence by sentence, under one rule for ties each.

A pair is two outputs of one sentence that a judge compared. C pairs are ordered by the metric as
by the judge, D against the judge; the metric gives equal scores to T pairs that the judge decided.
The rules differ in what they make of ties:

- `ties_wrong`: a tie of the metric is an error, accuracy = C / (C + D + T). Callison-Burch, Koehn,
  Monz et al. (2012), "Findings of the 2012 Workshop on Statistical Machine Translation".
- `ties_half`: a tie is half right, accuracy = (C + T / 2) / (C + D + T). Macháček and Bojar (2014),
  "Results of the WMT14 metrics shared task", where a tie adds 0 to Kendall's numerator.
- `ties_by_name`: of two equal scores the earlier name loses, so that T is empty. The scripts of
  Kobayashi, Mita and Komachi (2024), "Revisiting meta-evaluation for grammatical error correction"
  (SEEDA).
- `acc_eq`: pairs that the judge tied count, and the metric ties where its scores differ by at most
  epsilon, accuracy = (C + T_both) / all. Deutsch, Foster and Freitag (2023), "Ties matter:
  meta-evaluating modern metrics with pairwise accuracy and tie calibration", arXiv 2305.14324.
  Epsilon is the value that makes the accuracy over all pairs largest.

The first three leave out pairs that the judge tied. Kendall's tau of each rule is 2 accuracy - 1,
because a pair adds 1 where accuracy adds 1, 0 for 1/2 and -1 for 0; for `acc_eq` it is tau_23,
(C + T_both - D - T_judge - T_metric) / all.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers


class PairAgreement(NamedTuple):
    """How a metric's order of pairs agrees with the judges'.

    `n_pairs` is what accuracy divides by: n_concordant + n_discordant + n_tied, for `acc_eq` also
    + n_tied_by_judge + n_tied_by_both. `n_tied` counts pairs that the metric alone ties. `epsilon`
    is NaN for rules without one. Accuracy and Kendall's tau are NaN without pairs.
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
    """How far a pair of each outcome is right, and whether it counts: shape (OUTCOMES,)."""

    credit: Floats
    counts: Floats


# Whom the judge prefers, the second output, neither or the first; for each, whom the metric does.
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
    """Return each pair's outcome: 3 times the judge's, from 0 for the second, and the metric's.

    Args:
        preference: as for `ties_wrong`, and likewise `difference` and the errors.
        difference: the first output's score minus the second's.
        epsilon: the largest difference that is a tie.

    """
    order, gap = _checked(preference, difference)
    found: Integers = 3 * order + 4 + (gap > epsilon) - (gap < -epsilon)
    return found


def outcomes_by_unit(unit: Integers, outcome: Integers, n_units: int) -> Integers:
    """Return how many pairs of each sentence, or item, have each outcome: (n_units, OUTCOMES)."""
    cells = np.bincount(unit * OUTCOMES + outcome, minlength=n_units * OUTCOMES)
    return cells.reshape(n_units, OUTCOMES)


def agreement_of_outcomes(rule: str, n_pairs: ArrayLike, epsilon: float = 0.0) -> PairAgreement:
    """Return the agreement by a rule of RULES.

    Args:
        rule: its name.
        n_pairs: of each outcome, shape (OUTCOMES,).
        epsilon: with which `acc_eq`'s were found; other rules have none.

    """
    found = np.asarray(n_pairs, np.int64)
    of_second, of_neither, of_first = found.reshape(3, 3).tolist()
    concordant, discordant = of_second[0] + of_first[2], of_second[2] + of_first[0]
    tied, tied_by_judge, tied_by_both = of_second[1] + of_first[1], 0, 0
    if rule == "ties_by_name":
        concordant, discordant, tied = concordant + of_second[1], discordant + of_first[1], 0
    if rule == "acc_eq":
        tied_by_judge, tied_by_both = of_neither[0] + of_neither[2], of_neither[1]
    else:
        epsilon = float("nan")
    counted = found @ RULES[rule].counts
    accuracy = float(found @ RULES[rule].credit / counted) if counted else float("nan")
    return PairAgreement(
        int(counted),
        concordant,
        discordant,
        tied,
        tied_by_judge,
        tied_by_both,
        accuracy,
        2 * accuracy - 1,
        epsilon,
    )


def ties_wrong(preference: ArrayLike, difference: ArrayLike) -> PairAgreement:
    """Return the agreement over decided pairs, a tie of the metric being an error.

    Args:
        preference: 1 where the judge prefers the pair's first output, -1 the second, 0 neither.
        difference: the first output's score minus the second's, higher scores being better.

    Raises:
        ValueError: the vectors differ in length, a preference is not -1, 0 or 1, or a difference
            is NaN.

    """
    return _agreement("ties_wrong", preference, difference)


def ties_half(preference: ArrayLike, difference: ArrayLike) -> PairAgreement:
    """Return the agreement over decided pairs, a tie of the metric being half right.

    Arguments and errors as for `ties_wrong`.
    """
    return _agreement("ties_half", preference, difference)


def ties_by_name(preference: ArrayLike, difference: ArrayLike) -> PairAgreement:
    """Return the agreement over decided pairs, the first output losing every tie of the metric.

    Arguments and errors as for `ties_wrong`; the first output of each pair has to be that of the
    earlier name (by code points, as Python sorts), as in SEEDA's scripts for metrics whose higher
    score is better.
    """
    return _agreement("ties_by_name", preference, difference)


def acc_eq(
    preference: ArrayLike, difference: ArrayLike, epsilon: float | None = None
) -> PairAgreement:
    """Return the agreement over all pairs, the judge's ties included.

    Args:
        preference: as for `ties_wrong`, and likewise `difference` and the errors.
        difference: the first output's score minus the second's.
        epsilon: the largest difference that is a tie; by default the one of `tuned_epsilon`.

    """
    threshold = tuned_epsilon(preference, difference) if epsilon is None else epsilon
    n_pairs = np.bincount(outcomes(preference, difference, threshold), minlength=OUTCOMES)
    return agreement_of_outcomes("acc_eq", n_pairs, threshold)


def tuned_epsilon(preference: ArrayLike, difference: ArrayLike) -> float:
    """Return the smallest epsilon with the largest accuracy of `acc_eq`; NaN without pairs.

    Zero and the absolute differences are all that can matter: sorting them gives, in O(n log n),
    what every one turns from concordant into a tie and from a tie of the judge alone into one of
    both. Arguments and errors as for `ties_wrong`.
    """
    order, gap = _checked(preference, difference)
    if not gap.size:
        return float("nan")
    size = np.abs(gap)
    # In whatever order equal ones stand.
    by_size = np.argsort(size)
    gained = (order == 0).astype(np.int64) - (order * np.sign(gap) > 0)
    correct = np.cumsum(gained[by_size])
    sizes = size[by_size]
    # A threshold makes ties of all equal differences: only the last of them is one.
    last = np.append(sizes[1:] > sizes[:-1], True)
    thresholds = np.concatenate([[0.0], sizes[last]])
    changes = np.concatenate([[gained[size == 0].sum()], correct[last]])
    return float(thresholds[np.argmax(changes)])


TIE_RULES: Mapping[str, Callable[[ArrayLike, ArrayLike], PairAgreement]] = MappingProxyType(
    {
        "ties_wrong": ties_wrong,
        "ties_by_name": ties_by_name,
        "ties_half": ties_half,
        "acc_eq": acc_eq,
    }
)


def _checked(preference: ArrayLike, difference: ArrayLike) -> tuple[Integers, Floats]:
    order = np.asarray(preference, dtype=np.int64)
    gap = np.asarray(difference, dtype=np.float64)
    if order.shape != gap.shape or order.ndim != 1:
        raise ValueError(
            f"expected two vectors of one length, found shapes {order.shape} and {gap.shape}"
        )
    if (np.abs(order) > 1).any():
        raise ValueError(f"expected preferences -1, 0 and 1, found {order[np.abs(order) > 1][0]}")
    if np.isnan(gap).any():
        raise ValueError(
            f"expected a difference of scores for every pair, found NaN in pair "
            f"{int(np.isnan(gap).argmax())}"
        )
    return order, gap


def _agreement(rule: str, preference: ArrayLike, difference: ArrayLike) -> PairAgreement:
    n_pairs = np.bincount(outcomes(preference, difference), minlength=OUTCOMES)
    return agreement_of_outcomes(rule, n_pairs)
