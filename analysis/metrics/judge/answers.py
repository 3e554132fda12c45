"""Store whole answers of judges by request, so that a repeated run needs no server and no key.

The answers are in an SQLite file in the warehouse folder, which several processes may write. A row
without an answer is a request that was exported to a file for separate sending. An answer with an
`error` is the provider's error message.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from maege.analysis.metrics.judge.questions import canonical

_WAIT_SECONDS = 60
_IS_ERROR = "json_extract(answer, '$.error') is not null"
_UNANSWERED = f"answer is null or {_IS_ERROR}"


class Answers:
    """The answers in one file, which is created if it is missing. Many threads may use it."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._here = threading.local()
        self._connection().execute(
            "create table if not exists answers (asked text primary key, url text, model text, "
            "request text, answer text)"
        )

    def get(self, url: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the stored answer to a request, None if there is none."""
        row = self._connection().execute(
            "select answer from answers where asked = ? and answer is not null",
            [asked_id(url, request)],
        )
        stored = row.fetchone()
        answer: dict[str, Any] | None = json.loads(stored[0]) if stored else None
        return answer

    def put(self, url: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Store an answer immediately."""
        self._connection().execute(
            "insert or replace into answers values (?, ?, ?, ?, ?)",
            [asked_id(url, request), url, request["model"], canonical(request), json.dumps(answer)],
        )

    def note_written(self, url: str, requests: Sequence[Mapping[str, Any]]) -> int:
        """Record requests that are exported; return the number that were already recorded."""
        rows = [
            (asked_id(url, request), url, request["model"], canonical(request))
            for request in requests
        ]
        with self._at_once() as connection:
            before = connection.total_changes
            connection.executemany("insert or ignore into answers values (?, ?, ?, ?, null)", rows)
            return len(rows) - (connection.total_changes - before)

    def written(self, url: str, model: str) -> dict[str, bool]:
        """Return the ids of all recorded requests to a model, and whether each is answered."""
        rows = self._connection().execute(
            f"select asked, not ({_UNANSWERED}) from answers where url = ? and model = ?",  # noqa: S608
            [url, model],
        )
        return {identifier: bool(is_answered) for identifier, is_answered in rows.fetchall()}

    def keep_all(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Store answers by the ids of their requests, all or none; existing answers are kept."""
        rows = [(json.dumps(answer), identifier) for identifier, answer in answers.items()]
        with self._at_once() as connection:
            connection.executemany(
                f"update answers set answer = ? where asked = ? and ({_UNANSWERED})",  # noqa: S608
                rows,
            )

    def forget_errors(self, url: str, model: str) -> int:
        """Delete answers that are errors, so that they are requested again; return their number."""
        changed = self._connection().execute(
            f"update answers set answer = null where url = ? and model = ? and {_IS_ERROR}",  # noqa: S608
            [url, model],
        )
        return changed.rowcount

    def tokens(self, url: str, model: str) -> tuple[int, int]:
        """Return the total numbers of tokens sent to a model and answered by it."""
        rows = self._connection().execute(
            "select coalesce(sum(json_extract(answer, '$.usage.prompt_tokens')), 0), "
            "coalesce(sum(json_extract(answer, '$.usage.completion_tokens')), 0) "
            "from answers where url = ? and model = ?",
            [url, model],
        )
        sent, answered = rows.fetchone()
        return int(sent), int(answered)

    def snapshots(self, url: str, model: str) -> list[str]:
        """Return the snapshot names in the answers of this model."""
        rows = self._connection().execute(
            "select distinct json_extract(answer, '$.model') from answers "
            "where url = ? and model = ? and json_extract(answer, '$.model') is not null",
            [url, model],
        )
        return sorted(str(name) for (name,) in rows.fetchall())

    @contextmanager
    def _at_once(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection()
        connection.execute("begin immediate")
        try:
            yield connection
        except BaseException:
            connection.rollback()
            raise
        connection.commit()

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._here, "connection"):
            connection = sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None)
            connection.execute("pragma journal_mode = wal")
            self._here.connection = connection
        stored: sqlite3.Connection = self._here.connection
        return stored


def asked_id(url: str, request: Mapping[str, Any]) -> str:
    """Return the id of a request to a server: 64 hexadecimal digits, a hash of its content."""
    return hashlib.sha256(f"{url}\n{canonical(request)}".encode()).hexdigest()


def error_in(answer: Mapping[str, Any]) -> str | None:
    """Return the error message in an answer, None if it is not an error."""
    error = answer.get("error")
    if not error:
        return None
    message = error.get("message") if isinstance(error, dict) else None
    return str(message or json.dumps(error, ensure_ascii=False))
