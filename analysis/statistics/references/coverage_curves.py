"""Coverage by number of references, of a sentence and of a corpus, with intervals."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import norm

from maege.analysis.statistics.references.reference_coverage import expected_coverage
from maege.analysis.statistics.references.richness import rarefied_coverage
from maege.analysis.statistics.references.unseen import Distribution

Array = NDArray[np.float64]


class Curve(NamedTuple):
    """Coverage of 1, 2 ... references, and the standard error of each."""

    shares: Array
    errors: Array

    def sure_to(self, n_references: int) -> "Curve":
        """Return it with the errors of so many references, and none beyond."""
        known = np.arange(1, len(self.shares) + 1) <= n_references
        return Curve(self.shares, np.where(known, self.errors, np.nan))

    def interval(self, level: float) -> tuple[Array, Array]:
        """Return lower and upper bounds of the coverage, NaN where it is 0 or 1 or has no error.

        They are symmetric on the scale of log odds, to which the error is carried over by its
        derivative 1 / (p (1 - p)): a share near 0 or 1 errs more to the side of the middle.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.log(self.shares / (1 - self.shares))
            reach = float(norm.ppf((1 + level) / 2)) * self.errors
            reach = reach / (self.shares * (1 - self.shares))
            return expit(odds - reach), expit(odds + reach)


def unseen_curve(found: Sequence[Distribution], most_references: int) -> Curve:
    """Return the curve of an estimate; its errors are the spread of the redraws that follow it.

    Without redraws they are NaN.
    """
    wanted = np.arange(1, most_references + 1)
    curves = np.stack([expected_coverage(distribution, wanted) for distribution in found])
    return Curve(curves[0], _spread(curves[1:]))


def good_turing_curve(
    histogram: Sequence[int], redrawn: Sequence[Sequence[int]], most_references: int
) -> Curve:
    """Return the curve of a histogram; its errors are the spread over redrawn histograms."""
    curves = np.stack([rarefied_coverage(h, most_references) for h in (histogram, *redrawn)])
    return Curve(curves[0], _spread(curves[1:]))


def corpus_curve(curves: Sequence[Curve]) -> Curve:
    """Return the mean over sentences; its error is that of a mean over other such sentences.

    What the sentences differ by holds the error of each estimate, too. With a single sentence only
    the latter is known. Where a sentence has none, nor has the mean.
    """
    shares = np.stack([curve.shares for curve in curves])
    within = np.sqrt((np.stack([curve.errors for curve in curves]) ** 2).sum(axis=0))
    between = shares.std(axis=0, ddof=1) * np.sqrt(len(shares)) if len(shares) > 1 else within
    return Curve(shares.mean(axis=0), np.maximum(between, within) / len(shares))


def _spread(curves: Array) -> Array:
    if len(curves) < 2:
        return np.full(curves.shape[1], np.nan)
    return np.asarray(curves.std(axis=0, ddof=1))
