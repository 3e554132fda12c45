"""Speed of TrueSkill, bootstraps and swaps of human rankings, beside plain ways in the same run.

Run with `python benchmarks/rankings_speed.py` where ../shared holds the released rankings. The loop
does what the WMT program does, one judgment after the other with the closed form of a game of two
players. It plays a part of one run, which tells the time of all: every match takes as long. The
package `trueskill`, which that program calls for every match, is measured as well where it can be
imported.
"""

import bisect
import importlib.util
import math
import os
import random
import resource
import time
from collections.abc import Callable
from itertools import accumulate, combinations
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from defusedxml import ElementTree
from numpy.typing import NDArray
from scipy import stats

from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.statistics.correlation_bootstrap import pearson_of_rows, spearman_of_rows
from maege.analysis.statistics.judged_pairs import JudgmentCounts, resampled_counts, sentence_counts
from maege.analysis.statistics.permutation import Swaps, random_swaps, swap_comparisons
from maege.analysis.statistics.trueskill import (
    DRAW_PROBABILITY,
    SIGMA,
    trueskill_resamples,
    trueskill_runs,
)
from maege.analysis.statistics.wins import expected_wins

HUMAN = Path(__file__).resolve().parents[2] / "shared" / "data" / "human"
RUNS = 200
SAMPLES = 1000
LOOPED_MATCHES = 20_000
PACKAGE_MATCHES = 1_000
THREADS = 2

Judgments = dict[tuple[int, int], list[int]]
Match = Callable[[list[float], list[float], int, int, int], None]


class Rankings(NamedTuple):
    """Judged pairs as columns, and how many sentences and systems there are."""

    columns: NDArray[np.int64]
    n_sentences: int
    n_systems: int


def read_pairs(path: Path) -> Rankings:
    """Return sentence, first, second and preference of every two systems of an item."""
    names: dict[str, int] = {}
    sentences: dict[str, int] = {}
    rows = []
    root = ElementTree.parse(path).getroot()
    assert root is not None
    for item in root.iter("ranking-item"):
        sentence = sentences.setdefault(item.attrib["src-id"], len(sentences))
        ranks = [
            (names.setdefault(name, len(names)), int(cell.attrib["rank"]))
            for cell in item.iter("translation")
            for name in cell.attrib["system"].split()
        ]
        for (first, upper), (second, lower) in combinations(ranks, 2):
            rows.append((sentence, first, second, (upper < lower) - (upper > lower)))
    return Rankings(np.array(rows).T, len(sentences), len(names))


def plain_loop(judgments: Judgments, n_systems: int, matches: int, play: Match) -> list[float]:
    """Return the means after so many matches of one run."""
    generator = random.Random(1)  # noqa: S311
    mu, variance = [0.0] * n_systems, [SIGMA**2] * n_systems
    for _ in range(matches):
        first = max(range(n_systems), key=variance.__getitem__)
        others = [system for system in range(n_systems) if system != first]
        reach = list(accumulate(math.exp(-abs(mu[first] - mu[other])) for other in others))
        second = others[bisect.bisect_right(reach, generator.random() * reach[-1])]
        pair = (min(first, second), max(first, second))
        play(mu, variance, *pair, generator.choice(judgments[pair]))
    return mu


def closed_form(beta: float) -> Match:
    """Return the update of two players as plain Python has it."""
    normal = NormalDist()
    margin = normal.inv_cdf((1 + DRAW_PROBABILITY) / 2) * math.sqrt(2) * beta

    def play(
        mu: list[float], variance: list[float], first: int, second: int, preference: int
    ) -> None:
        square = 2 * beta**2 + variance[first] + variance[second]
        scale = math.sqrt(square)
        lead, width = (mu[first] - mu[second]) / scale, margin / scale
        if preference == 0:
            inside = normal.cdf(width - lead) - normal.cdf(-width - lead)
            v = (normal.pdf(width + lead) - normal.pdf(width - lead)) / inside
            tails = (width - lead) * normal.pdf(width - lead)
            tails += (width + lead) * normal.pdf(width + lead)
            w = v * v + tails / inside
        else:
            x = preference * lead - width
            hazard = normal.pdf(x) / normal.cdf(x)
            v, w = preference * hazard, hazard * (hazard + x)
        mu[first] += v * variance[first] / scale
        mu[second] -= v * variance[second] / scale
        variance[first] *= 1 - w * variance[first] / square
        variance[second] *= 1 - w * variance[second] / square

    return play


def package_form(beta: float) -> Match:
    """Return the update by the package `trueskill`."""
    trueskill = importlib.import_module("trueskill")
    rules = trueskill.TrueSkill(
        mu=0, sigma=SIGMA, beta=beta, tau=0, draw_probability=DRAW_PROBABILITY
    )

    def play(
        mu: list[float], variance: list[float], first: int, second: int, preference: int
    ) -> None:
        players = [
            (rules.create_rating(mu[system], math.sqrt(variance[system])),)
            for system in (first, second)
        ]
        for system, (rated,) in zip(
            (first, second), rules.rate(players, ranks=(0, preference)), strict=True
        ):
            mu[system], variance[system] = rated.mu, rated.sigma**2

    return play


def seconds(task: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how long a task takes."""
    started = clock()
    task()
    return clock() - started


def measure_gjg15() -> None:
    """Print the time of 200 runs on the judgments of GJG15, compiled and in loops."""
    rankings = read_pairs(HUMAN / "gjg15" / "judgments.xml")
    counts = total(rankings)
    n_pairs = rankings.columns.shape[1]
    judgments: Judgments = {}
    for _, first, second, preference in rankings.columns.T.tolist():
        pair = (min(first, second), max(first, second))
        judgments.setdefault(pair, []).append(preference if pair[0] == first else -preference)
    beta = SIGMA * (n_pairs + 1) / 40

    compiling = seconds(lambda: trueskill_runs(counts, 1, seed=1))
    one = seconds(lambda: trueskill_runs(counts, RUNS, seed=1))
    two = seconds(lambda: trueskill_runs(counts, RUNS, seed=1, threads=THREADS))
    forms = {"closed form in a plain loop": (closed_form, LOOPED_MATCHES)}
    if importlib.util.find_spec("trueskill") is not None:
        forms["package trueskill in a loop"] = (package_form, PACKAGE_MATCHES)
    print(f"GJG15, {n_pairs:,} judged pairs, {RUNS} runs")
    print(f"first run, compiled or loaded      {compiling:9.2f} s")
    print(f"one thread                         {one:9.2f} s")
    print(f"{THREADS} threads                          {two:9.2f} s")
    for name, (form, matches) in forms.items():
        play = form(beta)
        part = seconds(
            lambda: plain_loop(judgments, rankings.n_systems, matches, play)  # noqa: B023
        )
        whole = part / matches * (n_pairs + 1) * RUNS
        print(
            f"{name:34} {whole:9.2f} s   extrapolated from {matches:,} matches; "
            f"{whole / one:.0f} times as long as one thread"
        )


def measure_seeda() -> None:
    """Print the time of 1,000 bootstrap samples of sentences of SEEDA."""
    rankings = read_pairs(HUMAN / "seeda" / "judgments_edit.xml")
    counts = by_sentence(rankings)
    weights = cluster_weights(rankings.n_sentences, SAMPLES, seed=1)
    resampled = resampled_counts(counts, weights)
    wins = seconds(lambda: expected_wins(resampled_counts(counts, weights).wins))
    one = seconds(lambda: trueskill_resamples(resampled, seed=1))
    two = seconds(lambda: trueskill_resamples(resampled, seed=1, threads=THREADS))
    print(f"SEEDA, {rankings.columns.shape[1]:,} judged pairs, {SAMPLES:,} samples of sentences")
    print(f"Expected Wins                      {wins:9.2f} s")
    print(f"TrueSkill, one thread              {one:9.2f} s")
    print(f"TrueSkill, {THREADS} threads               {two:9.2f} s")


def measure_correlations() -> None:
    """Print the time of ranks and of swaps of 16 metrics, beside what goes row by row."""
    generator = np.random.default_rng(1)
    human, scores = generator.normal(size=13), generator.normal(size=(16, 13, 500))
    samples = generator.normal(size=(16, SAMPLES, 13))
    pairs = list(combinations(range(16), 2))
    swaps = random_swaps(scores, 1, SAMPLES)
    ranks, sorted_ranks, columns, rows = (
        min(seconds(task, time.process_time) for _ in range(3))
        for task in (
            lambda: spearman_of_rows(samples, human),
            lambda: pearson_of_rows(stats.rankdata(samples, axis=-1), stats.rankdata(human)),
            lambda: swap_comparisons(swaps, human),
            lambda: [plain_swaps(swaps, human, *pair) for pair in pairs],
        )
    )
    print(f"16 metrics of 13 systems, {SAMPLES:,} samples and permutations")
    print(
        f"Spearman of every sample           {ranks:9.2f} s   {sorted_ranks / ranks:.1f} times "
        "as long where each row is sorted"
    )
    print(
        f"PERM-BOTH, given the swapped sums  {columns:9.2f} s   {rows / columns:.1f} times as long "
        "row by row"
    )


def plain_swaps(swaps: Swaps, human: NDArray[np.float64], first: int, second: int) -> float:
    """Return the share of swaps that reach the difference of two metrics' correlations."""
    taken = (swaps.given[second] - swaps.given[first]).T
    moved = (swaps.totals[first] + taken, swaps.totals[second] - taken)
    upper, lower = (pearson_of_rows(np.round(rows, 9), human) for rows in moved)
    true = pearson_of_rows(swaps.totals[[first, second]], human)
    return float((upper - lower >= true[0] - true[1] - 1e-12).mean())


def by_sentence(rankings: Rankings) -> JudgmentCounts:
    """Return the counts of each sentence."""
    sentence, first, second, preference = rankings.columns
    return sentence_counts(
        sentence, first, second, preference, rankings.n_sentences, rankings.n_systems
    )


def total(rankings: Rankings) -> JudgmentCounts:
    """Return the counts of all sentences together."""
    counts = by_sentence(rankings)
    return JudgmentCounts(counts.wins.sum(axis=0), counts.ties.sum(axis=0))


def main() -> None:
    """Print all measurements, and the memory of the process at its peak."""
    print(f"{os.cpu_count()} processors")
    measure_gjg15()
    measure_seeda()
    measure_correlations()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory                        {peak:9.0f} MB")


if __name__ == "__main__":
    main()
