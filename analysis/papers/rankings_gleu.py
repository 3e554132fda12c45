"""GLEU against human scores as the scripts behind SEEDA's and GJG15's numbers compute it.

They sample one reference per sentence as Python 3 does, print six digits, and count the tokens of
outputs between single spaces.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, spearmanr

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.gleu import STATISTICS, GleuScore, Penalty

_HYPOTHESIS_LENGTH = STATISTICS.index("hypothesis_length")
_DIGITS = 6


def token_counts(lines: Sequence[str]) -> FloatArray:
    """Return the number of tokens, including empty ones, between single spaces.

    Lines of ranked systems have an additional empty token at their start. No n-gram of source or
    references has it, so only the lengths change.
    """
    return np.array([len(line.rstrip().split(" ")) for line in lines], dtype=np.float64)


def printed_gleu(
    statistics: FloatArray, lengths: FloatArray, kept: NDArray[np.bool_], penalty: Penalty
) -> FloatArray:
    """Return the corpus scores of systems as printed.

    Args:
        statistics: of GLEU, shape (systems, sentences, references, statistics).
        lengths: of the outputs in tokens, shape (systems, sentences).
        kept: which sentences are scored.
        penalty: of n-grams left uncorrected.

    """
    of_systems = statistics.copy()
    of_systems[..., _HYPOTHESIS_LENGTH] = lengths[..., np.newaxis]
    return np.round(GleuScore(penalty).corpus_score(of_systems[:, kept], "py3"), _DIGITS)


def correlations(human: Mapping[str, float], scores: Mapping[str, float]) -> dict[str, float]:
    """Return r and rho over the systems of `human`, nothing for fewer than two."""
    if len(human) < 2:
        return {}
    x, y = np.array([(human[name], scores[name]) for name in sorted(human)]).T
    return {"r": float(pearsonr(x, y).statistic), "rho": float(spearmanr(x, y).statistic)}
