"""What would settle a question: sums done by hand, and what the command says."""

import json
from pathlib import Path

import pytest
from small_corpus import maege
from small_marts import publish

from maege.plan.answers import Seen, judges_needed, plan

# An interval of a standard error of .04.
WIDTH = 0.04 * 1.959964


def seen(difference: float, n: int, unit: str = "sentences") -> Seen:
    """Two that differ so much."""
    ends = (difference - WIDTH, difference + WIDTH)
    return Seen("a", "b", "", "tau", difference, *ends, unit, n, 5, ())


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Marts made by hand."""
    return publish(tmp_path_factory.mktemp("plan") / "warehouse")


def test_the_difference_that_is_asked_for_decides_how_many_are_needed() -> None:
    # 100 * 7.8489 / 4 for two standard errors, four times as many for one.
    assert plan(seen(0.08, 100), None, None).needed == 197
    assert plan(seen(0.08, 100), 0.04, None).needed == 785
    assert plan(seen(0, 100), None, None).needed is None


def test_systems_pay_three_degrees_and_are_never_fewer_than_the_least() -> None:
    # (13 - 3) * 7.8489 / 4 = 19.6, and the three.
    assert plan(seen(0.08, 13, "systems"), None, None).needed == 23
    assert plan(seen(0.8, 13, "systems"), None, None).needed == 5


def test_what_differs_by_more_than_the_margin_is_never_equal() -> None:
    assert plan(seen(0.08, 100), None, 0.08).needed_to_equal is None
    # 100 * 6.1826 where one standard error of the margin is left.
    assert plan(seen(0.04, 100), None, 0.08).needed_to_equal == 619


def test_judges_step_up_as_spearman_and_brown_have_it() -> None:
    # Eight judges of .8 together: one has 1/3, and .9 takes 8 * .9 * .2 / (.8 * .1).
    assert judges_needed(0.8, 8, 0.9) == 18


def test_plan_says_what_it_assumes_and_says_it_to_scripts(warehouse: Path) -> None:
    arguments = ("plan", "metrics", "gleu", "fluency", "--corpus", "one")
    said = maege(warehouse, *arguments)
    assert "gleu - fluency is -.100 [-.178, -.022]" in said.output
    assert "Assumed:" in said.output
    answer = json.loads(maege(warehouse, *arguments, "--json").output)
    # .04 / .1 of a hundred: 100 * 7.8489 * .16.
    assert answer["sentences_needed"] == 126
    assert answer["assumptions"]


def test_plan_names_what_lacks(warehouse: Path) -> None:
    few = maege(warehouse, "plan", "metrics", "gleu", "m2", "--at", "judges")
    assert few.exit_code == 2
    assert "At least 5 systems" in " ".join(few.output.split())
    none = maege(warehouse, "plan", "metrics", "gleu", "m2")
    assert none.exit_code == 2
    assert "do not compare gleu and m2" in " ".join(none.output.split())
