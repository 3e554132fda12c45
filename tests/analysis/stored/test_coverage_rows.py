"""What coverage says of few answers: nothing."""

from maege.analysis.stored.coverage_rows import SCHEMA, crowd_rows


def test_of_fewer_than_five_answers_nothing_is_estimated() -> None:
    # Four answers, all the same: no estimator is asked.
    rows = list(crowd_rows([("c", "exact", 0, 4, "0,0,0,1")], {}, 0.95))
    named = [dict(zip(SCHEMA.names, row, strict=True)) for row in rows]
    assert [row["estimator"] for row in named] == ["unseenest", "good_turing"]
    assert {row["expected_share"] for row in named} == {None}
    assert all(row["note"].startswith("Fewer than 5 answers") for row in named)


def test_answers_that_all_agree_have_no_interval_without_width() -> None:
    same = {"f": [1.0], "v": [1.0]}
    solutions = {"0,0,0,0,1": ([[0, 0, 0, 0, 1]] * 3, [same] * 3)}
    rows = list(crowd_rows([("c", "exact", 0, 5, "0,0,0,0,1")], solutions, 0.95))
    first = dict(zip(SCHEMA.names, rows[0], strict=True))
    assert first["expected_share"] == 1
    assert first["ci_low"] != first["ci_low"]
