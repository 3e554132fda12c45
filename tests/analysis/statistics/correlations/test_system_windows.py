"""Windows of systems, and SEEDA's system-level golds for length in characters as a metric."""

from pathlib import Path

import numpy as np
import pytest
from human_rankings import GJG15_SYSTEMS, SEEDA_BASE, SEEDA_SYSTEMS, expanded_pairs, read_items
from numpy.typing import NDArray

from maege.analysis.statistics.correlations.correlation import pearson, spearman
from maege.analysis.statistics.correlations.system_windows import (
    system_windows,
    window_correlations,
)

# r and rho of windows of four on ts_edit, from the best four systems down.
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
    """Mean length of the base systems' outputs over the 391 judged sentences."""
    seeda = shared / "data/human/seeda"
    items = read_items(seeda / "judgments_edit.xml", first_sentence=1)
    ids = expanded_pairs(items, SEEDA_SYSTEMS).ids
    means = []
    for system in SEEDA_BASE:
        lines = (seeda / f"outputs_all/{system}.txt").read_text(encoding="utf-8").split("\n")
        means.append(np.mean([len(lines[sentence]) for sentence in ids]))
    return np.array(means)


def published(shared: Path, name: str) -> NDArray[np.float64]:
    scores = np.loadtxt(shared / f"data/human/seeda/scores/{name}.txt")
    return scores[[SEEDA_SYSTEMS.index(system) for system in SEEDA_BASE]]


def test_windows_slide_from_the_best_system_to_the_worst() -> None:
    assert system_windows([0.1, 0.9, 0.5, 0.3], 3).tolist() == [[1, 2, 3], [2, 3, 0]]
    assert system_windows([0.1, 0.9], 2).tolist() == [[1, 0]]
    assert system_windows([0.1, 0.9], 3).shape == (0, 3)
    # Of equals the later system comes first.
    assert system_windows([0.5, 0.5, 0.9], 2).tolist() == [[2, 1], [1, 0]]


def test_correlations_within_windows_by_hand() -> None:
    # Best first: systems 3, 2, 1, 0. The metric has the upper three right and the lower three
    # (1, 3, 2) wrong in one pair: r and rho of (3, 2, 1) and (2, 3, 1) are 1/2.
    found = window_correlations([1, 2, 3, 4], [[1, 2, 3, 4], [1, 3, 2, 4]], size=3)
    assert found.pearson == pytest.approx(np.array([[1, 1], [0.5, 0.5]]))
    assert found.spearman == pytest.approx(np.array([[1, 1], [0.5, 0.5]]))


def test_windows_of_length_on_seeda_are_the_golds(
    shared: Path, lengths: NDArray[np.float64]
) -> None:
    found = window_correlations(published(shared, "TS_edit"), [lengths])
    rows = np.column_stack([found.pearson[0], found.spearman[0]])
    assert rows == pytest.approx(np.array(WINDOWS), abs=5e-4)


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
    assert pearson(lengths, human).coefficient == pytest.approx(r, abs=5e-7)
    assert spearman(lengths, human).coefficient == pytest.approx(rho, abs=5e-7)


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
        assert pearson(means, human).coefficient == pytest.approx(r, abs=5e-7)
        assert spearman(means, human).coefficient == pytest.approx(rho, abs=5e-7)


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="with 1 NaN, and 2"):
        system_windows([0.1, np.nan], 2)
    with pytest.raises(ValueError, match="at least two systems"):
        system_windows([0.1, 0.2], 1)
    with pytest.raises(ValueError, match="expected scores of 3 systems"):
        window_correlations([1, 2, 3], [[1, 2]], size=2)
