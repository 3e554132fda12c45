"""Processes with little to do wait for the next pool of a build."""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess

import pyarrow as pa
import pytest

from analysis.workers import idle, pool
from analysis.workers.executors import ChunkError
from analysis.workers.idle import IdleProcesses
from analysis.workers.run import run_chunks
from analysis.workers.spool import Packing

# Other tests of this process may have started some that go on.
others: set[int] = set()


@pytest.fixture(autouse=True)
def _without_others() -> None:
    others.clear()
    others.update(running())


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[IdleProcesses]:
    """Processes that wait, as in a build, until the test is over."""
    processes = IdleProcesses()
    processes.keep()
    monkeypatch.setattr(pool, "idle_processes", processes)
    yield processes
    # Nobody has as many: what waits is let go of.
    assert processes.take(0, __name__) is None


def process_id(_: int) -> int:
    return os.getpid()


def row_of(number: int) -> pa.Table:
    return pa.table({"number": [number]})


def die_on_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def used(workers: int = 2) -> set[int]:
    """Return the processes that computed some chunks."""
    found: set[int] = set()
    run_chunks(process_id, range(20), workers, found.add)
    return found


def started() -> list[BaseProcess]:
    """Return the processes that the test has started and that run."""
    found = multiprocessing.active_children()
    return [process for process in found if process.pid not in others]


def running() -> set[int]:
    return {process.pid for process in started() if process.pid}


@pytest.mark.usefixtures("waiting")
def test_the_next_pool_has_the_same_processes() -> None:
    used()
    processes = running()
    assert len(processes) == 2
    assert used() <= processes
    assert running() == processes


def test_processes_do_not_wait_outside_a_build(
    waiting: IdleProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "idle_processes", IdleProcesses())
    used()
    assert not running()
    assert waiting.take(2, __name__) is None


def test_processes_that_had_much_to_do_are_let_go(
    waiting: IdleProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle, "LITTLE_WORK", 0.0)
    used()
    assert not running()
    assert waiting.take(2, __name__) is None


@pytest.mark.usefixtures("waiting")
def test_processes_wait_for_some_seconds_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "PATIENCE", 0.0)
    used()
    # Not joined: the pool's own thread does that, and of two one is told that none has ended.
    deadline = time.monotonic() + 20
    while running() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not running()


@pytest.mark.usefixtures("waiting")
def test_another_number_of_processes_is_another_pool() -> None:
    used()
    processes = running()
    assert not used(workers=3) & processes
    assert not running() & processes


@pytest.mark.usefixtures("waiting")
def test_a_function_of_another_module_has_new_processes() -> None:
    used()
    processes = running()
    found: set[int] = set()
    run_chunks(Packing(row_of), range(20), 2, lambda rows: found.add(rows.num_rows))
    assert running() == processes
    run_chunks(abs, range(20), 2, found.add)
    assert not running() & processes


@pytest.mark.usefixtures("waiting")
def test_processes_of_which_one_died_are_not_used_again() -> None:
    with pytest.raises(ChunkError, match="a worker died"):
        run_chunks(die_on_three, range(10), 2, lambda _: None)
    assert len(used()) >= 1
    for process in started():
        process.kill()
        process.join()
    assert len(used()) >= 1
