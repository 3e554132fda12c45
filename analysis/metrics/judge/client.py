"""Client of a chat-completions server with an OpenAI-compatible API, and its stored answers.

The key comes from the environment, is sent to that server only, and never appears in messages.

Whole answers are stored by request in an SQLite file, so that a repeated run needs no server and no
key. A row without an answer is a request that was exported to a file for separate sending. An
answer with an `error` is the provider's error message.
"""

import hashlib
import ipaddress
import json
import os
import random
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from maege.analysis.metrics.own.interface import Unavailable

# Temporary errors, for which a retry may help.
_RETRIED = {408, 409, 425, 429, 500, 502, 503, 504}
# Errors that may concern a single text, if other texts were answered.
_OF_ONE_TEXT = {400, 413, 422}
_LONGEST_WAIT = 120.0
_FIRST_WAIT = 0.5


class RefusedError(Exception):
    """The server refuses this request, but answers others; or its answer has no score."""


@dataclass
class Client:
    """`seconds` is the timeout of an answer; after `tries` attempts, the server counts as down."""

    url: str
    key_variable: str = "OPENAI_API_KEY"
    seconds: float = 60
    tries: int = 6
    per_minute: float = 6000
    _next: float = 0
    _has_answered: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, request: Mapping[str, Any], *, may_refuse: bool = False) -> dict[str, Any]:
        """Raise Unavailable without a server, RefusedError if it refuses only this request.

        `may_refuse`: a refusal concerns this request even if no other one was answered.
        """
        problem = "not asked"
        for attempt in range(self.tries):
            self._wait_for_turn()
            pause = _FIRST_WAIT * 2**attempt * (0.5 + random.random())  # noqa: S311 (no secret)
            try:
                answer = self._posted(request)
            except urllib.error.HTTPError as error:
                problem = f"HTTP {error.code} {self._error_text(error)}"
                if error.code in _OF_ONE_TEXT and (may_refuse or self._has_answered):
                    raise RefusedError(problem) from None
                if error.code not in _RETRIED:
                    break
                pause = _seconds(error.headers.get("Retry-After")) or pause
            except (OSError, HTTPException, ValueError) as error:
                problem = self._without_key(f"{type(error).__name__}: {error}")
            else:
                self._has_answered = True
                return answer
            if pause > _LONGEST_WAIT:
                problem += f"; it asks to try again in {pause:.0f} s"
                break
            if attempt < self.tries - 1:
                time.sleep(pause)
        raise Unavailable(f"{self.url}: {problem}")

    def _posted(self, request: Mapping[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self.key_variable):
            headers["Authorization"] = f"Bearer {key}"
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
        if is_loopback(self.url):
            handlers.append(urllib.request.ProxyHandler({}))
        http_request = urllib.request.Request(  # noqa: S310 (http or https: checked by problem_with)
            f"{self.url}/chat/completions", json.dumps(request).encode(), headers
        )
        opener = urllib.request.build_opener(*handlers)
        with opener.open(http_request, timeout=self.seconds) as reply:
            answer = json.load(reply)
        if not isinstance(answer, dict):
            raise ValueError("an answer that is not a JSON object")  # noqa: TRY004 (as bad JSON)
        return answer

    def _wait_for_turn(self) -> None:
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + 60 / self.per_minute
        time.sleep(max(0.0, turn - time.monotonic()))

    def _error_text(self, error: urllib.error.HTTPError) -> str:
        try:
            return self._without_key(error.read(300).decode(errors="replace"))
        except (OSError, HTTPException):
            return ""

    def _without_key(self, text: str) -> str:
        key = os.environ.get(self.key_variable)
        return text.replace(key, "***") if key else text


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, because the key is only for the configured server."""

    def redirect_request(self, *args: Any, **named: Any) -> None:  # noqa: ANN401
        del args, named


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def problem_with(url: str, key_variable: str) -> str | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (raises where it is none)
    except ValueError as error:
        return f"{url}: {error}"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return f"{url}: expected http://HOST:PORT/v1 or https://..."
    if parts.username or parts.password or parts.query:
        return "base_url: expected no user, password or query in it: the environment has the key"
    if parts.scheme == "http" and not is_loopback(url) and os.environ.get(key_variable):
        return f"{url}: expected https://: the key in {key_variable} would be sent in the clear"
    return None


def _seconds(retry_after: str | None) -> float | None:
    try:
        return max(0.0, float(retry_after or ""))
    except ValueError:
        return None


# --- Stored answers ---

_WAIT_SECONDS = 60
_IS_ERROR = "json_extract(answer, '$.error') is not null"
_UNANSWERED = f"answer is null or {_IS_ERROR}"


class Answers:
    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # SQLite itself takes turns between the threads.
        self._connection = sqlite3.connect(
            path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute(
            "create table if not exists answers (asked text primary key, url text, model text, "
            "request text, answer text)"
        )

    def get(self, url: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
        row = self._connection.execute(
            "select answer from answers where asked = ? and answer is not null",
            [request_hash(url, request)],
        )
        stored = row.fetchone()
        return json.loads(stored[0]) if stored else None

    def put(self, url: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        row = (*_row(url, request), json.dumps(answer))
        self._connection.execute("insert or replace into answers values (?, ?, ?, ?, ?)", row)

    def note_written(self, url: str, requests: Sequence[Mapping[str, Any]]) -> int:
        """Record exported requests; return the number that were already recorded."""
        rows = [_row(url, request) for request in requests]
        with self._connection as connection:
            connection.execute("begin immediate")
            sql = "insert or ignore into answers values (?, ?, ?, ?, null)"
            return len(rows) - connection.executemany(sql, rows).rowcount

    def written(self, url: str, model: str) -> dict[str, bool]:
        """Return the ids of all recorded requests to a model, and whether each is answered."""
        rows = self._connection.execute(
            f"select asked, not ({_UNANSWERED}) from answers where url = ? and model = ?",  # noqa: S608
            [url, model],
        )
        return {identifier: bool(is_answered) for identifier, is_answered in rows.fetchall()}

    def keep_all(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Store answers by the ids of their requests, all or none; existing answers are kept."""
        rows = [(json.dumps(answer), identifier) for identifier, answer in answers.items()]
        with self._connection as connection:
            connection.execute("begin immediate")
            connection.executemany(
                f"update answers set answer = ? where asked = ? and ({_UNANSWERED})",  # noqa: S608
                rows,
            )

    def forget_errors(self, url: str, model: str) -> int:
        changed = self._connection.execute(
            f"update answers set answer = null where url = ? and model = ? and {_IS_ERROR}",  # noqa: S608
            [url, model],
        )
        return changed.rowcount

    def tokens(self, url: str, model: str) -> tuple[int, int]:
        rows = self._connection.execute(
            "select coalesce(sum(json_extract(answer, '$.usage.prompt_tokens')), 0), "
            "coalesce(sum(json_extract(answer, '$.usage.completion_tokens')), 0) "
            "from answers where url = ? and model = ?",
            [url, model],
        )
        sent, answered = rows.fetchone()
        return int(sent), int(answered)

    def snapshots(self, url: str, model: str) -> list[str]:
        rows = self._connection.execute(
            "select distinct json_extract(answer, '$.model') from answers "
            "where url = ? and model = ? and json_extract(answer, '$.model') is not null",
            [url, model],
        )
        return sorted(str(name) for (name,) in rows.fetchall())


def _row(url: str, request: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return request_hash(url, request), url, request["model"], canonical(request)


def request_hash(url: str, request: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{url}\n{canonical(request)}".encode()).hexdigest()


def error_in(answer: Mapping[str, Any]) -> str | None:
    error = answer.get("error")
    if not error:
        return None
    message = error.get("message") if isinstance(error, dict) else None
    return str(message or json.dumps(error, ensure_ascii=False))


def canonical(request: Mapping[str, Any]) -> str:
    return json.dumps(request, sort_keys=True, ensure_ascii=False)
