"""A metric on the lattices of a corpus, in numbers that can be compared across corpora.

No single number decides which metric is best. Tau depends on how much annotators agree, for which
`standardised_tau` corrects. Both reward the removal of what a reference removes, whatever replaces
it. The third number is how often the metric prefers a valid edit to a corrupted one
(docs/methods.md, "Lattices across corpora").
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.lattices.full_lattice import tau
from maege.analysis.lattices.strata import standardised_tau
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.resampling import (
    Floats,
    expanded_level,
    percentile_intervals,
    resampled_sums,
    with_width,
)

# A tie of a valid and a corrupted edit counts as half.
_WORTH = np.array([1.0, 0.0, 0.5])


class SentenceSums(NamedTuple):
    """Concordant, discordant and tied pairs in the lattices of each sentence.

    `chains` has shape (3, sentences); `steps`, by stratum, shape (3, STRATA, sentences);
    `corrupted`, valid against corrupted edits, has one more row for edits without a stratum.
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
    """Return the sums of lattices by sentence.

    Args:
        sentences: index of each lattice's sentence.
        n_sentences: number of sentences.
        chains: of each lattice, shape (3, lattices).
        steps: of each lattice, shape (3, STRATA, lattices).
        corrupted: of each lattice, shape (3, STRATA + 1, lattices).

    """
    sums = []
    for values in (chains, steps, corrupted):
        total = np.zeros((*values.shape[:-1], n_sentences))
        np.add.at(np.moveaxis(total, -1, 0), sentences, np.moveaxis(values, -1, 0))
        sums.append(total)
    return SentenceSums(*sums)


def metric_on_corpus(sums: SentenceSums, weights: SampleWeights, level: float) -> MetricOnCorpus:
    """Return the metric's numbers with bootstrap intervals over sentences.

    Args:
        sums: by sentence.
        weights: result of `cluster_weights`.
        level: confidence level.

    """
    n_sentences = sums.chains.shape[-1]
    observed = _numbers(*(each.sum(axis=-1, keepdims=True) for each in sums))
    columns = [each.reshape(-1, n_sentences) for each in sums]
    drawn = resampled_sums(np.concatenate(columns).T, weights).T
    ends = np.cumsum([len(each) for each in columns])
    chains, steps, corrupted = (
        part.reshape(*each.shape[:-1], -1)
        for part, each in zip(np.split(drawn, ends[:-1]), sums, strict=True)
    )
    samples = _numbers(chains, steps, corrupted)
    n_steps, n_corrupted = sums.steps.sum(axis=(0, 2)), sums.corrupted.sum(axis=(0, 2))
    standardised = standardised_tau(observed[1][:, 0], np.rint(n_steps))
    widened = expanded_level(level, n_sentences) if n_sentences > 1 else level

    def estimate(value: float, of_samples: Floats) -> Estimate:
        if np.isnan(value):
            return Estimate(np.nan, np.nan, np.nan)
        bounds = percentile_intervals(of_samples[:, np.newaxis], widened)
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
    together = corrupted.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            tau(chains),
            tau(steps),
            np.tensordot(_WORTH, corrupted, 1) / corrupted.sum(axis=0),
            np.tensordot(_WORTH, together, 1) / together.sum(axis=0),
        )
