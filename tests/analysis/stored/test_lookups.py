"""Where the warehouse has a printed number."""

from typing import Any

import duckdb
import pytest

from maege.analysis.papers.numbers import look_up

SCORES = """
    select * from (values
        ('a', 1, null, 0.25), ('a', 2, null, 0.75), ('a', 2, 'x', 0.5), ('b', 1, null, 0.125)
    ) as scores (corpus, n, system, score)
"""


def looked_up(*published: dict[str, str]) -> list[Any]:
    session = duckdb.connect()
    columns = (
        *("paper", "exhibit", "row_label", "column_label", "mart", "measure", "reproduced_key"),
        *("corrected_mart", "corrected_measure", "corrected_key", "band_low", "band_high"),
    )
    marts = {"scores": session.sql(SCORES), "others": session.sql("select 'a' as corpus, 7 as n")}
    rows = [dict.fromkeys(columns) | {"mart": "scores"} | row for row in published]
    names = ("reproduced", "corrected", "band_low", "band_high")
    return [{k: v for k, v in row.items() if k in names} for row in look_up(session, rows, marts)]


def test_key_selects_the_row() -> None:
    key = "corpus=a, n=2, system="
    assert looked_up(
        {"measure": "score", "reproduced_key": key, "corrected_key": "corpus=b"},
        {"measure": "100 * score", "reproduced_key": "corpus=a, n=2, system=x"},
    ) == [{"reproduced": 0.75, "corrected": 0.125}, {"reproduced": 50}]


def test_aggregates_are_of_the_rows_with_the_key() -> None:
    band = {"band_low": "min(score)", "band_high": "max(score)"}
    row = {"measure": "median(score)", "reproduced_key": "corpus=a", **band}
    assert looked_up(row, {**row, "reproduced_key": "corpus=b", "measure": "count(*)"}) == [
        {"reproduced": 0.5, "band_low": 0.25, "band_high": 0.75},
        {"reproduced": 1, "band_low": 0.125, "band_high": 0.125},
    ]


def test_lookups_without_one_value() -> None:
    row = {"measure": "count(*)", "reproduced_key": "corpus=c", "corrected_key": "corpus=a, n=3"}
    assert looked_up(row, {"measure": "score"}) == [{}, {}]

    row = {"paper": "maege", "measure": "score", "reproduced_key": "corpus=a"}
    with pytest.raises(ValueError, match=r"maege.*one value of score in scores, found several"):
        looked_up(row)

    with pytest.raises(ValueError, match=r"found unknown"):
        looked_up({"mart": "unknown", "measure": "n", "reproduced_key": "corpus=a"})


def test_corrected_number_may_be_elsewhere() -> None:
    corrected = {"corrected_mart": "others", "corrected_measure": "n", "corrected_key": "corpus=a"}
    row = {"measure": "max(n)", "reproduced_key": "corpus=b", **corrected}
    assert looked_up(row) == [{"reproduced": 1, "corrected": 7}]
