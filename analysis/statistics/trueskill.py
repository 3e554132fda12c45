"""TrueSkill by the recipe of the Workshop on Machine Translation (WMT), for many runs at once.

Herbrich, Minka and Graepel (2006), "TrueSkill: a Bayesian skill rating system"; for systems judged
in pairs Sakaguchi, Post and Van Durme (2014), "Efficient elicitation of annotations for human
evaluation of machine translation", whose program computed the published scores of error correction.

A system's skill is a normal variable, initially N(0, .5^2). From `pairs` judgments a run samples N
= pairs + 1 matches. Each match takes the system with the largest variance, an opponent with a
probability proportional to exp(-|difference of means|), and one of the judgments of the two systems
with replacement. It updates both systems by the closed form for two players, where with

    c^2 = 2 beta^2 + var_a + var_b,   t = (mu_a - mu_b) / c,   e = margin / c

a win of a adds v var / c to mu_a (and subtracts it from mu_b), and scales var by 1 - w var / c^2:

    win:   v = phi(t - e) / Phi(t - e),                        w = v (v + t - e)
    draw:  v = (phi(-e - t) - phi(e - t)) / (Phi(e - t) - Phi(-e - t)),
           w = v^2 + ((e - t) phi(e - t) + (e + t) phi(e + t)) / (Phi(e - t) - Phi(-e - t))

beta = .5 N / 40, and margin = Phi^-1((1 + .25) / 2) sqrt(2) beta for draws of probability .25. Only
the numbers of wins and ties matter, so a run needs no list of judgments. The score is the mean of
mu over runs.
"""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray
from scipy import special

from maege.analysis.metrics.compiled import compiled
from maege.analysis.statistics.judgments import JudgmentCounts
from maege.analysis.statistics.resampling import Floats, Integers

SIGMA = 0.5
DRAW_PROBABILITY = 0.25
MATCHES_A_BETA = 40.0

_MARGIN_A_BETA = float(special.ndtri((1 + DRAW_PROBABILITY) / 2) * math.sqrt(2))
_ROOT_HALF = math.sqrt(0.5)
_ROOT_TWO_PI = math.sqrt(2 * math.pi)

Unsigned = NDArray[np.uint64]


def trueskill_runs(counts: JudgmentCounts, n_runs: int, seed: int, threads: int = 1) -> Floats:
    """Return each system's mu after each run, shape (n_runs, n_systems).

    A system without judgments has NaN.
    """
    all_counts = JudgmentCounts(counts.wins[np.newaxis], counts.ties[np.newaxis])
    return _mus(all_counts, np.zeros(n_runs, np.int64), _states(seed, n_runs), threads)


def trueskill_resamples(counts: JudgmentCounts, seed: int, threads: int = 1) -> Floats:
    """Return each system's mu after one run on each sample of `resampled_counts`.

    Shape (n_samples, n_systems). NaN for a system without judgments in a sample.
    """
    has_judgments = (counts.wins + counts.ties).any(axis=(1, 2))
    mus = np.full(counts.wins.shape[:2], np.nan)
    mus[has_judgments] = _mus(
        counts, np.flatnonzero(has_judgments), _states(seed, len(mus))[has_judgments], threads
    )
    return mus


def _states(seed: int, n_runs: int) -> Unsigned:
    return np.random.SeedSequence(seed).generate_state(n_runs, np.uint64).astype(np.uint64)


def _mus(counts: JudgmentCounts, samples: Integers, states: Unsigned, threads: int) -> Floats:
    wins, ties = (np.ascontiguousarray(part, dtype=np.float64) for part in counts)
    n_systems = wins.shape[-1]
    n_judged = wins + wins.swapaxes(1, 2) + ties
    n_pairs = n_judged.sum(axis=(1, 2)) / 2
    mus = np.empty((samples.size, n_systems))
    n_matches = n_pairs.astype(np.int64) + 1

    def play(run: int) -> None:
        sample = samples[run]
        state = states[run : run + 1].copy()
        _play(wins[sample], n_judged[sample], n_matches[sample], state, mus[run])

    with ThreadPoolExecutor(max(threads, 1)) as executor:
        # Reading the results raises the exceptions of the threads.
        list(executor.map(play, range(samples.size)))
    never = n_judged.sum(axis=2) == 0
    return np.where(never[samples], np.nan, mus)


@compiled()
def _play(wins: Floats, n_judged: Floats, n_matches: int, state: Unsigned, mu: Floats) -> None:
    n_systems = mu.size
    beta = SIGMA * n_matches / MATCHES_A_BETA
    variance = np.zeros(n_systems)
    mu[:] = 0.0
    # exp(-|a - b|) is the smaller of e^a / e^b and e^b / e^a: two exponentials per match instead of
    # n.
    power = np.ones(n_systems)
    inverse = np.ones(n_systems)
    reach = np.empty(n_systems)
    # Sums and comparisons in place of branches, which the processor cannot predict.
    is_judged = (n_judged > 0).astype(np.float64)
    decided = wins + wins.T
    for system in range(n_systems):
        # A system without judgments has variance 0, so it is never selected.
        if n_judged[system].sum() > 0:
            variance[system] = SIGMA * SIGMA
    for _ in range(n_matches):
        first = 0
        for system in range(1, n_systems):
            if variance[system] > variance[first]:
                first = system
        total = 0.0
        for system in range(n_systems):
            near = min(power[first] * inverse[system], power[system] * inverse[first])
            total += is_judged[first, system] * near
            reach[system] = total
        place = _uniform(state) * total
        second = 0
        for system in range(n_systems):
            second += reach[system] <= place
        place = _uniform(state) * n_judged[first, second]
        is_tied, is_lost = place >= decided[first, second], place >= wins[first, second]
        preference = 0 if is_tied else 1 - 2 * is_lost
        update_ratings(mu, variance, first, second, preference, beta)
        for system in (first, second):
            power[system] = math.exp(mu[system])
            inverse[system] = 1 / power[system]


@compiled()
def update_ratings(
    mu: Floats, variance: Floats, first: int, second: int, preference: int, beta: float
) -> None:
    margin = _MARGIN_A_BETA * beta
    var_a, var_b = variance[first], variance[second]
    square = 2 * beta * beta + var_a + var_b
    scale = math.sqrt(square)
    width = margin / scale
    lead = (mu[first] - mu[second]) / scale
    if preference == 0:
        above, below = width - lead, width + lead
        density_above, density_below = _density(above), _density(below)
        inside = _below(above) - _below(-below)
        v = (density_below - density_above) / inside
        w = v * v + (above * density_above + below * density_below) / inside
    else:
        x = preference * lead - width
        hazard = _density(x) / _below(x)
        v = preference * hazard
        w = hazard * (hazard + x)
    mu[first] += v * var_a / scale
    mu[second] -= v * var_b / scale
    variance[first] = var_a * (1 - w * var_a / square)
    variance[second] = var_b * (1 - w * var_b / square)


@compiled()
def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / _ROOT_TWO_PI


@compiled()
def _below(x: float) -> float:
    return 0.5 * math.erfc(-x * _ROOT_HALF)


@compiled()
def _uniform(state: Unsigned) -> float:
    """Return the next number in [0, 1) of SplitMix64 (Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53
