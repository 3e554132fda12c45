"""Caches: requests in order, missing rows computed once, and chunks that outlive a killed build."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from maege.analysis.stored.caches import CHUNKS, AppendOnlyModel, RequestFile, open_spool

SENTENCE = ["corpus", "sentence_id"]


def file_of(folder: Path, rows: list[tuple[str, int, int]], part_rows: int) -> RequestFile:
    values = ", ".join(map(str, rows)) if rows else "('', 0, 0)"
    relation = duckdb.connect().sql(
        f"from (values {values}) as t(corpus, sentence_id, text_id) "
        f"where {bool(rows)} order by corpus, sentence_id, text_id"
    )
    return RequestFile(folder / "requests", relation, ["corpus"], part_rows)


# The last sentence that has been read waits for its remaining rows.
@pytest.mark.parametrize(
    ("part_rows", "n_parts"), [(1, 5), (2, 5), (3, 4), (4, 4), (7, 3), (100, 2)]
)
def test_parts_hold_whole_sentences_in_order(tmp_path: Path, part_rows: int, n_parts: int) -> None:
    sizes = {("a", 1): 3, ("a", 2): 1, ("b", 2): 4, ("b", 3): 2, ("c", 3): 1}
    rows = [(*sentence, text) for sentence, size in sizes.items() for text in range(size)]
    parts = list(file_of(tmp_path, rows[::-1], part_rows).parts(SENTENCE))
    rows_of_parts = [tuple(row.values()) for part in parts for row in part.to_pylist()]
    assert rows_of_parts == rows
    sentences = [{(row["corpus"], row["sentence_id"]) for row in p.to_pylist()} for p in parts]
    assert sum(map(len, sentences)) == len(sizes)
    assert len(parts) == n_parts


def test_files_of_requests_have_no_name_and_may_be_empty(tmp_path: Path) -> None:
    requests = file_of(tmp_path, [], 10)
    assert requests.num_rows == 0
    assert list(requests.parts(SENTENCE)) == []
    assert requests.distinct(["corpus"]) == []

    requests = file_of(tmp_path, [("a", 1, 1)], 10)
    assert list(tmp_path.iterdir()) == []
    assert requests.num_rows == 1


SCHEMA = pa.schema([("key", pa.int64()), ("square", pa.int64())])


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
    dbt = SimpleNamespace(is_incremental=is_incremental, this=NamedTable(), settings=None)
    return AppendOnlyModel(dbt, session, SCHEMA, "key", workers=1)


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
    assert not list((tmp_path / "spool" / "squares").glob(CHUNKS))
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
    assert len(list((tmp_path / "spool" / "squares").glob(CHUNKS))) == 1
    assert rows(second) == [(2, 4)]


ENDLESS_WRITER = """
import sys
from pathlib import Path
import pyarrow as pa
from maege.analysis.stored.caches import packed, store_chunk
while True:
    store_chunk(Path(sys.argv[1]), packed(pa.table({"key": list(range(20000))})))
    print("written", flush=True)
"""


def test_an_unfinished_chunk_is_ignored_and_deleted(tmp_path: Path) -> None:
    leftover = tmp_path / "abc.unfinished"
    leftover.write_bytes(b"PAR1 cut off")
    (tmp_path / "notes.txt").write_text("not ours")
    assert open_spool(tmp_path) == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_every_finished_chunk_of_a_killed_writer_is_whole(tmp_path: Path, repository: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", ENDLESS_WRITER, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(repository)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    for _ in range(3):
        assert writer.stdout.readline() == "written\n"
    writer.kill()
    writer.communicate(timeout=20)
    paths = list(open_spool(tmp_path).iterdir())
    assert len(paths) >= 3
    assert all(pq.read_table(path).num_rows == 20000 for path in paths)
