"""Whole answers of judges, kept by what was asked: a replay needs no server and no key.

A file of SQLite in the warehouse folder, which several processes may write. A row without an answer
is a request that was written to a file for others to send; an answer with an `error` in it is what
a provider said in place of one.
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
            "select answer from answers where asked = ? and answer is not null",
            [asked_id(url, request)],
        )
        found = row.fetchone()
        answer: dict[str, Any] | None = json.loads(found[0]) if found else None
        return answer

    def put(self, url: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Keep an answer, at once."""
        self._connection().execute(
            "insert or replace into answers values (?, ?, ?, ?, ?)",
            [asked_id(url, request), url, request["model"], canonical(request), json.dumps(answer)],
        )

    def note_written(self, url: str, requests: Sequence[Mapping[str, Any]]) -> int:
        """Record requests that another process will send; return how many were recorded before."""
        rows = [
            (asked_id(url, request), url, request["model"], canonical(request))
            for request in requests
        ]
        with self._at_once() as connection:
            before = connection.total_changes
            connection.executemany("insert or ignore into answers values (?, ?, ?, ?, null)", rows)
            return len(rows) - (connection.total_changes - before)

    def written(self, url: str, model: str) -> dict[str, bool]:
        """Return the ids of all requests to a model there, and whether each is answered."""
        found = self._connection().execute(
            f"select asked, not ({_UNANSWERED}) from answers where url = ? and model = ?",  # noqa: S608
            [url, model],
        )
        return {asked: bool(is_answered) for asked, is_answered in found.fetchall()}

    def keep_all(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep answers by the ids of their requests, all or none; what has an answer keeps it."""
        rows = [(json.dumps(answer), asked) for asked, answer in answers.items()]
        with self._at_once() as connection:
            connection.executemany(
                f"update answers set answer = ? where asked = ? and ({_UNANSWERED})",  # noqa: S608
                rows,
            )

    def forget_errors(self, url: str, model: str) -> int:
        """Return how many requests were not answered but with an error, and await one anew."""
        changed = self._connection().execute(
            f"update answers set answer = null where url = ? and model = ? and {_IS_ERROR}",  # noqa: S608
            [url, model],
        )
        return changed.rowcount

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

    @contextmanager
    def _at_once(self) -> Iterator[sqlite3.Connection]:
        """Do all of the block or nothing of it."""
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
        found: sqlite3.Connection = self._here.connection
        return found


def asked_id(url: str, request: Mapping[str, Any]) -> str:
    """Return the id of a request to a server: 64 hexadecimal digits, made from its content."""
    return hashlib.sha256(f"{url}\n{canonical(request)}".encode()).hexdigest()


def error_in(answer: Mapping[str, Any]) -> str | None:
    """Return what was said in place of an answer, None where there is one."""
    error = answer.get("error")
    if not error:
        return None
    said = error.get("message") if isinstance(error, dict) else None
    return str(said or json.dumps(error, ensure_ascii=False))
