"""F: the weighted harmonic mean of precision and recall (van Rijsbergen 1979).

    F = (1 + beta^2) P R / (beta^2 P + R)    P = tp / proposed    R = tp / gold

P is 1 if nothing is proposed, R is 1 if there is nothing to find. Each function takes arrays or
SQL.
"""

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.formula import Number, is_equal, where

# Both branches are computed for all elements, so divisions by 0 occur in unused ones.
QUIET = np.errstate(divide="ignore", invalid="ignore")


@QUIET
def share(part: Number, whole: Number) -> Number:
    """Return the quotient, or 1 if the denominator is 0."""
    return where(whole > 0, part / whole, 1)


@QUIET
def f_of_shares(precision: Number, recall: Number, beta: float) -> Number:
    """Return F, 0 if precision and recall are 0."""
    weighted = beta**2 * precision + recall
    return where(weighted > 0, (1 + beta**2) * precision * recall / weighted, 0)


@QUIET
def f_of_counts(tp: Number, proposed: Number, gold: Number, beta: float) -> Number:
    """Return F as (1 + beta^2) tp / (proposed + beta^2 gold), 1 without proposed and gold edits.

    F exceeds 1 if duplicated gold edits count twice.
    """
    weighted = proposed + beta**2 * gold
    return where(is_equal(weighted, 0), 1, (1 + beta**2) * tp / weighted)


def shares_of_sums(sums: FloatArray, beta: float) -> dict[str, FloatArray]:
    """Return tp, fp, fn, p, r and f of summed tp, proposed and gold on the last axis."""
    tp, proposed, gold = np.moveaxis(sums, -1, 0)
    p, r = share(tp, proposed), share(tp, gold)
    return {
        "tp": tp,
        "fp": proposed - tp,
        "fn": gold - tp,
        "p": p,
        "r": r,
        "f": f_of_shares(p, r, beta),
    }


def f_of_sums(sums: FloatArray, beta: float) -> FloatArray:
    """Return F from summed tp, proposed and gold on the last axis, by precision and recall."""
    return shares_of_sums(sums, beta)["f"]
