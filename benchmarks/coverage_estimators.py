"""Coverage of simulated populations: bias of estimators, and how often intervals hold the truth.

    python benchmarks/coverage_estimators.py [SAMPLES] [REDRAWS]

Every sample has 50 answers from a known population. Intervals from answers redrawn from the
estimate stand beside the percentiles of answers drawn from those at hand, the baseline. The last
line is the time of one linear programme.
"""

import sys
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from maege.analysis.statistics.coverage_curves import unseen_curve
from maege.analysis.statistics.reference_coverage import expected_coverage
from maege.analysis.statistics.richness import rarefied_coverage
from maege.analysis.statistics.unseen import Distribution, unseen_estimate
from maege.analysis.statistics.unseen_redraws import count_histogram, estimates

ANSWERS = 50
WANTED = [1, 2, 5, 10, 20]
Array = NDArray[np.float64]


def populations() -> Iterator[tuple[str, Array]]:
    """Yield names, and probabilities of the variants."""
    zipf = 1 / np.arange(1, 1001)
    yield "zipf", zipf / zipf.sum()
    yield "uniform", np.full(100, 0.01)
    yield "two-level", np.concatenate([np.full(3, 0.5 / 3), np.full(500, 0.001)])


def drawn_histogram(answers: NDArray[np.int64]) -> list[int]:
    """Return the histogram of a sample."""
    return count_histogram(np.unique(answers, return_counts=True)[1].tolist())


def is_covered(found: list[Distribution], truth: Array) -> NDArray[np.bool_]:
    """Whether the interval of each number of references holds the truth."""
    low, high = (bound[np.array(WANTED) - 1] for bound in unseen_curve(found, 20).interval(0.95))
    return np.asarray((low <= truth) & (truth <= high))


def main(samples: int, redraws: int) -> None:
    """Print bias and coverage for every population."""
    generator = np.random.default_rng(1)
    seconds = []
    for name, shares in populations():
        truth = np.array([(shares * (1 - (1 - shares) ** m)).sum() for m in WANTED])
        unseen, turing, parametric, naive = [], [], [], []
        for seed in range(samples):
            answers = generator.choice(len(shares), size=ANSWERS, p=shares)
            histogram = drawn_histogram(answers)
            start = time.process_time()
            estimate = unseen_estimate(histogram)
            seconds.append(time.process_time() - start)
            unseen.append(expected_coverage(estimate, WANTED) - truth)
            turing.append(rarefied_coverage(histogram, 20)[np.array(WANTED) - 1] - truth)
            redrawn = [found for _, found in estimates(histogram, redraws, seed)]
            parametric.append(is_covered(redrawn, truth))
            again = [
                unseen_estimate(drawn_histogram(generator.choice(answers, size=ANSWERS)))
                for _ in range(redraws)
            ]
            drawn = [expected_coverage(found, WANTED) for found in again]
            low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
            naive.append((low <= truth) & (truth <= high))
        print(f"{name}: coverage of {WANTED} references {truth.round(3)}")
        for label, rows in (
            ("bias of UnseenEst", unseen),
            ("bias of Good-Turing", turing),
            ("intervals that hold it, redrawn from the estimate", parametric),
            ("intervals that hold it, redrawn from the answers", naive),
        ):
            print(f"  {label}: {np.mean(rows, axis=0).round(3)}")
    print(f"a linear programme: {np.mean(seconds) * 1e3:.0f} ms, at most {max(seconds):.3f} s")


if __name__ == "__main__":
    main(*(int(number) for number in (sys.argv[1:] + ["40", "40"][len(sys.argv) - 1 :])))
