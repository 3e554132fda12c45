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

from analysis.statistics.judged_pairs import Floats, Integers


class PairAgreement(NamedTuple):
    """How a metric's order of pairs agrees with the judges'.

    `n_pairs` is what accuracy divides by: concordant + discordant + tied, for `acc_eq` also
    + tied_by_judge + tied_by_both. `tied` counts pairs that the metric alone ties. `epsilon` is
    NaN for rules without one. Accuracy and Kendall's tau are NaN without pairs.
    """

    n_pairs: int
    concordant: int
    discordant: int
    tied: int
    tied_by_judge: int
    tied_by_both: int
    accuracy: float
    kendall: float
    epsilon: float


def ties_wrong(preference: ArrayLike, difference: ArrayLike) -> PairAgreement:
    """Return the agreement over decided pairs, a tie of the metric being an error.

    Args:
        preference: 1 where the judge prefers the pair's first output, -1 the second, 0 neither.
        difference: the first output's score minus the second's, higher scores being better.

    Raises:
        ValueError: the vectors differ in length, a preference is not -1, 0 or 1, or a difference
            is NaN.

    """
    concordant, discordant, tied = _decided(*_checked(preference, difference))
    return _agreement(concordant, discordant, tied, credit=concordant)


def ties_half(preference: ArrayLike, difference: ArrayLike) -> PairAgreement:
    """Return the agreement over decided pairs, a tie of the metric being half right.

    Arguments and errors as for `ties_wrong`.
    """
    concordant, discordant, tied = _decided(*_checked(preference, difference))
    return _agreement(concordant, discordant, tied, credit=concordant + tied / 2)


def ties_by_name(preference: ArrayLike, difference: ArrayLike) -> PairAgreement:
    """Return the agreement over decided pairs, the first output losing every tie of the metric.

    Arguments and errors as for `ties_wrong`; the first output of each pair has to be that of the
    earlier name (by code points, as Python sorts), as in SEEDA's scripts for metrics whose higher
    score is better.
    """
    order, gap = _checked(preference, difference)
    concordant, discordant, tied = _decided(order, np.where(gap > 0, 1.0, -1.0))
    return _agreement(concordant, discordant, tied, credit=concordant)


def acc_eq(
    preference: ArrayLike, difference: ArrayLike, epsilon: float | None = None
) -> PairAgreement:
    """Return the agreement over all pairs, the judge's ties included.

    Args:
        preference: as for `ties_wrong`, and likewise `difference` and the errors.
        difference: the first output's score minus the second's.
        epsilon: the largest difference that is a tie; by default the one of `tuned_epsilon`.

    """
    order, gap = _checked(preference, difference)
    threshold = tuned_epsilon(order, gap) if epsilon is None else epsilon
    rounded = np.where(np.abs(gap) <= threshold, 0.0, gap)
    concordant, discordant, tied = _decided(order, rounded)
    tied_by_both = int(((order == 0) & (rounded == 0)).sum())
    tied_by_judge = int((order == 0).sum()) - tied_by_both
    return _agreement(
        concordant,
        discordant,
        tied,
        credit=concordant + tied_by_both,
        tied_by_judge=tied_by_judge,
        tied_by_both=tied_by_both,
        epsilon=threshold,
    )


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
    by_size = np.argsort(size, kind="stable")
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


def _decided(order: Integers, gap: Floats) -> tuple[int, int, int]:
    agreement = order * np.sign(gap)
    concordant, discordant = int((agreement > 0).sum()), int((agreement < 0).sum())
    return concordant, discordant, int(((order != 0) & (gap == 0)).sum())


def _agreement(
    concordant: int,
    discordant: int,
    tied: int,
    *,
    credit: float,
    tied_by_judge: int = 0,
    tied_by_both: int = 0,
    epsilon: float = float("nan"),
) -> PairAgreement:
    n_pairs = concordant + discordant + tied + tied_by_judge + tied_by_both
    accuracy = credit / n_pairs if n_pairs else float("nan")
    return PairAgreement(
        n_pairs,
        concordant,
        discordant,
        tied,
        tied_by_judge,
        tied_by_both,
        accuracy,
        2 * accuracy - 1,
        epsilon,
    )
