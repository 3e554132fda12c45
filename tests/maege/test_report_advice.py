"""What the first screen tells somebody who organises a shared task."""

from typing import Any

import pytest

from maege.report.sections.advice import advice
from maege.report.sections.tasks import TASKS, Standing, standing_of

CORPORA = TASKS[1]
# Three metrics with the range of their draws, and chance.
RHOS = {
    "flowery": (0.94, 0.84, 0.99),
    "solid": (0.89, 0.72, 0.96),
    "alike": (0.80, 0.60, 0.90),
    "weak": (0.60, 0.40, 0.70),
    "chance_random": (0.10, -0.50, 0.50),
}


def metric(name: str, rho: tuple[float, float, float]) -> dict[str, Any]:
    """A row of the verdict."""
    return {
        "corpus": "one", "mode": "paper", "metric": name, "tied_share": 0.0, "no_rank": None,
        "metric_group": "chance" if name.startswith("chance") else "texts",
        "draws_median": rho[0], "draws_low": rho[1], "draws_high": rho[2],
        "draws_median_q": 0.4 if name == "weak" else 0.01, "draws_chance": 0.0,
    }  # fmt: skip


def trick(name: str, n_beaten: int, kind: str = "constant") -> dict[str, Any]:
    """An output made by rule, beside ten systems."""
    return {
        "metric": name, "trick": kind, "n_beaten": n_beaten, "n_systems": 10,
        "beaten_share": n_beaten / 10,
    }  # fmt: skip


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    """The metrics of a corpus."""
    return [metric(name, rho) for name, rho in RHOS.items()]


@pytest.fixture
def standings(rows: list[dict[str, Any]]) -> list[Standing]:
    """Who stands where at ranking corpora."""
    standing = standing_of(CORPORA, rows, {})
    assert standing is not None
    return [standing]


def test_who_is_fooled_is_not_to_be_taken_and_with_what_is_said(
    standings: list[Standing], rows: list[dict[str, Any]]
) -> None:
    tricks = [trick("flowery", 10), trick("solid", 5, "source"), trick("alike", 0)]
    first, alike, seeming = advice(standings, rows, tricks)
    # Half of the systems is not most of them; of `weak` nobody has tried.
    assert first.startswith(
        "For a shared task, take solid. By it, corpora of known quality are ranked with rho .89 "
        "[.72, .96] and no output made by rule scores above most systems."
    )
    assert alike == "alike does as well, as far as this corpus can tell."
    assert seeming == (
        "First, but easily fooled: flowery (rho .94 [.84, .99]; one constant sentence scores above "
        "10 of 10 systems)."
    )


def test_without_outputs_made_by_rule_the_best_is_taken(
    standings: list[Standing], rows: list[dict[str, Any]]
) -> None:
    first, alike = advice(standings, rows, [])
    assert first.startswith("For a shared task, take flowery.")
    assert "output" not in first
    # The range of `weak` ends below where that of `flowery` begins.
    assert alike == "solid and alike do as well, as far as this corpus can tell."


def test_where_judges_tell_none_from_chance_corpora_decide_and_that_is_said(
    rows: list[dict[str, Any]],
) -> None:
    for row in rows:
        row |= {"pearson_r": 0.5, "pearson_ci_low": -0.1, "pearson_ci_high": 0.8}
    standings = [s for task in (CORPORA, TASKS[3]) if (s := standing_of(task, rows, {}))]
    first, *_ = advice(standings, rows, [])
    assert first.startswith(
        "For a shared task, take flowery. By it, corpora of known quality are ranked with rho .94 "
        "[.84, .99] and systems are scored as by judges with r .50 [-.10, .80] (chance comes as "
        "far)."
    )


def test_where_all_are_fooled_none_is_named(
    standings: list[Standing], rows: list[dict[str, Any]]
) -> None:
    tricks = [trick(name, 6, "empty") for name in RHOS]
    first, seeming = advice(standings, rows, tricks)
    assert "no metric can be named" in first
    assert "nothing at all scores above 6 of 10 systems" in seeming


def test_without_a_task_that_ranks_systems_nothing_is_advised(rows: list[dict[str, Any]]) -> None:
    assert advice([], rows, []) == ()
