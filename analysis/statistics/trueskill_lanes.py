"""Runs of TrueSkill side by side: the same match of every run, then the next.

One run is a chain of matches that wait for each other. Lanes do not: what many of them do alike
becomes vector instructions, and the exponentials of one overlap with those of the next. In each
lane every operation is that of a run on its own, in the same order.

What a match reads and writes stands in the rows of one array, `work`: offsets that are constants
tell the compiler that rows do not overlap. Arrays over systems are flat as well, [system * STRIDE +
lane], and all lie in one block of memory. A row is longer than there are lanes: rows a multiple of
4096 bytes apart make the processor take a load for one of the store before it. The rows of one
system are sliced out before a loop over lanes: an index that might be negative keeps numba from
loading them side by side.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from analysis.metrics.compiled import compiled
from analysis.statistics.judged_pairs import Floats, Integers
from analysis.statistics.lane_functions import ERFC_REACH, EXP_REACH, erfc, exp, near_erfc, near_exp

LANES = 40
STRIDE = LANES + 8
# Of a word that says with whom a system was judged.
BITS = 64
SIGMA = 0.5
DRAW_PROBABILITY = 0.25
MATCHES_A_BETA = 40.0

Unsigned = NDArray[np.uint64]

# Rows of `work`: of the run, of the match, of its first and of its second system.
N_ROWS = 25
BETA, MARGIN, TOTAL, PREFERENCE = (STRIDE * row for row in range(4))
SQUARE, SCALE, NEAR, FAR, DENSITY, SHARE, V, W = (STRIDE * row for row in range(4, 12))
FIRST, MU, VARIANCE, POWER = (STRIDE * row for row in range(12, 16))
SECOND, OTHER_MU, OTHER_VARIANCE, OTHER_POWER = (STRIDE * row for row in range(16, 20))
FAR_DENSITY, FAR_SHARE, CHANCE, BETTER, DECIDED = (STRIDE * row for row in range(20, 25))
# Of two systems' judgments in a sample: how many, how many for the first, how many for either. In
# one place of memory, filled up to four numbers.
OUTCOMES = 4
# Added to the state of a generator for each of its numbers (SplitMix64).
STEP = 0x9E3779B97F4A7C15

MARGIN_A_BETA = float(special.ndtri((1 + DRAW_PROBABILITY) / 2) * math.sqrt(2))
_ROOT_HALF = math.sqrt(0.5)
_ROOT_TWO_PI = math.sqrt(2 * math.pi)


@compiled
def play_lanes(
    outcomes: Floats, sample: Integers, n_matches: Integers, states: Unsigned, mus: Floats
) -> None:
    """Write the final means of LANES runs into `mus`, of shape (LANES, systems).

    The longest run comes first, so that those that still play are always the first ones. One that
    has ended plays on, for nobody: loops of one known length have no rest that is no vector.

    Args:
        outcomes: shape (samples, systems, systems, OUTCOMES).
        sample: which of these each lane plays.
        n_matches: of each lane.
        states: of each lane's generator.
        mus: written.

    """
    n_systems = mus.shape[1]
    size = n_systems * STRIDE
    memory = np.zeros(5 * size + (1 + N_ROWS) * STRIDE)
    mu, variance = memory[:size], memory[size : 2 * size]
    power, inverse = memory[2 * size : 3 * size], memory[3 * size : 4 * size]
    reach, work = memory[4 * size : 5 * size + STRIDE], memory[5 * size + STRIDE :]
    # exp(-|a - b|) is the smaller of e^a / e^b and e^b / e^a: two exponentials a match, not n.
    for place in range(size):
        power[place], inverse[place] = 1.0, 1.0
    for lane in range(LANES):
        work[BETA + lane] = SIGMA * n_matches[lane] / MATCHES_A_BETA
        work[MARGIN + lane] = MARGIN_A_BETA * work[BETA + lane]
    met = _opponents(outcomes, sample, variance)
    cell, opponents = np.zeros(LANES, np.int64), np.zeros(LANES, np.uint64)
    state, judgments = states.copy(), outcomes.ravel()
    active = LANES
    for match in range(n_matches[0]):
        while n_matches[active - 1] <= match:
            active -= 1
            _keep(mu, active, mus)
        _take_first(work, variance, n_systems)
        for lane in range(LANES):
            cell[lane] = (sample[lane] * n_systems + int(work[FIRST + lane])) * n_systems
        _reach(work, power, inverse, met, opponents, reach, n_systems)
        _draw(work, reach, state, n_systems)
        _take_second(work, reach, n_systems)
        _judge(work, judgments, cell)
        for lane in range(LANES):
            first = int(work[FIRST + lane]) * STRIDE + lane
            second = int(work[SECOND + lane]) * STRIDE + lane
            work[MU + lane], work[OTHER_MU + lane] = mu[first], mu[second]
            work[VARIANCE + lane], work[OTHER_VARIANCE + lane] = variance[first], variance[second]
        update(work)
        _exponentials(work[MU:VARIANCE], work[POWER:SECOND])
        _exponentials(work[OTHER_MU:OTHER_VARIANCE], work[OTHER_POWER:FAR_DENSITY])
        for lane in range(LANES):
            first = int(work[FIRST + lane]) * STRIDE + lane
            second = int(work[SECOND + lane]) * STRIDE + lane
            mu[first], mu[second] = work[MU + lane], work[OTHER_MU + lane]
            variance[first], variance[second] = work[VARIANCE + lane], work[OTHER_VARIANCE + lane]
            power[first], power[second] = work[POWER + lane], work[OTHER_POWER + lane]
            inverse[first] = np.divide(1.0, work[POWER + lane])
            inverse[second] = np.divide(1.0, work[OTHER_POWER + lane])
    for lane in range(active):
        _keep(mu, lane, mus)


@compiled
def _keep(mu: Floats, lane: int, mus: Floats) -> None:
    for system in range(mus.shape[1]):
        mus[lane, system] = mu[system * STRIDE + lane]


@compiled
def update(work: Floats) -> None:
    """Update means and variances of both systems by one judgment, lane by lane.

    BETA, MARGIN and PREFERENCE are read beside them: 1 where the first system is better, -1 where
    the second is, 0 for a draw.
    """
    _measure(work)
    _normal(work[NEAR:FAR], work[DENSITY:SHARE], work[SHARE:V], 1.0)
    _normal(work[FAR:DENSITY], work[FAR_DENSITY:FAR_SHARE], work[FAR_SHARE:CHANCE], -1.0)
    # What a win says and what a draw says, for all lanes: a branch for each would be guessed wrong.
    for lane in range(LANES):
        above, below = work[NEAR + lane], work[FAR + lane]
        density_above, density_below = work[DENSITY + lane], work[FAR_DENSITY + lane]
        hazard = np.divide(density_above, work[SHARE + lane])
        inside = work[SHARE + lane] - work[FAR_SHARE + lane]
        v = np.divide(density_below - density_above, inside)
        w = v * v + np.divide(above * density_above + below * density_below, inside)
        preference = work[PREFERENCE + lane]
        work[V + lane] = v if preference == 0 else preference * hazard
        work[W + lane] = w if preference == 0 else hazard * (hazard + above)
    for lane in range(LANES):
        v, w = work[V + lane], work[W + lane]
        scale, square = work[SCALE + lane], work[SQUARE + lane]
        own, other = work[VARIANCE + lane], work[OTHER_VARIANCE + lane]
        work[MU + lane] += np.divide(v * own, scale)
        work[OTHER_MU + lane] -= np.divide(v * other, scale)
        work[VARIANCE + lane] = own * (1 - np.divide(w * own, square))
        work[OTHER_VARIANCE + lane] = other * (1 - np.divide(w * other, square))


@compiled
def _opponents(outcomes: Floats, sample: Integers, variance: Floats) -> Unsigned:
    """Return whom each lane's systems were judged with: bits of shape (words, systems * LANES).

    Writes the variance that systems begin with.
    """
    n_systems = outcomes.shape[1]
    met = np.zeros((n_systems // BITS + 1, n_systems * LANES), np.uint64)
    for lane in range(LANES):
        for system in range(n_systems):
            for other in range(n_systems):
                if outcomes[sample[lane], system, other, 0] > 0:
                    # A system without judgments has no variance to lose and is never taken.
                    variance[system * STRIDE + lane] = SIGMA * SIGMA
                    bit = np.uint64(1) << np.uint64(other % BITS)
                    met[other // BITS, system * LANES + lane] |= bit
    return met


@compiled
def _measure(work: Floats) -> None:
    """Write c^2, c, and where the first system stands: for a win t - e, for a draw e -/+ t."""
    for lane in range(LANES):
        beta, preference = work[BETA + lane], work[PREFERENCE + lane]
        square = 2 * beta * beta + work[VARIANCE + lane] + work[OTHER_VARIANCE + lane]
        scale = math.sqrt(square)
        width = np.divide(work[MARGIN + lane], scale)
        lead = np.divide(work[MU + lane] - work[OTHER_MU + lane], scale)
        work[SQUARE + lane] = square
        work[SCALE + lane] = scale
        work[NEAR + lane] = width - lead if preference == 0 else preference * lead - width
        work[FAR + lane] = width + lead


@compiled
def _take_first(work: Floats, variance: Floats, n_systems: int) -> None:
    """Write which system has the largest variance, the first of equal ones."""
    for lane in range(LANES):
        work[VARIANCE + lane] = variance[lane]
        work[FIRST + lane] = 0.0
    for system in range(1, n_systems):
        number, row = float(system), variance[system * STRIDE : (system + 1) * STRIDE]
        for lane in range(LANES):
            found, largest = row[lane], work[VARIANCE + lane]
            work[FIRST + lane] = number if found > largest else work[FIRST + lane]
            work[VARIANCE + lane] = found if found > largest else largest


@compiled
def _reach(
    work: Floats,
    power: Floats,
    inverse: Floats,
    met: Unsigned,
    opponents: Unsigned,
    reach: Floats,
    n_systems: int,
) -> None:
    """Write what the systems up to each one add to the chances of an opponent; none adds 0."""
    for lane in range(LANES):
        first = int(work[FIRST + lane]) * STRIDE + lane
        work[POWER + lane], work[OTHER_POWER + lane] = power[first], inverse[first]
    for system in range(n_systems):
        start = system * STRIDE
        if system % BITS == 0:
            for lane in range(LANES):
                place = int(work[FIRST + lane]) * LANES + lane
                opponents[lane] = met[system // BITS, place]
        bit = np.uint64(1) << np.uint64(system % BITS)
        powers, inverses = power[start : start + STRIDE], inverse[start : start + STRIDE]
        before, after = reach[start : start + STRIDE], reach[start + STRIDE : start + 2 * STRIDE]
        for lane in range(LANES):
            below = work[POWER + lane] * inverses[lane]
            above = powers[lane] * work[OTHER_POWER + lane]
            chance = below if below < above else above
            added = chance if opponents[lane] & bit else 0.0
            after[lane] = before[lane] + added


@compiled
def _draw(work: Floats, reach: Floats, state: Unsigned, n_systems: int) -> None:
    """Write a place at random within all that is reached, and a number in [0, 1)."""
    end = reach[n_systems * STRIDE : (n_systems + 1) * STRIDE]
    for lane in range(LANES):
        work[TOTAL + lane] = end[lane] * _uniform(state[lane] + np.uint64(STEP))
    for lane in range(LANES):
        work[CHANCE + lane] = _uniform(state[lane] + np.uint64(STEP) + np.uint64(STEP))
    for lane in range(LANES):
        state[lane] += np.uint64(STEP) + np.uint64(STEP)


@compiled
def _take_second(work: Floats, reach: Floats, n_systems: int) -> None:
    """Write the opponent: how many systems' reach ends before the place at random."""
    for lane in range(LANES):
        work[SECOND + lane] = 0.0
    for system in range(n_systems):
        row = reach[(system + 1) * STRIDE : (system + 2) * STRIDE]
        for lane in range(LANES):
            work[SECOND + lane] += 1.0 if row[lane] <= work[TOTAL + lane] else 0.0


@compiled
def _judge(work: Floats, judgments: Floats, cell: Integers) -> None:
    """Write the preference of one of the two systems' judgments."""
    for lane in range(LANES):
        place = (cell[lane] + int(work[SECOND + lane])) * OUTCOMES
        work[CHANCE + lane] *= judgments[place]
        work[BETTER + lane], work[DECIDED + lane] = judgments[place + 1], judgments[place + 2]
    for lane in range(LANES):
        # Who is better is decided, too: 2 - 1 for the first, 0 - 1 for the second, 0 for a draw.
        better = 2.0 if work[CHANCE + lane] < work[BETTER + lane] else 0.0
        decided = 1.0 if work[CHANCE + lane] < work[DECIDED + lane] else 0.0
        work[PREFERENCE + lane] = better - decided


@compiled
def _exponentials(numbers: Floats, found: Floats) -> None:
    beyond = 0
    for lane in range(LANES):
        found[lane] = near_exp(numbers[lane])
        beyond += 0 if abs(numbers[lane]) < EXP_REACH else 1
    if beyond > 0:
        for lane in range(LANES):
            found[lane] = exp(numbers[lane])


@compiled
def _normal(numbers: Floats, densities: Floats, shares: Floats, sign: float) -> None:
    """Write the standard normal distribution's density of x, and its share below sign * x."""
    beyond = 0
    for lane in range(LANES):
        x = numbers[lane]
        densities[lane] = np.divide(near_exp(-0.5 * x * x), _ROOT_TWO_PI)
        shares[lane] = 0.5 * near_erfc(-sign * x * _ROOT_HALF)
        beyond += 0 if abs(x * _ROOT_HALF) < ERFC_REACH else 1
    if beyond > 0:
        for lane in range(LANES):
            x = numbers[lane]
            densities[lane] = np.divide(exp(-0.5 * x * x), _ROOT_TWO_PI)
            shares[lane] = 0.5 * erfc(-sign * x * _ROOT_HALF)


@compiled
def _uniform(state: np.uint64) -> float:
    """Return the number in [0, 1) that SplitMix64 makes of a state (Steele, Lea, Flood 2014)."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53
