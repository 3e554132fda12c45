"""LanguageTool 3.1 and 3.7, with one Java process per worker (CheckTexts.java).

The processes end with their standard input, and therefore with their parent process.
"""

import struct
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from maege.analysis.languagetool.installation import class_path, java
from maege.analysis.languagetool.matches import (
    LanguageToolError,
    Match,
    TextError,
    in_characters,
    well_formed,
)

# The first response follows the first checked text, which takes minutes on a busy machine.
START_SECONDS = 240.0

_LENGTH = struct.Struct(">i")
_LOG_LINES = 10


class _Process:
    """One Java process; `timed_out` after a deadline has killed it."""

    def __init__(self, command: list[str]) -> None:
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.java = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            start_new_session=True,
        )
        self.timed_out = False

    def ask(self, text: bytes | None, seconds: float) -> str:
        """Return the response to a text, or for None the first line. Raises EOFError at its end."""
        assert self.java.stdin is not None  # noqa: S101 - these are pipes
        assert self.java.stdout is not None  # noqa: S101
        with self._deadline(seconds):
            if text is not None:
                try:
                    self.java.stdin.write(_LENGTH.pack(len(text)) + text)
                    self.java.stdin.flush()
                except BrokenPipeError:
                    raise EOFError from None
            (length,) = _LENGTH.unpack(_read(self.java.stdout, _LENGTH.size))
            return _read(self.java.stdout, length).decode()

    def end(self) -> int:
        """Kill the process, and return its exit code."""
        self.java.kill()
        with suppress(BrokenPipeError):
            self.java.communicate()
        self.log.close()
        return self.java.returncode

    def last_lines(self) -> str:
        """Return the end of the process's standard error."""
        self.log.seek(0)
        lines = self.log.read().decode("utf-8", "replace").splitlines()
        return "\n".join(lines[-_LOG_LINES:])

    @contextmanager
    def _deadline(self, seconds: float) -> Iterator[None]:
        timer = threading.Timer(seconds, self._time_out)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _time_out(self) -> None:
        self.timed_out = True
        self.java.kill()


def _read(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


class LegacyChecker:
    """Checks texts with one process, which is started for the first text and after each crash."""

    def __init__(
        self, version: str, disabled_rules: Iterable[str], start_seconds: float = START_SECONDS
    ) -> None:
        self._version = version
        self._disabled_rules = sorted(disabled_rules)
        self._start_seconds = start_seconds
        self._process: _Process | None = None

    def check(self, text: str, seconds: float) -> tuple[Match, ...]:
        """Return the text's matches.

        Raises:
            TextError: LanguageTool failed, died, or took longer than `seconds`, which ends it.
            LanguageToolError: it cannot be started.

        """
        sent = well_formed(text)
        process = self._process = self._process or self._start()
        try:
            answer = process.ask(sent.encode(), seconds)
        except EOFError:
            self._process = None
            code = process.end()
            if process.timed_out:
                raise TextError(f"not checked within {seconds:g} seconds") from None
            raise TextError(f"LanguageTool died with exit code {code}") from None
        if not answer.startswith("+"):
            raise TextError(f"LanguageTool failed: {answer[1:]}")
        return in_characters(sent, map(_match, answer[1:].splitlines()))

    def renew(self) -> None:
        """Drop a process that has died since its last response."""
        if self._process is not None and self._process.java.poll() is not None:
            self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _start(self) -> _Process:
        command = [java(), "-Xmx1g", "-cp", class_path(self._version), "CheckTexts"]
        process = _Process([*command, *self._disabled_rules])
        try:
            process.ask(None, self._start_seconds)
        except EOFError:
            output = process.last_lines()
            process.end()
            reason = f"has not started within {self._start_seconds:.0f} seconds"
            raise LanguageToolError(
                f"LanguageTool {self._version} {reason if process.timed_out else 'did not start'}; "
                f"it said last:\n{output}"
            ) from None
        return process


def _match(line: str) -> Match:
    rule_id, category, offset, length = line.split("\t")
    return Match(rule_id, category, int(offset), int(length))
