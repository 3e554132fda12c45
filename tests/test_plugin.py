"""The functions that SQL gains: kendall_p, correlation_p and character_distance."""

import math
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from scipy import stats

from analysis.plugin import register


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of a program that is not dbt."""
    with duckdb.connect() as opened:
        register(opened)
        yield opened


def answer(connection: duckdb.DuckDBPyConnection, expression: str, *parameters: Any) -> Any:
    row = connection.execute(f"select {expression}", parameters or None).fetchone()
    assert row is not None
    return row[0]


def test_kendall_p_is_that_of_the_sign_test_with_ties_on_the_concordant_side(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    # GLEU of the published run: tau = 1 - 2 * 10185 / 19822, z = -tau * sqrt(19822).
    p = answer(connection, "kendall_p(9630, 10185, 7)")
    z = (1 - 2 * 10185 / 19822) * math.sqrt(19822)
    assert p == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12)
    assert p == pytest.approx(9.9e-5, abs=0.05e-5)


def test_correlation_p_is_scipys(connection: duckdb.DuckDBPyConnection) -> None:
    x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    y = [2.0, 1.0, 4.0, 3.0, 7.0, 5.0]
    spearman = stats.spearmanr(x, y)
    p = answer(connection, "correlation_p(?, ?)", float(spearman.statistic), len(x))
    assert p == pytest.approx(spearman.pvalue, rel=1e-12)
    pearson = stats.pearsonr(x, y)
    p = answer(connection, "correlation_p(?, ?)", float(pearson.statistic), len(x))
    assert p == pytest.approx(pearson.pvalue, rel=1e-9)


def test_a_perfect_correlation_has_p_zero(connection: duckdb.DuckDBPyConnection) -> None:
    assert answer(connection, "correlation_p(1, 11)") == 0
    assert answer(connection, "correlation_p(-1, 11)") == 0


def test_character_distance_counts_characters_and_not_bytes(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    assert answer(connection, "character_distance('naïve', 'naive')") == 1
    assert answer(connection, "character_distance('日本語', '日本')") == 1
    assert answer(connection, "character_distance('😀', '')") == 1
    assert answer(connection, "character_distance('', '')") == 0


@given(st.text(max_size=12), st.text(max_size=12))
def test_character_distance_is_levenshteins(left: str, right: str) -> None:
    with duckdb.connect() as opened:
        register(opened)
        found = answer(opened, "character_distance(?, ?)", left, right)
    assert found == Levenshtein.distance(left, right)


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
    ],
)
def test_null_in_gives_null_out(connection: duckdb.DuckDBPyConnection, expression: str) -> None:
    assert answer(connection, expression) is None


def test_rows_beside_a_null_keep_their_values(connection: duckdb.DuckDBPyConnection) -> None:
    rows = connection.execute(
        "select character_distance(l, r), kendall_p(c, 1, 0), correlation_p(r2, 11) from (values "
        "('ab', 'a', 3, 0.0), (null, 'a', null, null), ('abc', 'a', 1, 0.0)) as t (l, r, c, r2)"
    ).fetchall()
    assert [row[0] for row in rows] == [1, None, 2]
    assert rows[1] == (None, None, None)
    # Three against one: z = 0.5 * sqrt(4) = 1; one against one: no agreement at all.
    assert [row[1] for row in (rows[0], rows[2])] == [
        pytest.approx(2 * stats.norm.sf(1)),
        pytest.approx(1),
    ]
    assert [row[2] for row in (rows[0], rows[2])] == [pytest.approx(1), pytest.approx(1)]


def test_functions_answer_for_more_rows_than_one_vector_holds(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    total = answer(
        connection,
        "(select sum(character_distance(repeat('é', (i % 5)::integer), '')) "
        "from range(10000) as numbers (i))",
    )
    assert total == 20000
