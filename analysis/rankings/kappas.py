"""How far the judges of one judgment set agree, with each other and with themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.judge_agreement import judge_agreement, overall_agreement


def kappa_rows(
    judge: Sequence[str], output_pair: Sequence[str], preference: ArrayLike
) -> list[tuple[Any, ...]]:
    """Return kind, two judges, judgments compared, P(A), P(E) and kappa; none without any compared.

    One judge twice is agreement with oneself; the rows of all judges together name none, and have
    NaN for P(A) and P(E).

    Args:
        judge: who judged, for each judgment.
        output_pair: what names the two outputs.
        preference: 1, 0 or -1.

    """
    judges, judge_places = np.unique(judge, return_inverse=True)
    _, unit = np.unique(output_pair, return_inverse=True)
    agreement = judge_agreement(judge_places, unit, preference)
    total = overall_agreement(agreement)
    rows = [
        ("intra" if first == second else "inter", judges[first], judges[second], *numbers)
        for first, second, *numbers in zip(*(c.tolist() for c in agreement), strict=True)
    ]
    rows += [
        ("inter", None, None, total.n_inter, np.nan, np.nan, total.inter),
        ("intra", None, None, total.n_intra, np.nan, np.nan, total.intra),
    ]
    return [row for row in rows if row[3]]
