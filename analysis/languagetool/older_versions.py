"""LanguageTool 3.1 and 3.7, with one Java process per worker (CheckTexts.java)."""

import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import IO

from maege.analysis.languagetool.installation import class_path, java, last_lines
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


class LegacyChecker:
    """Checks texts with one process, which is started for the first text and after each failure."""

    def __init__(
        self, version: str, disabled_rules: Iterable[str], start_seconds: float = START_SECONDS
    ) -> None:
        self._version = version
        self._disabled_rules = sorted(disabled_rules)
        self._start_seconds = start_seconds
        self._java: subprocess.Popen[bytes] | None = None

    def check(self, text: str, seconds: float) -> tuple[Match, ...]:
        """Return the text's matches.

        Raises:
            TextError: LanguageTool failed, died, or took longer than `seconds`, which ends it.
            LanguageToolError: it cannot be started.
        """
        sent = well_formed(text)
        if self._java is None or self._java.poll() is not None:
            self.close()
            self._java = self._start()
        try:
            answer = _ask(self._java, sent.encode(), seconds)
        except TimeoutError:
            self.close()
            raise TextError(f"not checked within {seconds:g} seconds") from None
        except EOFError:
            code = self._java.wait()
            self.close()
            raise TextError(f"LanguageTool died with exit code {code}") from None
        if not answer.startswith("+"):
            raise TextError(f"LanguageTool failed: {answer[1:]}")
        return in_characters(sent, map(_match, answer[1:].splitlines()))

    def close(self) -> None:
        if self._java is not None:
            _end(self._java)
            self._java = None

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [java(), "-Xmx1g", "-cp", class_path(self._version), "CheckTexts"]
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [*command, *self._disabled_rules],
                # The process ends with its input, and so with this process.
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
            try:
                _ask(process, None, self._start_seconds)
            except (EOFError, TimeoutError) as error:
                _end(process)
                reason = "did not start"
                if isinstance(error, TimeoutError):
                    reason = f"has not started within {self._start_seconds:.0f} seconds"
                raise LanguageToolError(
                    f"LanguageTool {self._version} {reason}; it said last:\n{last_lines(log)}"
                ) from None
        return process


def _ask(process: "subprocess.Popen[bytes]", text: bytes | None, seconds: float) -> str:
    """Return the response to a text, or for None the first line.

    Raises TimeoutError after `seconds`, which kills the process, and EOFError if it has died.
    """
    assert process.stdin is not None  # noqa: S101 - these are pipes
    assert process.stdout is not None  # noqa: S101
    deadline = threading.Timer(seconds, process.kill)
    deadline.daemon = True
    started = time.monotonic()
    deadline.start()
    try:
        if text is not None:
            process.stdin.write(_LENGTH.pack(len(text)) + text)
            process.stdin.flush()
        (length,) = _LENGTH.unpack(_read(process.stdout, _LENGTH.size))
        return _read(process.stdout, length).decode()
    except (EOFError, BrokenPipeError):
        is_late = time.monotonic() - started >= seconds
        raise (TimeoutError if is_late else EOFError) from None
    finally:
        deadline.cancel()


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    with suppress(BrokenPipeError):
        process.communicate()


def _read(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _match(line: str) -> Match:
    rule_id, category, offset, length = line.split("\t")
    return Match(rule_id, category, int(offset), int(length))
