"""Measure bias of coverage estimators, and how often their intervals contain the true value.

    python tests/simulations/coverage_estimators.py [SAMPLES] [REDRAWS]

Every sample has 50, 30, 20 or 8 answers from a known population. The linear programme on rare
counts is compared with Good and Turing's estimator and with the paper's programme on all counts,
the baseline. A corpus has 20 sentences, each with its own population.
"""

import sys
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from maege.analysis.statistics.coverage import (
    Curve,
    corpus_curve,
    count_histogram,
    good_turing_curve,
    rare_unseen_estimate,
    redrawn_estimates,
    unseen_curve,
    unseen_estimate,
)

SIZES = (50, 30, 20, 8)
WANTED = np.array([1, 2, 5, 10, 20])
SENTENCES = 20
Array = NDArray[np.float64]


def populations() -> Iterator[tuple[str, Array]]:
    zipf = 1 / np.arange(1, 1001)
    yield "zipf", zipf / zipf.sum()
    yield "uniform", np.full(100, 0.01)
    yield "two-level", np.concatenate([np.full(3, 0.5 / 3), np.full(500, 0.001)])
    for most in (0.5, 0.2):
        shares = most * (1 - most) ** np.arange(60)
        yield f"geometric {most}", shares / shares.sum()
    for most in (0.5, 0.8):
        yield f"dominant {most}", np.concatenate([[most], np.full(200, (1 - most) / 200)])


def curves(histogram: list[int], redraws: int, seed: int) -> Iterator[tuple[str, Curve]]:
    for name, estimator in (("all counts", unseen_estimate), ("rare counts", rare_unseen_estimate)):
        estimates = list(redrawn_estimates(histogram, cache(estimator), redraws, seed))
        yield (
            f"programme on {name}",
            unseen_curve([distribution for _, distribution in estimates], WANTED[-1]),
        )
    histograms = [redrawn for redrawn, _ in estimates]
    yield "Good-Turing", good_turing_curve(histograms[0], histograms[1:], WANTED[-1])


def true_coverage(shares: Array) -> Array:
    return np.array([(shares * (1 - (1 - shares) ** m)).sum() for m in WANTED])


def drawn_histogram(generator: np.random.Generator, shares: Array, size: int) -> list[int]:
    answers = generator.choice(len(shares), size=size, p=shares)
    return count_histogram(np.unique(answers, return_counts=True)[1].tolist())


class Found:
    """Results of the samples of a population, by estimator."""

    def __init__(self) -> None:
        self._errors: dict[str, list[Array]] = {}
        self._holds: dict[str, list[NDArray[np.bool_]]] = {}

    def add(self, name: str, curve: Curve, truth: Array) -> None:
        low, high = (bound[WANTED - 1] for bound in curve.interval(0.95))
        self._errors.setdefault(name, []).append(curve.shares[WANTED - 1] - truth)
        self._holds.setdefault(name, []).append((low <= truth) & (truth <= high))

    def show(self) -> None:
        for name, errors in self._errors.items():
            rows = np.array(errors)
            print(f"  {name}: bias {rows.mean(axis=0).round(3)}")
            print(f"    root mean square error {np.sqrt((rows**2).mean(axis=0)).round(3)}")
            print(f"    intervals hold it {np.mean(self._holds[name], axis=0).round(2)}")


def main(samples: int, redraws: int) -> None:
    generator = np.random.default_rng(1)
    shares_by_population = dict(populations())
    for size in SIZES:
        for population, shares in shares_by_population.items():
            truth = true_coverage(shares)
            outcomes = Found()
            for seed in range(samples):
                histogram = drawn_histogram(generator, shares, size)
                for name, curve in curves(histogram, redraws, seed):
                    outcomes.add(name, curve, truth)
            print(f"{size} answers, {population}: coverage of {WANTED} is {truth.round(3)}")
            outcomes.show()
    truth = np.mean([true_coverage(shares) for shares in shares_by_population.values()], axis=0)
    outcomes = Found()
    for seed in range(samples):
        sentence_curves: dict[str, list[Curve]] = {}
        for population_name in generator.choice(list(shares_by_population), size=SENTENCES):
            histogram = drawn_histogram(generator, shares_by_population[population_name], SIZES[0])
            for name, curve in curves(histogram, 4, seed):
                sentence_curves.setdefault(name, []).append(curve)
        for name, found_curves in sentence_curves.items():
            outcomes.add(name, corpus_curve(found_curves), truth)
    print(f"a corpus of {SENTENCES} sentences: coverage of {WANTED} is {truth.round(3)}")
    outcomes.show()


if __name__ == "__main__":
    main(*(int(number) for number in (sys.argv[1:] + ["200", "40"][len(sys.argv) - 1 :])))
