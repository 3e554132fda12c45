"""Client of a chat-completions server with an OpenAI-compatible API, with retries.

The key comes from the environment, is sent to that server only, and never appears in messages.
"""

import ipaddress
import json
import os
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from maege.analysis.metrics.own.interface import Unavailable

# Temporary errors, for which a retry may help.
_RETRIED = {408, 409, 425, 429, 500, 502, 503, 504}
# Errors that may concern a single text, if other texts were answered.
_OF_ONE_TEXT = {400, 413, 422}
_LONGEST_WAIT = 120.0
_FIRST_WAIT = 0.5
_MOST_BYTES = 4_000_000


class RefusedError(Exception):
    """The server refuses this request, but answers others."""


@dataclass
class Client:
    """A server, with the limits and retries for its requests.

    Args:
        url: base URL, without /chat/completions.
        key_variable: environment variable with the key; no key is sent if it is not set.
        seconds: timeout of one answer.
        tries: attempts per request before the server counts as down.
        per_minute: maximum number of requests started per minute.

    """

    url: str
    key_variable: str = "OPENAI_API_KEY"
    seconds: float = 60
    tries: int = 6
    per_minute: float = 6000
    _next: float = 0
    _has_answered: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, request: Mapping[str, Any], *, may_refuse: bool = False) -> dict[str, Any]:
        """Return the answer to a request.

        Args:
            request: the body.
            may_refuse: a refusal concerns this request only, not the other requests.

        Raises:
            RefusedError: this request alone is refused.
            Unavailable: the server is not available.

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
        opener = urllib.request.build_opener(*handlers)
        http_request = urllib.request.Request(  # noqa: S310 (http or https: checked by problem_with)
            f"{self.url}/chat/completions", json.dumps(request).encode(), headers
        )
        ends = time.monotonic() + self.seconds
        content = b""
        with opener.open(http_request, timeout=self.seconds) as reply:
            # The body is read in pieces, because a server may send without end, or one byte at a
            # time.
            while piece := reply.read1(65_536):
                content += piece
                if len(content) > _MOST_BYTES:
                    raise ValueError(f"an answer of more than {_MOST_BYTES:,} bytes")
                if time.monotonic() > ends:
                    raise ValueError(f"no complete answer within {self.seconds:g} seconds")
        try:
            answer = json.loads(content)
        except RecursionError:
            raise ValueError("an answer that is nested too deeply") from None
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
    """Return whether the server is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def problem_with(url: str, key_variable: str) -> str | None:
    """Return the reason why a server may not be used, None if it may."""
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
