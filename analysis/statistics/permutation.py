"""Permutation tests of metrics: PERM-BOTH, and the p-values of soft pairwise accuracy.

PERM-BOTH: Deutsch, Dror and Roth (2021), "A statistical analysis of summarization evaluation
metrics using resampling methods", arXiv 2104.00054. If two metrics were equally good, it would not
matter which of them scored a system. The scores of both, standardised over the systems to mean 0
and variance 1, are therefore swapped at random for every system, in samples of sentences. The paper
swaps sentence scores. Here corpus scores are swapped, computed from statistics summed over the
sentences of each sample, because most metrics' corpus scores are not means of sentence scores. The
p-value is two-sided: the share of swaps after which the correlations with the human scores,
resampled as well, differ by at least the observed difference.

Soft pairwise accuracy (SPA): Thompson, Mathur, Deutsch and Khayrallah (2024), "Improving
statistical significance in human evaluation of automatic metrics via soft pairwise accuracy", arXiv
2409.09598:

    SPA = 1 - mean over pairs of systems of |p_human - p_metric|

with one-sided p-values of "the first system is better" from paired permutation tests: each
sentence's difference changes its sign at random, 1,000 times, with the same signs for all pairs.
The paper counts a permuted sum that equals the observed one in full, so a constant metric would be
certain that the second system is better. Here it counts half (the mid-p-value, Lancaster 1961).
Such a metric then has p = .5, and SPA does not depend on the order of the systems.
"""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.correlations import pearson_of_rows
from maege.analysis.statistics.resampling import Floats, resampled_sums

# Equal correlations computed in another order differ in the last bits.
_ROUNDING = 1e-9
# Number of samples of sentences that are swapped at a time.
_SAMPLES_AT_ONCE = 50


def perm_both(
    scores: ArrayLike,
    samples: ArrayLike,
    human: ArrayLike,
    human_samples: ArrayLike,
    seed: int,
    n_resamples: int,
) -> Floats:
    """Return two-sided p-values of equal correlations for all pairs of metrics.

    One per pair of rows, in the order of `itertools.combinations`, shape (k (k - 1) / 2,). NaN if a
    correlation is NaN. All pairs share the same swaps. Every sample of sentences has the same
    number of swaps, so there may be slightly more than `n_resamples`. The true arrangement counts
    as one of them (Phipson and Smyth 2010), so no p-value is 0.

    Args:
        scores: corpus scores of the systems by each metric, shape (k, n).
        samples: corpus scores on samples of sentences, shape (k, n_samples, n).
        human: the systems' human scores, shape (n,).
        human_samples: human scores on the same samples, shape (n_samples, n).
        seed: seed for the swaps.
        n_resamples: number of swaps.
    """
    values, drawn = np.asarray(scores, np.float64), np.asarray(samples, np.float64)
    gold, gold_drawn = np.asarray(human, np.float64), np.asarray(human_samples, np.float64)
    r = pearson_of_rows(values, gold)
    pairs = np.array(list(combinations(range(len(values)), 2)), np.int64).reshape(-1, 2)
    observed = np.abs(r[pairs[:, 0]] - r[pairs[:, 1]])
    generator = np.random.Generator(np.random.PCG64(seed))
    n_samples = len(gold_drawn)
    swaps = -(-n_resamples // n_samples)
    reached, counted = np.zeros((2, len(pairs)))
    for start in range(0, n_samples, _SAMPLES_AT_ONCE):
        block = slice(start, start + _SAMPLES_AT_ONCE)
        block_scores = _standardised(np.moveaxis(drawn[:, block], 0, -1), axis=1)
        block_human = _standardised(gold_drawn[block], axis=1)[..., np.newaxis]
        is_swapped = generator.integers(
            0, 2, size=(len(block_human), swaps, gold.size), dtype=np.int8
        ).astype(np.float64)
        difference = np.abs(_swapped_differences(block_scores, block_human, pairs, is_swapped))
        # A sample with a missing score, or with equal scores of all systems, has no correlation.
        with np.errstate(invalid="ignore"):
            reached += (difference >= observed - _ROUNDING).sum(axis=(0, 1))
        counted += (~np.isnan(difference)).sum(axis=(0, 1))
    has_test = ~np.isnan(observed) & (counted > 0)
    p: Floats = np.where(has_test, (reached + 1) / (counted + 1), np.nan)
    return p


def random_signs(n_permutations: int, n_sentences: int, seed: int) -> Floats:
    """Return signs of shape (n_permutations, n_sentences), 1 or -1 with equal probability."""
    generator = np.random.Generator(np.random.PCG64(seed))
    heads = generator.integers(0, 2, size=(n_permutations, n_sentences)).astype(np.float64)
    return 2 * heads - 1


def paired_permutation_p(differences: ArrayLike, signs: Floats) -> Floats:
    """Return the one-sided mid-p-value of a positive sum of each column, shape (k,).

    It is the share of permuted sums above the observed one, plus half the share of equal ones.

    Args:
        differences: by sentence, shape (n_sentences, k): the first system's score minus the
            second's, or judgments won minus judgments lost; 0 if there are none.
        signs: the result of `random_signs` for these sentences.
    """
    columns = np.asarray(differences, dtype=np.float64)
    everything = resampled_sums(columns, np.vstack([np.ones(len(columns)), signs]))
    observed, permuted = everything[0], everything[1:]
    p: Floats = (permuted > observed).mean(axis=0) + (permuted == observed).mean(axis=0) / 2
    return p


def system_pair_differences(scores: ArrayLike) -> Floats:
    """Return first minus second of every pair of systems, shape (n_sentences, n (n - 1) / 2).

    The pairs are in the order of `numpy.triu_indices(n, 1)`.

    Args:
        scores: shape (n_systems, n_sentences).
    """
    values = np.asarray(scores, dtype=np.float64)
    first, second = np.triu_indices(len(values), k=1)
    return np.ascontiguousarray((values[first] - values[second]).T)


def judged_pair_differences(wins: ArrayLike) -> Floats:
    """Return judgments won minus lost of every pair, shape (n_sentences, n (n - 1) / 2).

    Args:
        wins: wins by sentence, shape (n_sentences, n, n), from `sentence_counts`.
    """
    won = np.asarray(wins, dtype=np.float64)
    first, second = np.triu_indices(won.shape[-1], k=1)
    difference: Floats = won[:, first, second] - won[:, second, first]
    return difference


def soft_pairwise_accuracy(p_human: ArrayLike, p_metric: ArrayLike) -> Floats:
    """Return 1 - mean |p_human - p_metric| over pairs of systems, shape (...), in [0, 1].

    Args:
        p_human: shape (pairs,), from `paired_permutation_p`.
        p_metric: shape (..., pairs).
    """
    accuracy: Floats = 1 - np.abs(np.asarray(p_metric) - np.asarray(p_human)).mean(axis=-1)
    return accuracy


def _swapped_differences(
    scores: Floats, human: Floats, pairs: ArrayLike, is_swapped: Floats
) -> Floats:
    """Return the difference of the correlations of each pair after each swap of systems.

    Shape (samples, swaps, pairs). A swapped sum is the first metric's sum plus the second metric's
    excess over the swapped systems, so matrix products compute all pairs at once.

    Args:
        scores: standardised, shape (samples, systems, metrics).
        human: standardised, shape (samples, systems, 1).
        pairs: positions of two metrics, shape (pairs, 2).
        is_swapped: 1 for swapped systems, else 0, shape (samples, swaps, systems).
    """
    first, second = (scores[..., places] for places in np.asarray(pairs).T)
    more, squares = second - first, second**2 - first**2
    moved, moved_squares, moved_products = (
        is_swapped @ part for part in (more, squares, more * human)
    )
    n_systems = scores.shape[1]
    correlations = []
    for scores_of_one, sign in ((first, 1.0), (second, -1.0)):
        products = (scores_of_one * human).sum(axis=1, keepdims=True) + sign * moved_products
        spread = n_systems + sign * moved_squares - moved**2 / n_systems
        # After swapping two constants only rounding errors remain.
        spread = np.where(spread > _ROUNDING, spread, np.nan)
        correlations.append(products / np.sqrt(n_systems * spread))
    difference: Floats = correlations[0] - correlations[1]
    return difference


def _standardised(values: Floats, axis: int) -> Floats:
    """Scale values to mean 0 and variance 1 along an axis; NaN if they are all equal."""
    centred = values - values.mean(axis=axis, keepdims=True)
    # A constant such as 0.1 has rounding noise as deviations, which must not be scaled up.
    varies = values.max(axis=axis, keepdims=True) > values.min(axis=axis, keepdims=True)
    deviation = np.where(varies, values.std(axis=axis, keepdims=True), np.nan)
    scores: Floats = centred / deviation
    return scores
