"""Progress messages, on a terminal and in a log."""

import io
import sys

import pytest

from maege.analysis.workers import progress
from maege.analysis.workers.progress import Progress


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
    found = Clock()
    monkeypatch.setattr(progress, "time", found)
    return found


def said(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, seconds: list[float]
) -> str:
    """Return the messages about ten texts, each time after this number of seconds."""
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("texts", 10 * len(seconds)) as texts:
        for passed in seconds:
            clock.now += passed
            texts.advance(10)
    return stream.getvalue()


def test_short_work_shows_no_progress(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(clock, monkeypatch, io.StringIO(), [0.5, 0.5]) == ""


def test_the_first_items_tell_nothing_of_the_others(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = said(clock, monkeypatch, io.StringIO(), [60.0, *[1.0] * 49]).splitlines()
    assert lines[0] == "texts: 10 of 500 (2%)"
    assert lines[1] == "texts: 110 of 500 (22%), 2 a second, 248 s left"


def test_a_log_has_a_line_now_and_then_and_the_last_one(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(clock, monkeypatch, io.StringIO(), [5, 5, 6, 4]).splitlines() == [
        "texts: 10 of 40 (25%), 2 a second, 15 s left",
        "texts: 30 of 40 (75%), 2 a second, 5 s left",
        "texts: 40 of 40 (100%), 2 a second, 0 s left",
    ]


def test_last_line_is_printed_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "texts: 10 of 10 (100%), 2 a second, 0 s left"
    assert said(clock, monkeypatch, io.StringIO(), [5]) == line + "\n"
    assert said(clock, monkeypatch, Terminal(), [5]) == f"\r{line:<79}\n"
