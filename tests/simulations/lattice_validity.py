"""Measure the coverage of intervals and the error rate of tests for lattices; print a row for each.

Corpora are simulated from a known model, with numbers of edits distributed as in CoNLL-2014. A
sentence has a chain of n + 1 positions. The score rises with the position by a slope that differs
between sentences, and a share of the scores is rounded to create ties. The true value is that of a
corpus of 40,000 sentences. The nominal coverage is 95 %, and the level of tests 5 %.

    python tests/simulations/lattice_validity.py [REPLICATES]
"""

import sys
from collections.abc import Callable, Iterator

import numpy as np
import scipy
from numpy.typing import NDArray

from maege.analysis.statistics.lattice_correlations import (
    chain_correlation_intervals,
    sentence_sums,
    tau_differences,
    tau_samples,
)
from maege.analysis.statistics.randomisation import sign_tests
from maege.analysis.statistics.resampling import (
    cluster_weights,
    expanded_level,
    n_effective,
    percentile_intervals,
    ratio_intervals,
)

Floats = NDArray[np.float64]
# The coefficients in the order of `tau_samples`.
TAU_COEFFICIENTS = ("kendall_tau_a", "goodman_kruskal_gamma", "kendall_tau_b", "tau_macro")
SENTENCES = (20, 50, 200, 800)
BOOTSTRAP, SIGNS = 500, 999
KINDS_OF_R = ("pooled", "within", "partial")


class Corpus:
    """Positions of chains with gold scores, and scores of metrics with a given mean slope."""

    def __init__(self, generator: np.random.Generator, n_sentences: int) -> None:
        n_edits = generator.geometric(1 / 3, n_sentences)
        self.generator, self.n_edits = generator, n_edits
        self.sentence = np.repeat(np.arange(n_sentences), n_edits + 1)
        self.position = np.concatenate([np.arange(n + 1) for n in n_edits])
        original = generator.uniform(0.4, 0.95, n_sentences)[self.sentence]
        self.gold = original + (1 - original) * self.position / n_edits[self.sentence]
        starts = np.concatenate([[0], np.cumsum(n_edits + 1)[:-1]])
        pairs = [
            start + np.stack(np.triu_indices(n + 1, 1))
            for start, n in zip(starts, n_edits, strict=True)
        ]
        self.lower, self.upper = np.concatenate(pairs, axis=1)

    def scores(self, slope: float) -> Floats:
        n = len(self.n_edits)
        slopes = self.generator.normal(slope, 0.5, n)[self.sentence]
        level = self.generator.normal(0, 1, n)[self.sentence]
        noise = self.generator.normal(0, 1, self.position.size)
        # Half of the scores are rounded.
        values = level + slopes * self.position + noise
        scores: Floats = np.where(
            self.generator.random(values.size) < 0.5, np.round(values), values
        )
        return scores

    def outcomes(self, *metrics: Floats) -> Floats:
        """Return concordant, discordant and tied pairs: (3, sentences, metrics)."""
        counts = np.zeros((3, len(self.n_edits), len(metrics)))
        for column, scores in enumerate(metrics):
            delta = scores[self.upper] - scores[self.lower]
            for kind, is_kind in enumerate((delta > 0, delta < 0, delta == 0)):
                counts[kind, :, column] = np.bincount(
                    self.sentence[self.lower], is_kind, len(self.n_edits)
                )
        return counts


def plain_taus(outcomes: Floats) -> list[float]:
    c, d, t = outcomes[:, :, 0].sum(axis=1)
    sentence_taus = (outcomes[0, :, 0] - outcomes[1, :, 0]) / outcomes[:, :, 0].sum(axis=0)
    pairs = c + d + t
    macro = float(sentence_taus.mean())
    return [(c - d) / pairs, (c - d) / (c + d), (c - d) / np.sqrt(pairs * (c + d)), macro]


def plain_correlations(corpus: Corpus, scores: Floats) -> list[float]:
    def centred(values: Floats) -> Floats:
        means = np.bincount(corpus.sentence, values) / (corpus.n_edits + 1)
        return values - means[corpus.sentence]

    def residual(values: Floats) -> Floats:
        slope, level = np.polyfit(corpus.position, values, 1)
        left: Floats = values - slope * corpus.position - level
        return left

    ways: tuple[Callable[[Floats], Floats], ...] = (np.asarray, centred, residual)
    return [float(np.corrcoef(way(scores), way(corpus.gold))[0, 1]) for way in ways]


def sums_of_sentences(corpus: Corpus, scores: Floats) -> tuple[Floats, Floats]:
    """Return the sum of score differences of neighbours of each sentence, and their number."""
    near = corpus.upper - corpus.lower == 1
    which = corpus.sentence[corpus.lower[near]]
    delta = (scores[corpus.upper] - scores[corpus.lower])[near]
    sums: Floats = np.bincount(which, delta).astype(np.float64)
    return sums, np.bincount(which).astype(np.float64)


def replicate(seed: int, n_sentences: int, truth: dict[str, float]) -> Iterator[tuple[str, bool]]:
    """Yield whether each interval contains the true value, and whether each test is wrong."""
    corpus = Corpus(np.random.default_rng(seed), n_sentences)
    first, second, null = (corpus.scores(slope) for slope in (0.2, 0.2, 0.0))
    weights = cluster_weights(n_sentences, BOOTSTRAP, seed)
    outcomes = corpus.outcomes(first, second)
    sizes = outcomes[:, :, 0].sum(axis=0)
    gains, pairs = (part[:, [0]] for part in (outcomes[0] - outcomes[1], outcomes.sum(axis=0)))
    (low,), (high,), _ = sign_tests(gains, pairs, 0.95, SIGNS, seed)
    yield f"{TAU_COEFFICIENTS[0]} interval", low <= truth[TAU_COEFFICIENTS[0]] <= high
    for name, samples in list(zip(TAU_COEFFICIENTS, tau_samples(outcomes, weights), strict=True))[
        1:
    ]:
        n = n_sentences if name == "tau_macro" else n_effective(sizes)
        low, high = (b[0] for b in percentile_intervals(samples[:, :1], expanded_level(0.95, n)))
        yield f"{name} interval", low <= truth[name] <= high
    sums = sentence_sums(first, corpus.gold, corpus.position, corpus.sentence)
    expanded = expanded_level(0.95, n_effective(corpus.n_edits + 1))
    lows, highs = chain_correlation_intervals(sums, weights, expanded)
    for name, low, high in zip(KINDS_OF_R, lows, highs, strict=True):
        yield f"r {name} interval", low <= truth[name] <= high
    for test in tau_differences(outcomes, 0.95, SIGNS, seed):
        yield "difference of kendall_tau_a interval", test.low <= 0 <= test.high
        yield "difference of kendall_tau_a test", test.p_value <= 0.05
    null_outcomes = corpus.outcomes(null)
    _, _, p_value = sign_tests(
        null_outcomes[0] - null_outcomes[1], null_outcomes.sum(axis=0), 0.95, SIGNS, seed
    )
    yield "test against chance", bool(p_value[0] <= 0.05)
    total, counts = sums_of_sentences(corpus, first)
    low, high = (bound[0] for bound in ratio_intervals(total, counts, weights))
    yield "mean delta interval", low <= truth["delta"] <= high
    total, counts = sums_of_sentences(corpus, null)
    yield "mean delta test", bool(scipy.stats.ttest_1samp(total, 0).pvalue <= 0.05)


def main(replicates: int) -> None:
    large = Corpus(np.random.default_rng(0), 40_000)
    scores = large.scores(0.2)
    total, counts = sums_of_sentences(large, scores)
    truth = dict(zip(TAU_COEFFICIENTS, plain_taus(large.outcomes(scores)), strict=True))
    truth |= dict(zip(KINDS_OF_R, plain_correlations(large, scores), strict=True))
    truth["delta"] = total.sum() / counts.sum()
    shares: dict[str, list[float]] = {}
    for n_sentences in SENTENCES:
        results: dict[str, list[bool]] = {}
        for seed in range(1, replicates + 1):
            for name, holds in replicate(seed, n_sentences, truth):
                results.setdefault(name, []).append(holds)
        for name, outcomes in results.items():
            shares.setdefault(name, []).append(float(np.mean(outcomes)))
    print("sentences".ljust(45), *(f"{n:>6}" for n in SENTENCES))
    for name, row in shares.items():
        print(name.ljust(45), *(f"{share:6.3f}" for share in row))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
