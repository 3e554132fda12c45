"""Append-only caches, whose new rows are first spooled to disk in chunks.

A killed build loses at most the chunks in progress. The next build appends the rows in the spool
and computes only the rest.
"""

import io
import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyRelation

from maege.analysis.stored.rows import run_starts
from maege.analysis.workers.pool import Chunk, Progress, give_back, run_chunks, scheduler_of


class AppendOnlyModel:
    """The rows of one model: those in its table, and those in the spool that are not there yet."""

    def __init__(
        self, dbt: Any, session: Any, schema: pa.Schema, key: str, workers: int | None = None
    ) -> None:
        warehouse = Path(os.environ.get("MAEGE_WAREHOUSE", "warehouse"))
        self._workers = workers or dbt.settings.workers
        self.scheduler = scheduler_of(getattr(dbt.settings, "scheduler", None))
        self._session = session
        self._key = key
        self._spool = open_spool(warehouse / "spool" / dbt.this.identifier)
        session.register("no_rows", schema.empty_table())
        self._stored = str(dbt.this) if dbt.is_incremental else "no_rows"
        self._forget_appended()

    def missing(self, requests: Any, order: str) -> pa.Table:
        table: pa.Table = self._missing(requests, order).to_arrow_table()
        return table

    def missing_in_file(self, requests: Any, order: str, names: list[str]) -> "RequestFile":
        path = self._spool / f"requests{UNFINISHED}"
        return RequestFile(path, self._missing(requests, order), names)

    def _missing(self, requests: Any, order: str) -> Any:
        stored = f"select {self._key} from ({self._spooled()}) union all "
        stored += f"select {self._key} from {self._stored}"
        return requests.query(
            "requests",
            f"from requests anti join ({stored}) as known using ({self._key}) order by {order}",
        )

    def compute(
        self,
        task: str,
        function: Callable[[Chunk], pa.Table],
        chunks: Iterable[Chunk],
        total: int,
        *,
        rows_per_worker: int = 1,
        tools: tuple[str, ...] = (),
    ) -> None:
        """Spool the function's rows for every chunk.

        Fewer rows than `rows_per_worker` take less time than the start of a worker. `tools` are the
        versions of LanguageTool that the function needs on its machine.
        """
        give_back()
        with Progress(task, total) as progress:

            def keep(rows: PackedRows) -> None:
                store_chunk(self._spool, rows)
                progress.advance(rows.num_rows)

            run_chunks(
                # The workers pack rows, because one process stores all of them.
                partial(packed_rows, function),
                chunks,
                min(self._workers, total // rows_per_worker),
                keep,
                scheduler=self.scheduler,
                tools=tools,
            )

    def keep(self, task: str, chunks: Iterable[pa.Table], total: int, seconds: float = 0) -> None:
        """Spool rows that are computed elsewhere; a killed build may lose `seconds` of work."""
        waiting: list[pa.Table] = []
        last_kept = time.monotonic()
        with Progress(task, total) as progress:
            try:
                for rows in chunks:
                    waiting.append(rows)
                    progress.advance(rows.num_rows)
                    if time.monotonic() - last_kept >= seconds:
                        self._append(waiting)
                        waiting, last_kept = [], time.monotonic()
            finally:
                self._append(waiting)

    def _append(self, tables: list[pa.Table]) -> None:
        if tables:
            store_chunk(self._spool, packed(pa.concat_tables(tables)))

    def new_rows(self) -> Any:
        return self._session.sql(
            f"from ({self._spooled()}) as spooled "
            f"anti join {self._stored} as stored using ({self._key})"
        )

    def _spooled(self) -> str:
        paths = [str(path) for path in self._spool.glob(CHUNKS)]
        return f"from read_parquet({paths})" if paths else "from no_rows"

    def _forget_appended(self) -> None:
        paths = {str(path) for path in self._spool.glob(CHUNKS)}
        if not paths:
            return
        with_new_rows = self._session.sql(
            f"select distinct filename from read_parquet({sorted(paths)}, filename = true) "
            f"anti join {self._stored} using ({self._key})"
        ).fetchall()
        for name in paths - {name for (name,) in with_new_rows}:
            Path(name).unlink(missing_ok=True)


# --- A folder of scored chunks that stays intact if a build is killed ---

CHUNKS = "*.parquet"
# Files with this suffix are deleted when the folder is opened again.
UNFINISHED = ".unfinished"


class PackedRows(NamedTuple):
    num_rows: int
    parquet: bytes


def packed_rows(function: Callable[[Chunk], pa.Table], chunk: Chunk) -> PackedRows:
    return packed(function(chunk))


def packed(rows: pa.Table) -> PackedRows:
    stream = io.BytesIO()
    # Read once and completely: without dictionaries and bounds, writing takes a third less time.
    pq.write_table(rows, stream, compression="zstd", use_dictionary=False, write_statistics=False)
    return PackedRows(rows.num_rows, stream.getvalue())


def open_spool(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    for leftover in directory.glob(f"*{UNFINISHED}"):
        leftover.unlink(missing_ok=True)
    return directory


def store_chunk(spool: Path, rows: PackedRows) -> None:
    """Write the rows to a file, which gets its final name after its bytes are on disk."""
    path = spool / f"{uuid.uuid4().hex}.parquet"
    unfinished = path.with_suffix(UNFINISHED)
    with unfinished.open("wb") as stream:
        stream.write(rows.parquet)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(path)


# --- Requests in a file: millions of them, of which only some are in memory at a time ---

# Rows of a part; more if a sentence would be divided.
PART_ROWS = 200_000


class RequestFile:
    """The rows of an ordered relation, in a file that ends with this process.

    `names` are text columns with few distinct values, which are read as dictionaries.
    """

    def __init__(
        self, path: Path, requests: DuckDBPyRelation, names: list[str], part_rows: int = PART_ROWS
    ) -> None:
        requests.write_parquet(str(path), compression="zstd", row_group_size=part_rows)
        self._stream = path.open("rb")
        # A killed build leaves no file behind.
        path.unlink()
        self._file = pq.ParquetFile(self._stream, read_dictionary=names)
        self._part_rows = part_rows

    @property
    def num_rows(self) -> int:
        return int(self._file.metadata.num_rows)

    def distinct(self, columns: list[str]) -> list[dict[str, Any]]:
        table = self._file.read(columns=columns).unify_dictionaries()
        rows: list[dict[str, Any]] = table.group_by(columns).aggregate([]).to_pylist()
        return rows

    def parts(self, columns: list[str]) -> Iterator[pa.Table]:
        """Yield all rows in order; rows that agree in the columns `columns` stay in one part."""
        remainder = self._file.schema_arrow.empty_table()
        for batch in self._file.iter_batches(self._part_rows):
            rows = pa.concat_tables([remainder, pa.Table.from_batches([batch])])
            rows = rows.unify_dictionaries().combine_chunks()
            keys = (rows[name].combine_chunks() for name in columns)
            numbers = (getattr(key, "indices", key).to_numpy() for key in keys)
            cut = int(run_starts(*numbers)[-1])
            if cut:
                yield rows.slice(0, cut)
            remainder = rows.slice(cut)
        if remainder.num_rows:
            yield remainder
