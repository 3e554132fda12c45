"""Whole answers of judges, kept by what was asked: a replay needs no server and no key.

A file of SQLite in the warehouse folder, which several processes may write.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from maege.analysis.metrics.judge.questions import canonical

_WAIT_SECONDS = 60


class Answers:
    """The answers in one file, which is made where it is missing; may be used by many threads."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._here = threading.local()
        self._connection().execute(
            "create table if not exists answers (asked text primary key, url text, model text, "
            "request text, answer text)"
        )

    def get(self, url: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the answer to a request that was asked before."""
        row = self._connection().execute(
            "select answer from answers where asked = ?", [_asked(url, request)]
        )
        found = row.fetchone()
        answer: dict[str, Any] | None = json.loads(found[0]) if found else None
        return answer

    def put(self, url: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Keep an answer, at once."""
        self._connection().execute(
            "insert or replace into answers values (?, ?, ?, ?, ?)",
            [_asked(url, request), url, request["model"], canonical(request), json.dumps(answer)],
        )

    def tokens(self, url: str, model: str) -> tuple[int, int]:
        """Return the tokens that were sent to a model there and answered by it, in all."""
        found = self._connection().execute(
            "select coalesce(sum(json_extract(answer, '$.usage.prompt_tokens')), 0), "
            "coalesce(sum(json_extract(answer, '$.usage.completion_tokens')), 0) "
            "from answers where url = ? and model = ?",
            [url, model],
        )
        sent, answered = found.fetchone()
        return int(sent), int(answered)

    def snapshots(self, url: str, model: str) -> list[str]:
        """Return what the models called themselves that answered there for this one."""
        found = self._connection().execute(
            "select distinct json_extract(answer, '$.model') from answers "
            "where url = ? and model = ? and json_extract(answer, '$.model') is not null",
            [url, model],
        )
        return sorted(str(name) for (name,) in found.fetchall())

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._here, "connection"):
            connection = sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None)
            connection.execute("pragma journal_mode = wal")
            self._here.connection = connection
        found: sqlite3.Connection = self._here.connection
        return found


def _asked(url: str, request: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{url}\n{canonical(request)}".encode()).hexdigest()
