"""A test of two systems is kept as long as both are what they were."""

from typing import Any

import duckdb
import numpy as np
import pytest

from maege.analysis.stored.caches.kept_tests import KeptTests, contents

SCORES = np.array([[0.5, 1.0], [0.25, 1.0], [0.0, 1.0]])
STATISTICS = {"gleu": np.arange(12.0).reshape(3, 2, 1, 2)}
KEY = "c/r/gleu"


class Target:
    """What a model sees of dbt: its own table's name, and that it has been built before."""

    is_incremental = True
    this = "written"


class Changed:
    """What is read of the scores that changed."""

    def __init__(self) -> None:
        self.versions = {KEY: "version"}


def kept(compared: str, *named: str) -> Any:
    """Return what is kept of systems a, b and c, named so, and what `a` was tested with."""
    with duckdb.connect() as session:
        session.execute(
            "create table written (scores_key varchar, system varchar, contents varchar, "
            "compared struct(system varchar, p_value double)[])"
        )
        tests = (compared, "[]", "[]")
        for system, name, of_system in zip("abc", named, tests, strict=True):
            row = f"'{KEY}', '{system}', '{name}', {of_system}"
            session.execute(f"insert into written values ({row})")
        return KeptTests(Target(), session, Changed())  # type: ignore[arg-type]


def test_what_a_system_is_has_a_name_of_its_own() -> None:
    names = contents("settings", SCORES, STATISTICS)
    assert len(set(names)) == 3
    other_score = SCORES.copy()
    other_score[1, 0] = 0.3
    other_sum = {"gleu": STATISTICS["gleu"].copy()}
    other_sum["gleu"][1, 1, 0, 0] += 1
    for changed in (contents("settings", other_score, STATISTICS),
                    contents("settings", SCORES, other_sum)):  # fmt: skip
        assert [a == b for a, b in zip(names, changed, strict=True)] == [True, False, True]
    assert not set(names) & set(contents("others", SCORES, STATISTICS))


def test_what_was_tested_is_found_wherever_the_systems_stand_now() -> None:
    tests = kept(
        "[{system: 'b', p_value: 0.25}, {system: 'c', p_value: 0.5}]", "is_a", "is_b", "is_c"
    )
    assert tests.of(KEY, ["is_a", "is_b", "is_c"]) == {(0, 1): 0.25, (0, 2): 0.5}
    assert tests.of(KEY, ["new", "is_c", "is_a"]) == {(1, 2): 0.5}
    assert tests.of("c/other/gleu", ["is_a", "is_b", "is_c"]) == {}


@pytest.mark.parametrize("compared", ["[]", "[{system: 'b', p_value: null}]"])
def test_what_was_not_tested_is_not_known(compared: str) -> None:
    assert kept(compared, "is_a", "is_b", "is_c").of(KEY, ["is_a", "is_b", "is_c"]) == {}


def test_rows_of_an_older_version_keep_nothing() -> None:
    with duckdb.connect() as session:
        session.execute("create table written as select 'c/r/gleu' as scores_key, 'a' as system")
        tests = KeptTests(Target(), session, Changed())  # type: ignore[arg-type]
    assert tests.of(KEY, ["is_a", "is_b"]) == {}
