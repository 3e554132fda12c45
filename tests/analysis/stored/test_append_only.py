"""Append-only models compute missing rows once, whatever a killed build left behind."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pyarrow as pa
import pytest

from maege.analysis.stored.caches import AppendOnlyModel

SCHEMA = pa.schema([("key", pa.int64()), ("square", pa.int64())])


class Target:
    """dbt as a model sees it: its own table's name, and whether the table has been built before."""

    def __init__(self, is_incremental: bool) -> None:
        self.is_incremental = is_incremental
        self.this = NamedTable()


class NamedTable:
    identifier = "squares"

    def __str__(self) -> str:
        return "squares"


def squares(chunk: SimpleNamespace) -> pa.Table:
    return pa.table({"key": chunk.keys, "square": [key**2 for key in chunk.keys]}, schema=SCHEMA)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path))
    return duckdb.connect()


def open_model(session: duckdb.DuckDBPyConnection, is_incremental: bool) -> AppendOnlyModel:
    return AppendOnlyModel(Target(is_incremental), session, SCHEMA, "key", workers=1)


def compute(
    model: AppendOnlyModel,
    session: duckdb.DuckDBPyConnection,
    keys: list[int],
    function: Callable[[SimpleNamespace], pa.Table] = squares,
) -> list[int]:
    """Compute the missing keys, one chunk per key; return the missing ones."""
    missing = model.missing(session.from_arrow(pa.table({"key": keys})), "key")["key"].to_pylist()
    chunks = [SimpleNamespace(keys=[key], description=f"keys from {key}") for key in missing]
    model.compute("squaring", function, chunks, len(missing))
    return [int(key) for key in missing]


def rows(model: AppendOnlyModel) -> list[tuple[int, int]]:
    return sorted(model.new_rows().fetchall())


def test_missing_rows_alone_are_computed(session: duckdb.DuckDBPyConnection) -> None:
    model = open_model(session, is_incremental=False)
    assert rows(model) == []
    assert compute(model, session, [2, 1]) == [1, 2]
    assert rows(model) == [(1, 1), (2, 4)]


def test_later_build_computes_missing_rows(session: duckdb.DuckDBPyConnection) -> None:
    session.sql("create table squares as select 1::bigint as key, 1::bigint as square")
    model = open_model(session, is_incremental=True)
    assert compute(model, session, [1, 2, 3]) == [2, 3]
    assert rows(model) == [(2, 4), (3, 9)]


def test_chunks_of_a_build_that_died_are_not_computed_again(
    session: duckdb.DuckDBPyConnection,
) -> None:
    def dies_at_two(chunk: SimpleNamespace) -> pa.Table:
        if chunk.keys == [2]:
            raise RuntimeError("out of numbers")
        return squares(chunk)

    with pytest.raises(Exception, match="keys from 2"):
        compute(open_model(session, is_incremental=False), session, [1, 2], dies_at_two)
    model = open_model(session, is_incremental=False)
    assert compute(model, session, [1, 2]) == [2]
    assert rows(model) == [(1, 1), (2, 4)]


def test_chunks_that_reached_the_table_are_forgotten(
    session: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    first = open_model(session, is_incremental=False)
    compute(first, session, [1, 2])
    first.new_rows().create("squares")
    second = open_model(session, is_incremental=True)
    assert not list((tmp_path / "spool" / "squares").glob("*.parquet"))
    assert compute(second, session, [1, 2]) == []
    assert rows(second) == []


def test_of_a_chunk_only_the_rows_that_the_table_lacks_are_appended(
    session: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    first = open_model(session, is_incremental=False)
    chunks = [SimpleNamespace(keys=[1, 2]), SimpleNamespace(keys=[3])]
    first.compute("squaring", squares, chunks, 3)
    session.sql("create table squares as select 1::bigint as key, 1::bigint as square")
    session.sql("insert into squares values (3, 9)")
    second = open_model(session, is_incremental=True)
    assert len(list((tmp_path / "spool" / "squares").glob("*.parquet"))) == 1
    assert rows(second) == [(2, 4)]
