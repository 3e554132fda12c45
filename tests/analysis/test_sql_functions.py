"""The statistical functions for SQL."""

import math
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from scipy import stats

from maege.analysis.sql_registration import register
from maege.analysis.statistics.resampling import cluster_weights, ratio_intervals


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of another program than dbt."""
    with duckdb.connect() as opened:
        register(opened)
        yield opened


def answer(connection: duckdb.DuckDBPyConnection, expression: str, *parameters: Any) -> Any:
    row = connection.execute(f"select {expression}", parameters or None).fetchone()
    assert row is not None
    return row[0]


X, Y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2.0, 1.0, 4.0, 3.0, 7.0, 5.0]
PEARSON, SPEARMAN = stats.pearsonr(X, Y), stats.spearmanr(X, Y)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # GLEU of the published run: tau = 1 - 2 * 10185 / 19822, z = -tau * sqrt(19822).
        (
            "kendall_p(9630, 10185, 7)",
            2 * stats.norm.sf(abs(1 - 2 * 10185 / 19822) * math.sqrt(19822)),
        ),
        (f"correlation_p({float(PEARSON.statistic)}, 6)", PEARSON.pvalue),
        (f"correlation_p({float(SPEARMAN.statistic)}, 6)", SPEARMAN.pvalue),
        ("correlation_p(1, 11)", 0),
        ("character_distance('naïve', 'naive')", 1),
        ("character_distance('日本語', '日本')", 1),
        ("character_distance('😀', '')", 1),
        ("character_distance('', '')", 0),
        # Of four pairs the metric has two right, one wrong and one equal: (2 - 1) / 4.
        ("kendall_partial([1, 2, 3, 4], [2, 5, 1, 4])", 0.25),
        ("kendall_partial([1.5], [0.5])", -1),
        ("kendall_partial([], [])", math.nan),
        # K = 3/4 and t = sqrt(6.75 / 1.6825) with 25 degrees of freedom.
        ("williams_p(0.5, 0, 0, 28)", 2 * stats.t.sf(math.sqrt(6.75 / 1.6825), 25)),
        ("williams_p(0.5, 0, 0, 3)", math.nan),
    ],
)
def test_numbers_by_hand_and_by_scipy(
    connection: duckdb.DuckDBPyConnection, expression: str, expected: float
) -> None:
    assert answer(connection, expression) == pytest.approx(expected, rel=1e-9, nan_ok=True)


def test_expected_wins_are_rows_by_system(connection: duckdb.DuckDBPyConnection) -> None:
    # A beats B twice of three times and ties with C; B beats C. A: (2/3 + 0) / 2, and so on.
    rows = connection.execute(
        "select unnest(expected_wins(list(l), list(r), list(p)), recursive := true) "
        "from (values ('A', 'B', 1), ('B', 'A', -1), ('A', 'B', -1), ('C', 'A', 0), ('B', 'C', 1)) "
        "as t (l, r, p)"
    ).fetchall()
    assert [row[0] for row in rows] == ["A", "B", "C"]
    assert [row[1] for row in rows] == pytest.approx([1 / 3, 2 / 3, 0])
    assert [row[2] for row in rows] == [1, 0, 1]
    assert answer(connection, "expected_wins([], [], [])") == []


def test_bootstrap_interval_is_that_of_python(connection: duckdb.DuckDBPyConnection) -> None:
    sums, counts = [3.0, 1.0, 4.0, 1.0, 5.0], [2.0, 2.0, 3.0, 1.0, 4.0]
    value = answer(connection, "bootstrap_interval(?, ?, 500, 7)", sums, counts)
    expected = ratio_intervals(sums, counts, cluster_weights(5, 500, 7))
    assert value == {"low": expected.low[0], "high": expected.high[0]}
    assert value["low"] < sum(sums) / sum(counts) < value["high"]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("kendall_partial([1.0, 2.0], [1.0])", "lists of 2 and 1"),
        ("kendall_partial([null], [1.0])", "without NULL"),
        ("expected_wins(['A'], ['A'], [1])", "different systems"),
        ("expected_wins(['A'], ['B'], [2])", "-1, 0 and 1"),
        ("expected_wins(['A'], [null], [1])", "without NULL"),
        ("expected_wins(['A', 'A'], ['B'], [1])", "lists of 2 and 1"),
        ("bootstrap_interval([1.0], [1.0, 2.0], 10, 1)", "lists of 1 and 2"),
        ("bootstrap_interval([1.0, null], [1.0, 1.0], 10, 1)", "without NULL"),
        ("bootstrap_interval([], [], 10, 1)", "at least one cluster"),
    ],
)
def test_lists_that_make_no_sense_are_errors(
    connection: duckdb.DuckDBPyConnection, expression: str, message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        answer(connection, expression)


@pytest.mark.parametrize(
    "expression",
    [
        "kendall_p(null, 2, 3)",
        "kendall_p(1, null, 3)",
        "kendall_p(1, 2, null)",
        "correlation_p(null, 11)",
        "correlation_p(0.5, null)",
        "character_distance(null, 'a')",
        "character_distance('a', null)",
        "kendall_partial(null, [1.0])",
        "williams_p(0.5, null, 0.1, 12)",
        "expected_wins(null, ['A'], [1])",
        "bootstrap_interval([1.0], [1.0], null, 1)",
    ],
)
def test_null_in_gives_null_out(connection: duckdb.DuckDBPyConnection, expression: str) -> None:
    assert answer(connection, expression) is None
