"""LanguageTool 6.6 as an HTTP server: its process, and connections that check texts.

`language_tool_python` could start a server, too, but its matches lack the names of categories, and
it opens a connection for each text.
"""

import http
import http.client
import json
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import IO, Any
from urllib.parse import urlencode

from maege.analysis.languagetool.installation import (
    SERVER_VERSION,
    answer,
    class_path,
    connection_to,
    java,
    last_lines,
)
from maege.analysis.languagetool.matches import (
    LanguageToolError,
    Match,
    TextError,
    in_characters,
    well_formed,
)

START_SECONDS = 45.0
# Pipelines are cached because creating one takes longer than checking a sentence.
_CONFIGURATION = b"""\
pipelineCaching=true
maxPipelinePoolSize=8
pipelineExpireTimeInSeconds=3600
"""
# Without `nodelay` each response waits 40 ms for an acknowledgement. The parallel collector is as
# fast as the default one, with 700 MB of memory for the process instead of 910 MB.
_JAVA_OPTIONS = (
    "-Xmx1g",
    "-XX:+UseParallelGC",
    "-Dsun.net.httpserver.nodelay=true",
    "-Djava.net.preferIPv4Stack=true",
)
# Runs a command that ends with the standard input of the shell, and so with the parent process.
_UNTIL_INPUT_ENDS = """
exec 3<&0
"$@" & pid=$!
(read _ <&3; kill -9 $pid) &
wait $pid; code=$?
kill $!
exit $code
"""
_HEADERS = {"Content-Type": "application/x-www-form-urlencoded"}
# The server drops connections that were idle for 30 seconds.
_IDLE_SECONDS = 10.0
# A server that has started has loaded English. Other languages load with their first texts, which
# takes half a minute for German on a busy machine.
LOADED_LANGUAGE = "en-US"
FIRST_TEXTS = 10
FIRST_TEXTS_SECONDS = 240.0


class ManagedServer:
    """A server on 127.0.0.1, started when an address is needed; it ends with this process."""

    def __init__(self, start_seconds: float = START_SECONDS) -> None:
        self._start_seconds = start_seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the server
        self._configuration = tempfile.NamedTemporaryFile(suffix=".properties")  # noqa: SIM115
        self._configuration.write(_CONFIGURATION)
        self._configuration.flush()
        self._url = ""
        self._failure: LanguageToolError | None = None

    def url(self) -> str:
        """Return the address of a responding server, which is started if necessary.

        Raises LanguageToolError if none starts. Later calls raise it at once, because other threads
        wait for the same server.
        """
        with self._lock:
            if self._failure is not None:
                raise self._failure
            if self._process is None or not _answers(self._url):
                self._end()
                self._start()
            return self._url

    def kill(self, url: str) -> None:
        with self._lock:
            if url == self._url:
                self._end()

    def close(self) -> None:
        self._end()
        self._log.close()
        self._configuration.close()

    def _start(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = [java(), *_JAVA_OPTIONS, "-cp", class_path(SERVER_VERSION)]
        server += ["org.languagetool.server.HTTPServer", "--config", self._configuration.name]
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            ["/bin/sh", "-c", _UNTIL_INPUT_ENDS, "sh", *server, "-p", str(port)],
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        self._url = f"http://127.0.0.1:{port}"
        if problem := self._problem():
            self._end()
            self._failure = LanguageToolError(
                f"{problem}\n{last_lines(self._log)}\nCorrect the cause, then maege build; or "
                "remove LanguageTool's metrics from the variable metrics."
            )
            raise self._failure

    def _problem(self) -> str | None:
        """Wait for the first checked text, which loads dictionaries: minutes on a busy machine."""
        assert self._process is not None  # noqa: S101 - it was started
        deadline = time.monotonic() + self._start_seconds
        while not _answers(self._url):
            code = self._process.poll()
            if code is not None:
                return f"LanguageTool's server ended with exit code {code}."
            if time.monotonic() > deadline:
                seconds = f"{self._start_seconds:.0f} seconds"
                return f"LanguageTool's server has not come up within {seconds}."
            time.sleep(0.1)
        checker = ServerChecker(GivenServer(self._url), ())
        try:
            checker.check("This is an test.", FIRST_TEXTS_SECONDS)
        except (TextError, LanguageToolError) as error:
            return f"LanguageTool's server did not check a first text: {error}."
        finally:
            checker.close()
        return None

    def _end(self) -> None:
        if self._process is not None:
            with suppress(BrokenPipeError):
                self._process.communicate()
            self._process = None


class GivenServer:
    """An external server, at LANGUAGETOOL_URL."""

    def __init__(self, url: str) -> None:
        self._url = url

    def url(self) -> str:
        """Return its address. Raises LanguageToolError if it does not respond."""
        if not _answers(self._url):
            raise LanguageToolError(
                f"No LanguageTool answers at LANGUAGETOOL_URL, {self._url}/v2/healthcheck. Start "
                "it, or give another address (such as http://127.0.0.1:8081), or none to have a "
                "server started"
            )
        return self._url

    def kill(self, url: str) -> None:
        """Do nothing, because the server is external."""


class ServerChecker:
    """Checks texts over one connection; after a failure it gets the server's address again.

    Each request has one text, because joined texts get matches across their borders.
    """

    def __init__(
        self,
        server: ManagedServer | GivenServer,
        disabled_rules: Iterable[str],
        language: str = LOADED_LANGUAGE,
    ) -> None:
        self._server = server
        self._parameters = {"language": language}
        if rules := ",".join(sorted(disabled_rules)):
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
                it; the first texts in another language than English get the time for loading.
            LanguageToolError: there is no server, or one of another version.
        """
        sent = well_formed(text)
        body = urlencode({**self._parameters, "text": sent}).encode()
        connection = self._connect()
        if self._parameters["language"] != LOADED_LANGUAGE and self._n_checked < FIRST_TEXTS:
            seconds = max(seconds, FIRST_TEXTS_SECONDS)
        connection.timeout = seconds
        try:
            if connection.sock is not None:
                connection.sock.settimeout(seconds)
            connection.request("POST", self._path, body, _HEADERS)
            response = connection.getresponse()
            content = response.read()
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
            message = content.decode("utf-8", "replace").strip()
            raise TextError(f"the server answered {response.status}: {message}")
        return in_characters(sent, self._matches(json.loads(content)))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

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

    def _matches(self, response: dict[str, Any]) -> Iterator[Match]:
        version = response["software"]["version"]
        if version != SERVER_VERSION:
            raise LanguageToolError(
                f"{self._url} is LanguageTool {version}, expected {SERVER_VERSION}: "
                "other versions give other scores"
            )
        if response.get("warnings", {}).get("incompleteResults"):
            raise TextError("the server closed the connection before the end of its response")
        for match in response["matches"]:
            rule = match["rule"]
            yield Match(rule["id"], rule["category"]["name"], match["offset"], match["length"])


def _answers(url: str) -> bool:
    try:
        return answer(url, "/v2/healthcheck", 10) == (http.HTTPStatus.OK, b"OK")
    except (OSError, http.client.HTTPException):
        return False
