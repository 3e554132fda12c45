"""Progress messages, on a terminal and in a log."""

import io
import sys

import pytest

from maege.analysis.workers import pool as progress
from maege.analysis.workers.pool import Progress


class Clock:
    """A clock that advances on request."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream whose lines can be overwritten."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stand_in_clock = Clock()
    monkeypatch.setattr(progress, "time", stand_in_clock)
    return stand_in_clock


def messages(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, seconds: list[float]
) -> str:
    """Return the messages about ten texts, each time after this number of seconds."""
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("texts", 10 * len(seconds)) as texts:
        for passed in seconds:
            clock.now += passed
            texts.advance(10)
    return stream.getvalue()


def test_progress_appears_late_and_the_last_line_once(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages(clock, monkeypatch, io.StringIO(), [0.5, 0.5]) == ""
    # A log has one line, which names the work.
    assert messages(clock, monkeypatch, io.StringIO(), [1, 5, 16, 4]) == "Texts (40 in total)\n"

    line = "texts: 10 of 10 (100%), 2 a second, 0 s left"
    assert messages(clock, monkeypatch, Terminal(), [5]) == f"\r{line:<79}\n"


def test_first_items_give_no_estimate(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    text = messages(clock, monkeypatch, Terminal(), [60.0, *[1.0] * 49])
    first, second, *_ = (line.strip() for line in text.split("\r")[1:])
    assert first == "texts: 10 of 500 (2%)"
    assert second == "texts: 20 of 500 (4%)"
    assert "texts: 30 of 500 (6%), 0 a second, 971 s left" in text
