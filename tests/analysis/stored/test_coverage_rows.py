"""Few answers allow no statement about coverage."""

from typing import Any

import pytest

from maege.analysis.stored.coverage import Row, crowd_rows

COLUMNS = (
    *("corpus", "sentence_id", "measure", "estimator", "with_replacement", "n_references"),
    *("expected_share", "ci_low", "ci_high", "n_answers", "note"),
)


def named_rows(histograms: list[Row], solutions: Any) -> list[dict[str, Any]]:
    rows = crowd_rows(histograms, solutions, 0.95)
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def test_of_fewer_than_five_answers_nothing_is_estimated() -> None:
    # Four equal answers: no estimator is used.
    rows = named_rows([("c", "exact", 0, 4, "0,0,0,1")], {})
    estimators = [row["estimator"] for row in rows]
    assert estimators == ["unseenest", "unseenest_rare", "good_turing"]
    assert {row["expected_share"] for row in rows} == {None}
    assert all(row["note"].startswith("Fewer than 5 answers") for row in rows)


@pytest.mark.parametrize(("n_answers", "n_sure"), [(29, 0), (30, 50)])
def test_of_fewer_than_thirty_answers_there_is_no_interval(n_answers: int, n_sure: int) -> None:
    """Resamples differ. Good and Turing's interval is valid for fewer references than answers."""
    texts = [f"{n_answers - 10},5", f"{n_answers - 8},4"]
    histograms = [[int(number) for number in text.split(",")] for text in texts]
    distributions = (([0.1, 0.05], [4.0, 12.0]), ([0.05], [20.0]), ([0.2], [5.0]))
    stored = [{"f": frequencies, "v": variants} for frequencies, variants in distributions]
    solution = ([*histograms, histograms[0]], stored)
    solutions = {(name, texts[0]): solution for name in ("unseenest", "unseenest_rare")}
    rows = named_rows([("c", "exact", 0, n_answers, texts[0])], solutions)
    sentence_rows = [row for row in rows if row["sentence_id"] == 0 and row["with_replacement"]]
    with_interval = [row["estimator"] for row in sentence_rows if row["ci_low"] == row["ci_low"]]
    assert with_interval.count("unseenest_rare") == n_sure
    assert with_interval.count("good_turing") == (29 if n_sure else 0)
    # One sentence gives no information about others.
    assert all(row["ci_low"] != row["ci_low"] for row in rows if row["sentence_id"] is None)


def test_answers_that_all_agree_have_no_interval_without_width() -> None:
    single_variant = {"f": [1.0], "v": [1.0]}
    redrawn = ([[0, 0, 0, 0, 1]] * 3, [single_variant] * 3)
    solutions = {(name, "0,0,0,0,1"): redrawn for name in ("unseenest", "unseenest_rare")}
    first = named_rows([("c", "exact", 0, 5, "0,0,0,0,1")], solutions)[0]
    assert first["expected_share"] == 1
    assert first["ci_low"] != first["ci_low"]
