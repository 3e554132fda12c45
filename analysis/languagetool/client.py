"""A persistent connection to the HTTP server.

`http.client` sends small packets at once (TCP_NODELAY) and each request in one piece. Each request
has one text, because joined texts get matches across their borders.
"""

import http
import http.client
import json
import time
from collections.abc import Iterable, Iterator
from typing import Any, Protocol
from urllib.parse import urlencode

from maege.analysis.languagetool.installation import SERVER_VERSION, connection_to
from maege.analysis.languagetool.matches import (
    LanguageToolError,
    Match,
    TextError,
    in_characters,
    well_formed,
)

# The server drops connections that were idle for 30 seconds.
_IDLE_SECONDS = 10.0
# A server that has started has loaded English. Other languages load with their first texts, which
# takes half a minute for German on a busy machine.
LOADED_LANGUAGE = "en-US"
FIRST_TEXTS = 10
FIRST_TEXTS_SECONDS = 240.0
_HEADERS = {"Content-Type": "application/x-www-form-urlencoded"}


class Server(Protocol):
    """A server that checks texts."""

    def url(self) -> str:
        """Return the address of a running server. Raises LanguageToolError."""

    def kill(self, url: str) -> None:
        """End the server at this address, because it has stalled."""


class ServerChecker:
    """Checks texts over one connection; after a failure it gets the server's address again."""

    def __init__(
        self, server: Server, disabled_rules: Iterable[str], language: str = "en-US"
    ) -> None:
        self._server = server
        self._parameters = {"language": language}
        rules = ",".join(sorted(disabled_rules))
        if rules:
            self._parameters["disabledRules"] = rules
        self._url = ""
        self._path = ""
        self._connection: http.client.HTTPConnection | None = None
        self._last_used = 0.0
        self._n_checked = 0

    def check(self, text: str, seconds: float) -> tuple[Match, ...]:
        """Return the text's matches.

        Raises:
            TextError: the server died, rejected the text, or took longer than `seconds`, which ends
                it; for the first texts in another language than English, longer than loading may
                take.
            LanguageToolError: there is no server, or one of another version.

        """
        sent = well_formed(text)
        body = urlencode({**self._parameters, "text": sent}).encode()
        connection = self._connect()
        if self._parameters["language"] != LOADED_LANGUAGE and self._n_checked < FIRST_TEXTS:
            seconds = max(seconds, FIRST_TEXTS_SECONDS)
        try:
            self._give(connection, seconds)
            connection.request("POST", self._path, body, _HEADERS)
            response = connection.getresponse()
            answer = response.read()
        except TimeoutError:
            self.close()
            self._server.kill(self._url)
            raise TextError(f"not checked within {seconds:g} seconds") from None
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise TextError(f"the server failed: {type(error).__name__} {error}".strip()) from None
        self._last_used = time.monotonic()
        self._n_checked += 1
        if response.status != http.HTTPStatus.OK:
            message = answer.decode("utf-8", "replace").strip()
            raise TextError(f"the server answered {response.status}: {message}")
        return in_characters(sent, self._matches(json.loads(answer)))

    def renew(self) -> None:
        """Get the server's address again, and so check its health, before the next check."""
        self.close()

    def close(self) -> None:
        """Close the connection; the next check opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @staticmethod
    def _give(connection: http.client.HTTPConnection, seconds: float) -> None:
        """Set the timeout of the connection's next response."""
        connection.timeout = seconds
        if connection.sock is not None:
            connection.sock.settimeout(seconds)

    def _connect(self) -> http.client.HTTPConnection:
        if time.monotonic() - self._last_used > _IDLE_SECONDS:
            self.close()
        if self._connection is None:
            url = self._server.url()
            if url != self._url:
                self._url, self._n_checked = url, 0
            self._connection, prefix = connection_to(self._url)
            self._path = f"{prefix}/v2/check"
        return self._connection

    def _matches(self, answer: dict[str, Any]) -> Iterator[Match]:
        version = answer["software"]["version"]
        if version != SERVER_VERSION:
            raise LanguageToolError(
                f"{self._url} is LanguageTool {version}, expected {SERVER_VERSION}: "
                "other versions give other scores"
            )
        if answer.get("warnings", {}).get("incompleteResults"):
            raise TextError("the server closed the connection before the end of its response")
        for match in answer["matches"]:
            rule = match["rule"]
            yield Match(rule["id"], rule["category"]["name"], match["offset"], match["length"])
