"""One run of TrueSkill after the other, match by match, as a loop that waits for each result.

What analysis/statistics/trueskill_lanes.py is measured and tested against: the same operations in
the same order, without lanes. It is compiled as well, so that only the lanes make the difference.
"""

import math

import numpy as np
from numpy.typing import NDArray

from analysis.metrics.compiled import compiled
from analysis.statistics.judged_pairs import Floats, JudgmentCounts
from analysis.statistics.lane_functions import erfc, exp
from analysis.statistics.trueskill_lanes import MARGIN_A_BETA, MATCHES_A_BETA, SIGMA

Unsigned = NDArray[np.uint64]

ROOT_HALF = math.sqrt(0.5)
ROOT_TWO_PI = math.sqrt(2 * math.pi)


def plain_resamples(counts: JudgmentCounts, seed: int) -> Floats:
    """Return what `trueskill_resamples` returns for samples that all have judgments."""
    wins, ties = counts
    judged = wins + wins.swapaxes(1, 2) + ties
    states = np.random.SeedSequence(seed).generate_state(len(wins), np.uint64).astype(np.uint64)
    mus = np.empty(wins.shape[:2])
    for sample, mu in enumerate(mus):
        n_matches = int(judged[sample].sum() / 2) + 1
        _play(wins[sample], judged[sample], n_matches, states[sample : sample + 1], mu)
    mus[judged.sum(axis=2) == 0] = np.nan
    return mus


@compiled
def _play(wins: Floats, judged: Floats, n_matches: int, state: Unsigned, mu: Floats) -> None:
    n_systems = mu.size
    beta = SIGMA * n_matches / MATCHES_A_BETA
    margin = MARGIN_A_BETA * beta
    variance = np.zeros(n_systems)
    mu[:] = 0.0
    # exp(-|a - b|) is the smaller of e^a / e^b and e^b / e^a: two exponentials a match, not n.
    power = np.ones(n_systems)
    inverse = np.ones(n_systems)
    reach = np.empty(n_systems)
    for system in range(n_systems):
        # A system without judgments has no variance to lose and is never taken.
        if judged[system].sum() > 0:
            variance[system] = SIGMA * SIGMA
    for _ in range(n_matches):
        first = 0
        for system in range(1, n_systems):
            if variance[system] > variance[first]:
                first = system
        total = 0.0
        for system in range(n_systems):
            if judged[first, system] > 0:
                total += min(power[first] * inverse[system], power[system] * inverse[first])
            reach[system] = total
        place = _uniform(state) * total
        second = 0
        while reach[second] <= place:
            second += 1
        place = _uniform(state) * judged[first, second]
        if place < wins[first, second]:
            preference = 1
        elif place < wins[first, second] + wins[second, first]:
            preference = -1
        else:
            preference = 0
        _update(mu, variance, first, second, preference, beta, margin)
        for system in (first, second):
            power[system] = exp(mu[system])
            inverse[system] = 1 / power[system]


@compiled
def _update(
    mu: Floats,
    variance: Floats,
    first: int,
    second: int,
    preference: int,
    beta: float,
    margin: float,
) -> None:
    square = 2 * beta * beta + variance[first] + variance[second]
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
    mu[first] += v * variance[first] / scale
    mu[second] -= v * variance[second] / scale
    variance[first] *= 1 - w * variance[first] / square
    variance[second] *= 1 - w * variance[second] / square


@compiled
def _density(x: float) -> float:
    return exp(-0.5 * x * x) / ROOT_TWO_PI


@compiled
def _below(x: float) -> float:
    """Return the standard normal distribution's share below x."""
    return 0.5 * erfc(-x * ROOT_HALF)


@compiled
def _uniform(state: Unsigned) -> float:
    """Return the next number in [0, 1) of SplitMix64 (Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53
