"""TrueSkill by the recipe of the Workshop on Machine Translation (WMT), many runs at once.

Herbrich, Minka and Graepel (2006), "TrueSkill: a Bayesian skill rating system"; for systems judged
in pairs Sakaguchi, Post and Van Durme (2014), "Efficient elicitation of annotations for human
evaluation of machine translation", whose program made the published scores of error correction.

A system's skill is a normal variable, at first N(0, .5^2). Out of `pairs` judgments a run draws
N = pairs + 1 matches. Each match takes the system of largest variance, an opponent with a
probability in proportion to exp(-|difference of means|) and one of the judgments of the two with
replacement, and updates both by the closed form of a game of two players, where with

    c^2 = 2 beta^2 + var_a + var_b,   t = (mu_a - mu_b) / c,   e = margin / c

a win of a adds v var / c to mu_a (and subtracts it from mu_b), and scales var by 1 - w var / c^2:

    win:   v = phi(t - e) / Phi(t - e),                        w = v (v + t - e)
    draw:  v = (phi(-e - t) - phi(e - t)) / (Phi(e - t) - Phi(-e - t)),
           w = v^2 + ((e - t) phi(e - t) + (e + t) phi(e + t)) / (Phi(e - t) - Phi(-e - t))

beta = .5 N / 40, and margin = Phi^-1((1 + .25) / 2) sqrt(2) beta for draws of probability .25. Only
numbers of wins and ties enter, so that a run needs no list of judgments. The score is the mean of
mu over runs.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.judged_pairs import Floats, Integers, JudgmentCounts
from analysis.statistics.trueskill_lanes import (
    BETA,
    LANES,
    MARGIN,
    MARGIN_A_BETA,
    MU,
    N_ROWS,
    OTHER_MU,
    OTHER_VARIANCE,
    OUTCOMES,
    PREFERENCE,
    STRIDE,
    VARIANCE,
    play_lanes,
    update,
)

Unsigned = NDArray[np.uint64]


class Rating(NamedTuple):
    """Mean and variance of a skill."""

    mu: float
    variance: float


def trueskill_runs(counts: JudgmentCounts, n_runs: int, seed: int, threads: int = 1) -> Floats:
    """Return each system's mu after each of `n_runs` runs: shape (n_runs, n_systems).

    Equal arguments give equal numbers; the first runs do not depend on how many follow. A system
    that nobody judged has NaN, and pairs that nobody judged are never drawn.

    Args:
        counts: of shape (n_systems, n_systems).
        n_runs: how many runs.
        seed: of the generators, one a run.
        threads: how many blocks of runs are played at a time; the numbers do not depend on it.

    Raises:
        ValueError: the counts have another shape, there is no judgment or no run.

    """
    if counts.wins.ndim != 2 or n_runs < 1:
        raise ValueError(
            f"expected counts of shape (n, n) and at least one run, found shape "
            f"{counts.wins.shape} and {n_runs} runs"
        )
    whole = JudgmentCounts(counts.wins[np.newaxis], counts.ties[np.newaxis])
    return _mus(whole, np.zeros(n_runs, np.int64), _states(seed, n_runs), threads)


def trueskill_resamples(counts: JudgmentCounts, seed: int, threads: int = 1) -> Floats:
    """Return each system's mu after one run on each bootstrap sample: (n_samples, n_systems).

    NaN for a system that nobody judged in a sample.

    Args:
        counts: of shape (n_samples, n_systems, n_systems), as from `resampled_counts`.
        seed: of the generators, one a sample.
        threads: how many blocks of them are played at a time; the numbers do not depend on it.

    Raises:
        ValueError: the counts have another shape.

    """
    if counts.wins.ndim != 3:
        raise ValueError(
            f"expected counts of shape (samples, n, n), found shape {counts.wins.shape}"
        )
    judged = (counts.wins + counts.ties).any(axis=(1, 2))
    mus = np.full(counts.wins.shape[:2], np.nan)
    mus[judged] = _mus(counts, np.flatnonzero(judged), _states(seed, len(mus))[judged], threads)
    return mus


def trueskill_update(
    first: Rating, second: Rating, preference: int, beta: float
) -> tuple[Rating, Rating]:
    """Return the ratings of two systems after one judgment.

    Args:
        first: of the first system.
        second: of the second system.
        preference: 1 where the first is better, -1 where the second is, 0 for a draw.
        beta: the standard deviation of a performance around its skill.

    """
    match = np.zeros((N_ROWS, STRIDE))
    # The same in every lane.
    given = {
        MU: first.mu,
        VARIANCE: first.variance,
        OTHER_MU: second.mu,
        OTHER_VARIANCE: second.variance,
        BETA: beta,
        MARGIN: MARGIN_A_BETA * beta,
        PREFERENCE: preference,
    }
    for row, number in given.items():
        match[row // STRIDE] = number
    flat = match.ravel()
    update(flat)
    mu, variance, other_mu, other_variance = flat[[MU, VARIANCE, OTHER_MU, OTHER_VARIANCE]]
    return Rating(float(mu), float(variance)), Rating(float(other_mu), float(other_variance))


def _states(seed: int, n_runs: int) -> Unsigned:
    return np.random.SeedSequence(seed).generate_state(n_runs, np.uint64).astype(np.uint64)


def _mus(counts: JudgmentCounts, samples: Integers, states: Unsigned, threads: int) -> Floats:
    wins, ties = (np.ascontiguousarray(part, dtype=np.float64) for part in counts)
    n_systems = wins.shape[-1]
    if wins.shape != ties.shape or wins.shape[1:] != (n_systems, n_systems):
        raise ValueError(
            f"expected wins and ties of one shape, square in systems, found {wins.shape} and "
            f"{ties.shape}"
        )
    judged = wins + wins.swapaxes(1, 2) + ties
    n_pairs = judged.sum(axis=(1, 2)) / 2
    if not (n_pairs[samples] > 0).all():
        raise ValueError("expected a judgment, found none")
    mus = np.empty((samples.size, n_systems))
    n_matches = n_pairs.astype(np.int64) + 1
    # Runs of about one length side by side, so that few lanes wait for the longest.
    longest_first = np.argsort(-n_matches[samples], kind="stable")

    def play(start: int) -> None:
        block = longest_first[start : start + LANES]
        # Lanes that are left over play the last run again.
        runs = np.append(block, np.full(LANES - block.size, block[-1]))
        distinct, of_lane = np.unique(samples[runs], return_inverse=True)
        won = wins[distinct]
        outcomes = np.zeros((*won.shape, OUTCOMES))
        outcomes[..., 0], outcomes[..., 1] = judged[distinct], won
        outcomes[..., 2] = won + won.swapaxes(1, 2)
        found = np.empty((LANES, n_systems))
        play_lanes(outcomes, of_lane, n_matches[samples[runs]], states[runs], found)
        mus[block] = found[: block.size]

    with ThreadPoolExecutor(max(threads, 1)) as executor:
        # Asking for the results raises what a thread raised.
        list(executor.map(play, range(0, samples.size, LANES)))
    never = judged.sum(axis=2) == 0
    return np.where(never[samples], np.nan, mus)
