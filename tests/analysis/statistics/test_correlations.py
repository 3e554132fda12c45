"""Pearson, Spearman, Kendall's W and windows of systems."""

from pathlib import Path

import numpy as np
import pytest
from human_rankings import GJG15_SYSTEMS, SEEDA_BASE, SEEDA_SYSTEMS, seeda_lengths, seeda_pairs
from numpy.typing import NDArray
from scipy import stats

from maege.analysis.statistics.correlations import (
    COEFFICIENTS,
    concordance,
    correlation_intervals,
    correlation_p_values,
    pearson_of_rows,
    spearman_of_rows,
    system_windows,
)

# --- Correlation coefficients: results by hand and by SciPy ---


def test_pearson_and_spearman_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-4/3, 2/3, 2/3): 2 / sqrt(2 * 24/9) = sqrt(3) / 2. With n = 3 the
    # density of r is 1 / (pi sqrt(1 - r^2)), so p = 1 - (2 / pi) asin(r) = 1/3.
    r = pearson_of_rows([1, 2, 3], [1, 3, 3])
    assert r == pytest.approx(np.sqrt(3) / 2, abs=1e-15)
    assert correlation_p_values(r, 3) == pytest.approx(1 / 3, abs=1e-14)

    # Ranks (1, 2.5, 2.5, 4) and (1, 2, 3, 4): covariance 4.5, squares 4.5 and 5.
    rho = spearman_of_rows([10, 20, 20, 90], [1, 2, 3, 4])
    assert rho == pytest.approx(np.sqrt(0.9), abs=1e-15)
    # Two degrees of freedom: P(|t| > x) = 1 - x / sqrt(2 + x^2), and x^2 = 2 * 0.9 / 0.1 = 18.
    assert correlation_p_values(rho, 4) == pytest.approx(1 - np.sqrt(18) / np.sqrt(20), abs=1e-15)


# --- Intervals of correlations with both sides resampled: by hand, and by SciPy for each row ---


def test_rows_are_correlated_with_the_same_rows() -> None:
    generator = np.random.default_rng(5)
    left, right = generator.integers(0, 6, size=(2, 3, 40, 7)).astype(float)
    for ours, theirs in ((pearson_of_rows, stats.pearsonr), (spearman_of_rows, stats.spearmanr)):
        expected = [
            [theirs(a, b).statistic for a, b in zip(*rows, strict=True)]
            for rows in zip(left, right, strict=True)
        ]
        np.testing.assert_allclose(ours(left, right), expected, atol=1e-12)
        # One row of human scores for all metrics broadcasts.
        single = [[theirs(a, right[0, 0]).statistic for a in rows] for rows in left]
        np.testing.assert_allclose(ours(left, right[0, 0]), single, atol=1e-12)
    p_values = [[stats.pearsonr(a, right[0, 0]).pvalue for a in rows] for rows in left]
    p = correlation_p_values(pearson_of_rows(left, right[0, 0]), 7)
    np.testing.assert_allclose(p, p_values, atol=1e-12)


def test_constant_short_or_missing_rows_are_undefined() -> None:
    rows = [[0.1, 0.1, 0.1], [1.0, np.nan, 2.0], [1.0, 2.0, 3.0]]
    for correlate in (pearson_of_rows, spearman_of_rows):
        np.testing.assert_array_equal(correlate(rows, [1.0, 2.0, 4.0])[:2], [np.nan, np.nan])
        assert correlate(rows, [1.0, 2.0, 4.0])[2] > 0.9
        assert np.isnan(correlate([[1.0]], [2.0])).all()


def test_interval_by_hand() -> None:
    # Four samples of three systems in which rho is 1, 1/2, -1 and undefined.
    human_samples = [[3, 2, 1], [3, 2, 1], [1, 2, 3], [3, 2, 1]]
    score_samples = [[[9, 5, 1], [5, 9, 1], [9, 5, 1], [7, 7, 7]]]
    intervals = correlation_intervals(human_samples, score_samples, "spearman", level=0.5)
    # By Hazen's rule the quartiles of -1, 1/2, 1 are at positions 3 * .25 + .5 = 1.25 and 2.75.
    assert intervals.low == pytest.approx([-1 + 0.25 * 1.5])
    assert intervals.high == pytest.approx([0.5 + 0.75 * 0.5])
    assert intervals.n_samples.tolist() == [3]


# --- Kendall's W by hand ---


def test_orders_by_hand() -> None:
    assert concordance([[1, 2, 3], [10, 20, 30]]) == pytest.approx((1, 1))
    assert concordance([[1, 2, 3], [3, 2, 1]]) == pytest.approx((0, -1))

    # Sums of ranks 4, 6, 8 about 6: 12 * 8 / (9 * 24) = .444; rho of pairs is .5, .5 and -.5.
    agreement = concordance([[1, 2, 3], [1, 3, 2], [2, 1, 3]])
    assert agreement == pytest.approx((12 * 8 / 216, (3 * 12 * 8 / 216 - 1) / 2))
    assert agreement is not None
    assert agreement.mean_rho == pytest.approx((0.5 + 0.5 - 0.5) / 3)

    # Ranks 1.5, 1.5, 3 twice: 12 * 6 / (4 * 24 - 2 * 12) = 1.
    agreement = concordance([[1, 1, 2], [5, 5, 9]])
    assert agreement is not None
    assert agreement.w == pytest.approx(1)


@pytest.mark.parametrize("scores", [[[1, 2]], [[1], [2]], [[1, 1], [2, 2]]])
def test_what_orders_nothing_has_none(scores: list[list[float]]) -> None:
    assert concordance(scores) is None


# --- Windows of systems, and SEEDA's system-level values with length in characters as a metric ---

# r and rho of windows of four on ts_edit, starting with the best four systems.
WINDOWS = [
    (-0.127, 0.20),
    (0.590, 0.80),
    (0.155, 0.40),
    (0.121, 0.40),
    (0.024, 0.00),
    (-0.021, 0.20),
    (-0.162, -0.40),
    (-0.231, -0.40),
    (0.408, 0.40),
]


@pytest.fixture(scope="module")
def lengths(shared: Path) -> NDArray[np.float64]:
    ids = seeda_pairs(shared, "edit").ids
    means: NDArray[np.float64] = seeda_lengths(shared, ids).mean(axis=1)
    return means


def published(shared: Path, name: str) -> NDArray[np.float64]:
    scores = np.loadtxt(shared / f"data/human/seeda/scores/{name}.txt")
    return scores[[SEEDA_SYSTEMS.index(system) for system in SEEDA_BASE]]


def test_windows_slide_from_the_best_system_to_the_worst() -> None:
    assert system_windows([0.1, 0.9, 0.5, 0.3], 3).tolist() == [[1, 2, 3], [2, 3, 0]]
    assert system_windows([0.1, 0.9], 2).tolist() == [[1, 0]]
    assert system_windows([0.1, 0.9], 3).shape == (0, 3)
    # Among equal scores, the later system comes first.
    assert system_windows([0.5, 0.5, 0.9], 2).tolist() == [[2, 1], [1, 0]]


def test_windows_of_length_on_seeda_are_the_golds(
    shared: Path, lengths: NDArray[np.float64]
) -> None:
    human = published(shared, "TS_edit")
    windows = system_windows(human)
    r, rho = (of_rows(lengths[windows], human[windows]) for of_rows in COEFFICIENTS.values())
    assert np.column_stack([r, rho]) == pytest.approx(np.array(WINDOWS), abs=5e-4)


@pytest.mark.parametrize(
    ("scores", "r", "rho"),
    [
        ("EW_edit", 0.427367, 0.454545),
        ("EW_sent", 0.453208, 0.545455),
        ("TS_edit", 0.483465, 0.594406),
        ("TS_sent", 0.488042, 0.552448),
    ],
)
def test_length_on_seeda_is_the_gold(
    shared: Path, lengths: NDArray[np.float64], scores: str, r: float, rho: float
) -> None:
    human = published(shared, scores)
    assert pearson_of_rows(lengths, human) == pytest.approx(r, abs=5e-7)
    assert spearman_of_rows(lengths, human) == pytest.approx(rho, abs=5e-7)


def test_length_on_gjg15_is_the_gold(shared: Path) -> None:
    expected_wins = [0.628, 0.561, 0.550, 0.485, 0.456, 0.300, 0.437]
    expected_wins += [0.506, 0.539, 0.566, 0.463, 0.513, 0.495]
    trueskill = [0.273, 0.182, 0.105, -0.055, -0.062, -0.358, -0.142]
    trueskill += [-0.001, 0.080, 0.114, -0.074, -0.041, -0.022]
    outputs = shared / "data/conll14/outputs"
    means = []
    for name in GJG15_SYSTEMS:
        lines = (outputs / name).read_text(encoding="utf-8").split("\n")[:1312]
        # Three of the files end every line with a space.
        means.append(np.mean([len(line.rstrip()) for line in lines]))
    for human, r, rho in (
        (expected_wins, -0.175094, -0.016484),
        (trueskill, -0.223300, -0.060440),
    ):
        assert pearson_of_rows(means, human) == pytest.approx(r, abs=5e-7)
        assert spearman_of_rows(means, human) == pytest.approx(rho, abs=5e-7)
