"""Rows changed by hand are those that their writer's notes do not fit."""

from collections.abc import Iterator

import duckdb
import pytest

from maege.analysis.stored.caches.stored_rows import compare_rows

QUERY = "select count(*) || ' ' || coalesce(sum(hash(word)::hugeint), 0) from marts.words"


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A table of three rows that was noted, and one of which nothing is known."""
    with duckdb.connect() as opened:
        opened.execute("create schema ops")
        opened.execute("create schema marts")
        opened.execute("create table marts.words as from (values ('a'), ('b'), ('c')) t (word)")
        opened.execute("create table marts.older as select 1 as number")
        opened.execute(
            "create table ops.stored_rows as select 'marts.words' as relation, '' as part, "
            f"({QUERY}) as rows, $query as query, 'dbt build' as mend, version() as engine, "
            "null::varchar as expected, null::varchar as found",
            {"query": QUERY},
        )
        yield opened


def found(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [str(changed) for changed in compare_rows(connection).changed]


def test_rows_as_they_were_written_are_no_finding(connection: duckdb.DuckDBPyConnection) -> None:
    compared = compare_rows(connection)
    assert (compared.changed, compared.compared, compared.not_compared) == ([], 1, 1)


@pytest.mark.parametrize(
    ("by_hand", "said"),
    [
        ("delete from marts.words where word = 'b'", "2 rows"),
        ("insert into marts.words values ('a')", "4 rows"),
        ("update marts.words set word = 'd' where word = 'a'", "other values"),
        ("drop table marts.words", "no such table"),
        ("alter table marts.words rename word to text", "other columns"),
    ],
)
def test_what_was_found_and_expected_and_what_mends_it_is_said(
    by_hand: str, said: str, connection: duckdb.DuckDBPyConnection
) -> None:
    connection.execute(by_hand)
    expected = "expected the 3 rows that were written. Mend: dbt build"
    assert found(connection) == [f"marts.words: found {said}, {expected}"]


def test_the_order_of_rows_is_nobodys_change(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create or replace table marts.words as from marts.words order by word desc")
    assert found(connection) == []


def test_a_change_before_later_builds_is_not_forgotten(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("update ops.stored_rows set expected = '5 17', found = '4 12'")
    assert found(connection) == [
        "marts.words: found 4 rows, expected the 5 rows before later builds added to them. "
        "Mend: dbt build"
    ]


@pytest.mark.parametrize("note", ["rows = null", "engine = 'v0.1.0'"])
def test_what_a_build_may_be_changing_or_another_duckdb_hashed_is_not_compared(
    note: str, connection: duckdb.DuckDBPyConnection
) -> None:
    connection.execute(f"update ops.stored_rows set {note}")
    connection.execute("delete from marts.words")
    connection.execute("insert into marts.words values ('d')")
    compared = compare_rows(connection)
    assert (compared.changed, compared.compared, compared.not_compared) == ([], 0, 2)


def test_a_warehouse_of_an_older_version_has_nothing_to_compare() -> None:
    with duckdb.connect() as connection:
        connection.execute("create schema raw")
        connection.execute("create table raw.outputs as select 'a' as text")
        compared = compare_rows(connection)
    assert (compared.changed, compared.compared, compared.not_compared) == ([], 0, 1)
