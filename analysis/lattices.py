"""Lattices of annotations: pairs, strata, and how well a metric orders them."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import factorial
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Edit
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.pair_agreement import is_tied
from maege.analysis.statistics.resampling import (
    Floats,
    expanded_level,
    percentile_intervals,
    resampled_sums,
    with_width,
)

Places = NDArray[np.int64]


class LatticePairs(NamedTuple):
    """Every comparable pair of a full lattice, whose nodes are the masks from 0 to 2^k - 1.

    `chain_weight` is the probability that a random chain visits both nodes; `step_edit` the
    additional edit of the upper node, -1 if it has several.
    """

    lower: Places
    upper: Places
    chain_weight: Floats
    step_edit: Places


@cache
def lattice_pairs(n_edits: int) -> LatticePairs:
    """Return the 3^k - 2^k pairs of k edits, by lower mask and then by upper."""
    masks = np.arange(1 << n_edits)
    lower, upper = np.nonzero(
        (masks[:, np.newaxis] & ~masks == 0) & (masks[:, np.newaxis] != masks)
    )
    n_lower, n_added = _n_bits(lower), _n_bits(upper ^ lower)
    factorials = np.array([factorial(n) for n in range(n_edits + 1)], np.float64)
    weight = factorials[n_lower] * factorials[n_added] * factorials[n_edits - n_lower - n_added]
    step = np.where(n_added == 1, _n_bits((upper ^ lower) - 1), -1)
    return LatticePairs(lower, upper, weight / factorials[n_edits], step)


def outcomes(scores: Floats, pairs: LatticePairs) -> NDArray[np.bool_]:
    """Return which pairs a metric orders correctly, or not at all, shape (3, ..., pairs)."""
    lower, upper = scores[..., pairs.lower], scores[..., pairs.upper]
    tied = is_tied(lower, upper)
    return np.stack([(upper > lower) & ~tied, (upper < lower) & ~tied, tied])


def tau(by_outcome: Floats) -> Floats:
    """Return (C - D) / (C + D + T), shape (...), from counts of shape (3, ...); NaN without pairs.

    If ties counted as agreement, a metric that ties everything would have a tau of 1, and corpora
    differ in their number of ties.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        taus: Floats = (by_outcome[0] - by_outcome[1]) / by_outcome.sum(axis=0)
    return taus


def _n_bits(masks: Places) -> Places:
    return np.bitwise_count(masks).astype(np.int64)


# --- Strata of steps: how the references treat the edit of a step ---
#
# The mean of the strata with equal weights can be compared across corpora (Kitagawa 1955,
# "Components of a difference between two rates": direct standardisation; docs/methods.md).

Stratum = Literal["endorsed", "touched", "untouched"]
STRATA: tuple[Stratum, ...] = get_args(Stratum)
# With fewer steps, a stratum's tau varies by 0.1 between samples.
LEAST_STEPS = 200


def stratum(edit: Edit, references: Iterable[Sequence[Edit]]) -> Stratum:
    """Return the stratum of a step that adds the edit, given the edits of its references.

    Endorsed: a reference has the same span and (first) correction. Touched: a reference changes a
    span that overlaps or meets the edit's.
    """
    gold = [other for reference in references for other in reference]
    if any(other[:2] == edit[:2] and other.corrections[0] == edit.corrections[0] for other in gold):
        return "endorsed"
    if any(other.start <= edit.end and edit.start <= other.end for other in gold):
        return "touched"
    return "untouched"


def standardised_tau(strata: Floats, steps: Floats, least_steps: int = LEAST_STEPS) -> float:
    """Return the mean of the strata's taus; NaN if a stratum has fewer than `least_steps` steps."""
    return float(np.mean(strata)) if (steps >= least_steps).all() else np.nan


# --- How often a metric orders the nodes of full lattices correctly: counts of pairs and steps ---


class LatticeCounts(NamedTuple):
    """Concordant, discordant and tied pairs of each lattice, on the first axis.

    `pairs`, and `expected_chain`, their expected numbers in one random chain, have shape (3,
    lattices). `steps`, the pairs that differ in one edit by its stratum, and `expected_steps`,
    their expected numbers in one chain, have shape (3, STRATA, lattices). A chain adds each edit
    once.
    """

    pairs: Floats
    expected_chain: Floats
    steps: Floats
    expected_steps: Floats


def counts_of_size(scores: Floats, strata: NDArray[np.int64]) -> LatticeCounts:
    """Shapes: scores of nodes by mask (lattices, 2^edits), indices in STRATA (lattices, edits)."""
    pairs = lattice_pairs(strata.shape[1])
    by_pair = outcomes(scores, pairs)
    is_step = pairs.step_edit >= 0
    weight = pairs.chain_weight[is_step]
    step_outcomes, step_strata = by_pair[..., is_step], strata[:, pairs.step_edit[is_step]]
    is_in = [step_outcomes & (step_strata == number) for number in range(len(STRATA))]
    return LatticeCounts(
        by_pair.sum(axis=-1).astype(np.float64),
        by_pair @ pairs.chain_weight,
        np.stack([steps.sum(axis=-1) for steps in is_in], axis=1).astype(np.float64),
        np.stack([steps @ weight for steps in is_in], axis=1),
    )


# --- A metric on the lattices of a corpus, in numbers that can be compared across corpora ---
#
# docs/methods.md, "Lattices across corpora", says why three numbers are needed.

# A tie of a valid and a corrupted edit counts as half.
_WORTH = np.array([1.0, 0.0, 0.5])


class SentenceSums(NamedTuple):
    """Concordant, discordant and tied pairs in the lattices of each sentence.

    `chains` has shape (3, sentences); `steps`, by stratum, shape (3, STRATA, sentences);
    `corrupted`, valid against corrupted edits, shape (3, STRATA + 1, sentences). Its last stratum
    holds edits without a stratum.
    """

    chains: Floats
    steps: Floats
    corrupted: Floats


class Estimate(NamedTuple):
    """A number and its 95 % confidence interval over sentences, NaN if there is none."""

    value: float
    low: float
    high: float


class MetricOnCorpus(NamedTuple):
    """`tau` over expected chains, and over steps and corrupted edits by stratum.

    `over_corrupted_all` is over all pairs together; `n_steps` and `n_corrupted` count by stratum.
    """

    tau: Estimate
    standardised_tau: Estimate
    over_corrupted_all: Estimate
    tau_steps: Floats
    over_corrupted: Floats
    n_steps: Floats
    n_corrupted: Floats


def sums_by_sentence(
    sentences: NDArray[np.int64], n_sentences: int, chains: Floats, steps: Floats, corrupted: Floats
) -> SentenceSums:
    sums = []
    for values in (chains, steps, corrupted):
        total = np.zeros((*values.shape[:-1], n_sentences))
        np.add.at(np.moveaxis(total, -1, 0), sentences, np.moveaxis(values, -1, 0))
        sums.append(total)
    return SentenceSums(*sums)


def metric_on_corpus(sums: SentenceSums, weights: SampleWeights, level: float) -> MetricOnCorpus:
    n_sentences = sums.chains.shape[-1]
    observed = _numbers(*(part.sum(axis=-1, keepdims=True) for part in sums))
    columns = [part.reshape(-1, n_sentences) for part in sums]
    resampled = resampled_sums(np.concatenate(columns).T, weights).T
    ends = np.cumsum([len(part) for part in columns])
    chains, steps, corrupted = (
        part.reshape(*summand.shape[:-1], -1)
        for part, summand in zip(np.split(resampled, ends[:-1]), sums, strict=True)
    )
    samples = _numbers(chains, steps, corrupted)
    n_steps, n_corrupted = sums.steps.sum(axis=(0, 2)), sums.corrupted.sum(axis=(0, 2))
    standardised = standardised_tau(observed[1][:, 0], np.rint(n_steps))
    widened = expanded_level(level, n_sentences) if n_sentences > 1 else level

    def estimate(value: float, samples: Floats) -> Estimate:
        if np.isnan(value):
            return Estimate(np.nan, np.nan, np.nan)
        bounds = percentile_intervals(samples[:, np.newaxis], widened)
        return Estimate(value, *with_width(*(float(bound[0]) for bound in bounds)))

    return MetricOnCorpus(
        estimate(float(observed[0][0]), samples[0]),
        estimate(standardised, samples[1].mean(axis=0)),
        estimate(float(observed[3][0]), samples[3]),
        observed[1][:, 0],
        observed[2][:, 0],
        n_steps,
        n_corrupted,
    )


def _numbers(chains: Floats, steps: Floats, corrupted: Floats) -> tuple[Floats, ...]:
    """Return tau, tau by stratum, and shares of preferred valid edits by stratum and overall."""
    all_strata = corrupted.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            tau(chains),
            tau(steps),
            np.tensordot(_WORTH, corrupted, 1) / corrupted.sum(axis=0),
            np.tensordot(_WORTH, all_strata, 1) / all_strata.sum(axis=0),
        )
