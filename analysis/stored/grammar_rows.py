"""LanguageTool's matches as rows: the results for a chunk of texts, here or on a cluster."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import pyarrow as pa

from maege.analysis.languagetool.checking import Checked, check_texts, workers_here
from maege.analysis.languagetool.installation import SERVER_VERSION
from maege.analysis.languagetool.server import ManagedServer
from maege.analysis.stored.rows import rows_to_table, table_schema
from maege.analysis.texts import squeezed

# Offsets and lengths are in characters of the text after its white space is normalised.
SCHEMA = table_schema(
    "check_key bigint, text_id bigint, error varchar, rule_ids varchar[], categories varchar[], "
    "offsets integer[], lengths integer[]"
)
# Each worker of a cluster has a server of version 6.6. Older versions start a new process for each
# chunk.
WORKER_CONNECTIONS, WORKER_PROCESSES = 2, 1
CHUNK_TEXTS, CHUNK_TEXTS_OF_OLDER_VERSIONS = 500, 4_000
# A worker's server ends if it has not been used for this long.
KEPT_SECONDS = 60.0


class Check(NamedTuple):
    """The settings of a check; `rules` are disabled, `language` is LanguageTool's code."""

    key: int
    version: str
    language: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class CheckChunk:
    check: Check
    text_ids: Sequence[int]
    texts: Sequence[str]

    @property
    def description(self) -> str:
        return (
            f"LanguageTool {self.check.version}, texts {self.text_ids[0]} to {self.text_ids[-1]} "
            f"({len(self.text_ids)})"
        )


def plan_checks(check: Check, ids: Sequence[int], texts: Sequence[str]) -> Iterator[CheckChunk]:
    size = CHUNK_TEXTS if check.version == SERVER_VERSION else CHUNK_TEXTS_OF_OLDER_VERSIONS
    for start in range(0, len(ids), size):
        part = slice(start, start + size)
        yield CheckChunk(check, ids[part], texts[part])


def check_here(check: Check, ids: Sequence[int], texts: Sequence[str]) -> Iterator[pa.Table]:
    n_done = 0
    for checked in _checked(check, texts, workers_here(check.version, len(ids))):
        yield _rows(check.key, ids[n_done : n_done + len(checked)], checked)
        n_done += len(checked)


def check_chunk(chunk: CheckChunk) -> pa.Table:
    is_served = chunk.check.version == SERVER_VERSION
    workers = WORKER_CONNECTIONS if is_served else WORKER_PROCESSES
    with _kept.server() as server:
        checked = _checked(chunk.check, chunk.texts, workers, server)
        results = [text for part in checked for text in part]
    return _rows(chunk.check.key, chunk.text_ids, results)


class KeptServer:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: ManagedServer | None = None
        self._timer = threading.Timer(KEPT_SECONDS, self.close)

    @contextmanager
    def server(self) -> Iterator[ManagedServer]:
        """Give the server to one chunk at a time, and close it a minute after the last one."""
        with self._lock:
            self._timer.cancel()
            self._server = self._server or ManagedServer()
            try:
                yield self._server
            finally:
                self._timer = threading.Timer(KEPT_SECONDS, self.close)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        with self._lock:
            if self._server is not None:
                self._server.close()
                self._server = None


_kept = KeptServer()


def _checked(
    check: Check, texts: Sequence[str], workers: int, server: ManagedServer | None = None
) -> Iterator[list[Checked]]:
    return check_texts(
        check.version,
        map(squeezed, texts),
        workers,
        disabled_rules=check.rules,
        language=check.language,
        server=server,
    )


def _rows(check_key: int, ids: Sequence[int], checked: Sequence[Checked]) -> pa.Table:
    fields = [attrgetter(name) for name in ("rule_id", "category", "offset", "length")]
    rows = [
        (check_key, text_id, text.error, *([*map(field, text.matches)] for field in fields))
        for text_id, text in zip(ids, checked, strict=True)
    ]
    return rows_to_table(rows, SCHEMA)
