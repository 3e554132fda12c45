"""Permutation tests of metrics: PERM-BOTH, and the p-values of soft pairwise accuracy.

PERM-BOTH: Deutsch, Dror and Roth (2021), "A statistical analysis of summarization evaluation
metrics using resampling methods", arXiv 2104.00054. If two metrics were equally good, it would not
matter which of them scored an output: the scores of both, standardised to mean 0 and variance 1,
are swapped at random for every system AND sentence, and the p-value is the share of swaps after
which the correlations with human scores differ by at least as much as in truth.

Soft pairwise accuracy (SPA): Thompson, Mathur, Deutsch and Khayrallah (2024), "Improving
statistical significance in human evaluation of automatic metrics via soft pairwise accuracy",
arXiv 2409.09598:

    SPA = 1 - mean over pairs of systems of |p_human - p_metric|

with one-sided p-values of "the first system is better" from paired permutation tests: each
sentence's difference changes its sign at random, 1,000 times, with the same signs for all pairs.
Where a permuted sum equals the observed one the paper counts it whole, which makes a constant
metric certain that the second system is better; here it counts half (the mid-p-value, Lancaster
1961), so that such a metric has p = .5 and SPA does not depend on the order of the systems.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.bootstrap import resampled_sums
from maege.analysis.statistics.correlation_bootstrap import COEFFICIENTS, average_ranks
from maege.analysis.statistics.judged_pairs import Floats

PUBLISHED_PERMUTATIONS = 1000

# Equal correlations computed in another order differ in the last bits.
_ROUNDING = 1e-12


class MetricComparisons(NamedTuple):
    """`correlation` of each metric, shape (k,); p-values of shape (k, k).

    `p_better[i, j]` is one-sided: metric i correlates better than j. NaN where a correlation is.
    """

    correlation: Floats
    p_better: Floats
    p_two_sided: Floats


class Swaps(NamedTuple):
    """Sums of standardised sentence scores of each metric and system, and parts of them.

    `totals` has shape (k, systems), `given` the sums over the sentences that a permutation swaps:
    (k, systems, permutations).
    """

    totals: Floats
    given: Floats


def perm_both(
    scores: ArrayLike,
    human: ArrayLike,
    seed: int,
    coefficient: str = "pearson",
    n_permutations: int = PUBLISHED_PERMUTATIONS,
) -> MetricComparisons:
    """Return which metrics correlate better than which, by swaps of systems and sentences.

    A system's score is the mean of its sentences'; metrics that are no means are tested on them.
    All pairs of metrics share their swaps. The true arrangement counts as one of the permuted
    ones, so that no p-value is 0 (Phipson and Smyth 2010).

    Args:
        scores: sentence scores of shape (k, n_systems, n_sentences), finite.
        human: the systems' human scores, shape (n_systems,).
        seed: of the swaps.
        coefficient: `pearson` or `spearman`.
        n_permutations: how many swaps.

    Raises:
        ValueError: the shapes do not fit, a score is not finite, or the coefficient has another
            name.

    """
    return swap_comparisons(random_swaps(scores, seed, n_permutations), human, coefficient)


def random_swaps(
    scores: ArrayLike, seed: int, n_permutations: int = PUBLISHED_PERMUTATIONS
) -> Swaps:
    """Return what PERM-BOTH needs of sentence scores, whatever the human scores.

    Arguments and errors as for `perm_both`.
    """
    values = np.asarray(scores, np.float64)
    if values.ndim != 3:
        raise ValueError(
            f"expected scores of shape (metrics, systems, sentences), found shape {values.shape}"
        )
    if not np.isfinite(values).all():
        raise ValueError("expected a finite score of every metric for every output, found others")
    n_metrics, n_systems, n_sentences = values.shape
    standard = _standardised(values)
    generator = np.random.Generator(np.random.PCG64(seed))
    given = np.empty((n_metrics, n_systems, n_permutations))
    for system in range(n_systems):
        swapped = generator.integers(0, 2, size=(n_permutations, n_sentences)).astype(np.float64)
        given[:, system] = resampled_sums(standard[:, system].T, swapped).T
    return Swaps(_rounded(standard.sum(axis=2)), given)


def swap_comparisons(
    swaps: Swaps, human: ArrayLike, coefficient: str = "pearson"
) -> MetricComparisons:
    """Return what `perm_both` returns, from the swaps of `random_swaps`.

    Raises:
        ValueError: the shapes do not fit, or the coefficient has another name.

    """
    totals, given = swaps
    gold = np.asarray(human, np.float64)
    if totals.shape[1:] != gold.shape:
        raise ValueError(
            f"expected scores of shape (metrics, systems, sentences) and a human score for each "
            f"system, found {totals.shape[1]} systems and human scores of shape {gold.shape}"
        )
    if coefficient not in COEFFICIENTS:
        raise ValueError(f"expected one of {', '.join(COEFFICIENTS)}, found {coefficient}")
    n_metrics, _, n_permutations = given.shape
    correlation = COEFFICIENTS[coefficient](totals, gold)
    p_better, p_two_sided = np.full((2, n_metrics, n_metrics), np.nan)
    for first, second in combinations(range(n_metrics), 2):
        observed = correlation[first] - correlation[second]
        if np.isnan(observed):
            continue
        taken = given[second] - given[first]
        upper, lower = (
            _correlations(_rounded(moved), gold, coefficient)
            for moved in (
                totals[first, :, np.newaxis] + taken,
                totals[second, :, np.newaxis] - taken,
            )
        )
        difference = upper - lower
        for p, place, permuted, true in (
            (p_better, (first, second), difference, observed),
            (p_better, (second, first), -difference, -observed),
            (p_two_sided, (first, second), np.abs(difference), np.abs(observed)),
        ):
            reached = np.count_nonzero(permuted >= true - _ROUNDING)
            p[place] = (reached + 1) / (n_permutations + 1)
    return MetricComparisons(correlation, p_better, _mirrored(p_two_sided))


def random_signs(n_permutations: int, n_sentences: int, seed: int) -> Floats:
    """Return signs of shape (n_permutations, n_sentences), 1 or -1 with equal probability."""
    generator = np.random.Generator(np.random.PCG64(seed))
    heads = generator.integers(0, 2, size=(n_permutations, n_sentences)).astype(np.float64)
    return 2 * heads - 1


def paired_permutation_p(differences: ArrayLike, signs: Floats) -> Floats:
    """Return the one-sided mid-p-value of a positive sum of each column: shape (k,).

    The share of permuted sums above the observed one, plus half the share of equal ones.

    Args:
        differences: by sentence, shape (n_sentences, k): the first system's score minus the
            second's, or the judgments it won minus those it lost; 0 where there is none.
        signs: what `random_signs` returned for as many sentences.

    Raises:
        ValueError: the shapes do not fit, or a difference is not finite.

    """
    columns = np.asarray(differences, dtype=np.float64)
    if columns.ndim != 2 or len(columns) != signs.shape[1] or not np.isfinite(columns).all():
        raise ValueError(
            f"expected finite differences of shape ({signs.shape[1]}, pairs), found shape "
            f"{columns.shape}"
        )
    everything = resampled_sums(columns, np.vstack([np.ones(len(columns)), signs]))
    observed, permuted = everything[0], everything[1:]
    p: Floats = (permuted > observed).mean(axis=0) + (permuted == observed).mean(axis=0) / 2
    return p


def system_pair_differences(scores: ArrayLike) -> Floats:
    """Return first minus second of every pair of systems: shape (n_sentences, n (n - 1) / 2).

    The pairs are in the order of `numpy.triu_indices(n, 1)`.

    Args:
        scores: of shape (n_systems, n_sentences).

    """
    values = np.asarray(scores, dtype=np.float64)
    first, second = np.triu_indices(len(values), k=1)
    return np.ascontiguousarray((values[first] - values[second]).T)


def judged_pair_differences(wins: ArrayLike) -> Floats:
    """Return judgments won minus lost of every pair: shape (n_sentences, n (n - 1) / 2).

    Args:
        wins: by sentence, shape (n_sentences, n, n), as of `sentence_counts`.

    """
    won = np.asarray(wins, dtype=np.float64)
    first, second = np.triu_indices(won.shape[-1], k=1)
    difference: Floats = won[:, first, second] - won[:, second, first]
    return difference


def soft_pairwise_accuracy(p_human: ArrayLike, p_metric: ArrayLike) -> Floats:
    """Return 1 - mean |p_human - p_metric| over pairs of systems: shape (...), in [0, 1].

    Args:
        p_human: shape (pairs,), from `paired_permutation_p`.
        p_metric: shape (..., pairs).

    """
    accuracy: Floats = 1 - np.abs(np.asarray(p_metric) - np.asarray(p_human)).mean(axis=-1)
    return accuracy


def _correlations(columns: Floats, gold: Floats, coefficient: str) -> Floats:
    """Return the correlation of each column with `gold`: from (n, m) to (m,).

    Sums over systems add whole rows, which for a dozen of them takes a tenth of the time of as many
    sums of a dozen. The last bits may differ from COEFFICIENTS': _ROUNDING is far above them.
    """
    if coefficient == "spearman":
        columns, gold = average_ranks(columns), average_ranks(gold)
    x, y = columns - columns.mean(axis=0), gold - gold.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        # No product of matrices: one so small costs less than the threads that it starts.
        products = (x * y[:, np.newaxis]).sum(axis=0)
        norms = np.sqrt((x * x).sum(axis=0) * (y * y).sum())
        found: Floats = np.clip(products / norms, -1.0, 1.0)
    # A constant has deviations of rounding noise.
    found[columns.max(axis=0) == columns.min(axis=0)] = np.nan
    return found


def _standardised(values: Floats) -> Floats:
    centred = values - values.mean(axis=(1, 2), keepdims=True)
    # A constant such as 0.1 has deviations of rounding noise, which must not be blown up.
    varies = values.max(axis=(1, 2), keepdims=True) > values.min(axis=(1, 2), keepdims=True)
    deviation = values.std(axis=(1, 2), keepdims=True)
    scores: Floats = np.divide(centred, deviation, out=np.zeros_like(centred), where=varies)
    return scores


def _rounded(sums: Floats) -> Floats:
    """Return sums of standardised scores to 9 digits, so that equal systems have equal ranks."""
    return np.round(sums, 9)


def _mirrored(upper: Floats) -> Floats:
    """Return the matrix with what stands above its diagonal below it as well."""
    both: Floats = np.where(np.isnan(upper), upper.T, upper)
    return both
