"""Common parts of append-only Python models: find missing rows, compute them, lose nothing.

Chunks are spooled to disk as they are computed, so that a killed build loses at most those in
progress. The next build appends the rows in the spool and computes only the rest.
"""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from maege.analysis.stored.caches.request_file import RequestFile
from maege.analysis.workers.pool import give_back, run_chunks, scheduler_of
from maege.analysis.workers.progress import Progress
from maege.analysis.workers.spool import UNFINISHED, PackedRows, Packing, Spool, packed

Chunk = TypeVar("Chunk")


class AppendOnlyModel:
    """The rows of one model: those in its table, and those in the spool that are not there yet.

    Args:
        dbt: the object that dbt passes to a Python model.
        session: the model's DuckDB connection.
        schema: schema of the rows.
        key: columns that identify a row, separated by commas.
        workers: number of local processes, if there is no cluster.
        scheduler: dbt's variable of that name, which overrides MAEGE_SCHEDULER.

    """

    def __init__(
        self,
        dbt: Any,
        session: Any,
        schema: pa.Schema,
        key: str,
        workers: int,
        scheduler: str | None = None,
    ) -> None:
        warehouse = Path(os.environ.get("MAEGE_WAREHOUSE", "warehouse"))
        self._workers = workers
        self._scheduler = scheduler_of(scheduler)
        self._session = session
        self._key = key
        self._spool = Spool(warehouse / "spool" / dbt.this.identifier)
        session.register("no_rows", schema.empty_table())
        self._stored = str(dbt.this) if dbt.is_incremental else "no_rows"
        self._forget_appended()

    @property
    def has_cluster(self) -> bool:
        """Whether a cluster computes the chunks."""
        return self._scheduler is not None

    def missing(self, requests: Any, order: str) -> pa.Table:
        """Return the requests, a relation with the key's columns, that have no row yet."""
        table: pa.Table = self._missing(requests, order).to_arrow_table()
        return table

    def missing_in_file(self, requests: Any, order: str, names: list[str]) -> RequestFile:
        """Return the missing requests in a file, if there are too many for memory.

        `names` are text columns with few distinct values.
        """
        path = self._spool.directory / f"requests{UNFINISHED}"
        return RequestFile(path, self._missing(requests, order), names)

    def _missing(self, requests: Any, order: str) -> Any:
        known = f"select {self._key} from ({self._spooled()}) union all "
        known += f"select {self._key} from {self._stored}"
        return requests.query(
            "requests",
            f"from requests anti join ({known}) as known using ({self._key}) order by {order}",
        )

    def compute(
        self,
        task: str,
        function: Callable[[Chunk], pa.Table],
        chunks: Iterable[Chunk],
        total: int,
        describe: Callable[[Chunk], str],
        tools: tuple[str, ...] = (),
    ) -> None:
        """Spool the function's rows for every chunk, with progress out of `total` rows.

        `tools` are the versions of LanguageTool that the function needs on its machine.

        Raises ChunkError as `run_chunks` does.
        """
        give_back()
        with Progress(task, total) as progress:

            def keep(rows: PackedRows) -> None:
                self._spool.append(rows)
                progress.advance(rows.num_rows)

            run_chunks(
                Packing(function),
                chunks,
                self._workers,
                keep,
                describe=describe,
                scheduler=self._scheduler,
                tools=tools,
            )

    def keep(self, task: str, chunks: Iterable[pa.Table], total: int, seconds: float = 0) -> None:
        """Spool rows that are computed elsewhere, with progress out of `total` rows.

        Args:
            task: name of the task in the progress line.
            chunks: the rows, as they are computed.
            total: number of rows.
            seconds: of work that a killed build may lose; finished rows are stored if the
                computation raises.

        """
        waiting: list[pa.Table] = []
        kept = time.monotonic()
        with Progress(task, total) as progress:
            try:
                for rows in chunks:
                    waiting.append(rows)
                    progress.advance(rows.num_rows)
                    if time.monotonic() - kept >= seconds:
                        self._append(waiting)
                        waiting, kept = [], time.monotonic()
            finally:
                self._append(waiting)

    def _append(self, tables: list[pa.Table]) -> None:
        if tables:
            self._spool.append(packed(pa.concat_tables(tables)))

    def new_rows(self) -> Any:
        """Return the rows that the table lacks, for dbt to append."""
        return self._session.sql(
            f"from ({self._spooled()}) as spooled "
            f"anti join {self._stored} as stored using ({self._key})"
        )

    def _spooled(self) -> str:
        paths = [str(path) for path in self._spool.paths()]
        return f"from read_parquet({paths})" if paths else "from no_rows"

    def _forget_appended(self) -> None:
        """Delete the chunks that an earlier build has appended to the table."""
        paths = {str(path): path for path in self._spool.paths()}
        if not paths:
            return
        with_new_rows = self._session.sql(
            f"select distinct filename from read_parquet({list(paths)}, filename = true) "
            f"anti join {self._stored} using ({self._key})"
        ).fetchall()
        for (name,) in with_new_rows:
            del paths[name]
        self._spool.clear(paths.values())
