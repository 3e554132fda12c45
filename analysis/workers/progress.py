"""Show progress: a line that is rewritten on a terminal; elsewhere one line that names the work."""

import sys
import time
from types import TracebackType
from typing import Self

from maege.visible import on_one_line, unfiltered

_SILENT_SECONDS = 2.0
_TERMINAL_INTERVAL = 0.2
# The time of the first items includes the start, so it does not predict the others.
_FORETELLING_SHARE = 0.05


class Progress:
    """Reports to standard error; silent if the work ends within two seconds."""

    def __init__(self, what: str, total: int) -> None:
        self._what = on_one_line(what)
        self._total = total
        self._done = 0
        self._stream = unfiltered(sys.stderr)
        self._rewrites = self._stream.isatty()
        self._started = time.monotonic()
        self._next_report = self._started + _SILENT_SECONDS
        self._reported: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._reported is not None and self._rewrites:
            if self._reported != self._done:
                self._report()
            self._stream.write("\n")

    def advance(self, n: int) -> None:
        """Count `n` more finished items, and report if a report is due."""
        self._done += n
        now = time.monotonic()
        if now >= self._next_report and (self._rewrites or self._reported is None):
            self._report()
            self._next_report = now + _TERMINAL_INTERVAL

    def _report(self) -> None:
        self._reported = self._done
        if not self._rewrites:
            what = f"{self._what[:1].upper()}{self._what[1:]}"
            print(f"{what} ({self._total:,} in total)", file=self._stream, flush=True)
            return
        seconds = max(time.monotonic() - self._started, 1e-9)
        share = self._done / self._total
        line = f"{self._what}: {self._done:,} of {self._total:,} ({share:.0%})"
        if share >= _FORETELLING_SHARE:
            left = (self._total - self._done) * seconds / self._done
            line += f", {self._done / seconds:,.0f} a second, {left:.0f} s left"
        self._stream.write(f"\r{line:<79}")
        self._stream.flush()
