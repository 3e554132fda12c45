"""The pool of processes and its progress messages."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from maege.analysis.workers import pool
from maege.analysis.workers.pool import ChunkError, Progress, run_chunks

# --- The process pool: same results as without it, and no worker that outlives its parent ---

PROGRAM = """
import os, sys
print("imported", flush=True)
import pool_functions
from maege.analysis.workers.pool import run_chunks
if __name__ == "__main__":
    run_chunks(getattr(pool_functions, sys.argv[1]), range(4), 2, print)
"""

PROGRAM_WITH_A_THREAD = """
import signal, sys, threading
# A process in the background of a script ignores Ctrl-C. At a terminal Ctrl-C interrupts it.
signal.signal(signal.SIGINT, signal.default_int_handler)
print("imported", flush=True)
import pool_functions
from maege.analysis.workers.pool import ChunkError
from maege.analysis.workers.pool import run_chunks
def work():
    try:
        scheduler = next(iter(sys.argv[2:]), None)
        run_chunks(getattr(pool_functions, sys.argv[1]), range(4), 2, print, scheduler=scheduler)
    except ChunkError as error:
        print(error, flush=True)
    ended.set()
ended = threading.Event()
threading.Thread(target=work).start()
while not ended.is_set():
    try:
        ended.wait()
    except KeyboardInterrupt:
        pass
"""

# A user's function that is called without workers, in a separate process.
PROGRAM_WITH_ONE_CHUNK = """
import os
from maege.analysis.metrics.own.served import Hosting, Server
if __name__ == "__main__":
    hosting = Hosting(
        "pool_functions:call", (os.getcwd(),), (), os.path.abspath("log"), reads=("hypothesis",)
    )
    try:
        print(Server(hosting).score({"hypothesis": ["a", "b"]}, 600), flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""

FUNCTIONS = """
import os, signal, threading

def main_file(chunk):
    import __main__
    return os.path.basename(__main__.__file__)

def hang(chunk):
    os.write(1, f"{os.getpid()}\\n".encode())  # at once: two workers write
    threading.Event().wait()

def call(hypothesis):
    signal.raise_signal(signal.SIGINT)
"""


def square(number: int) -> int:
    return number * number


def fail_on_three(number: int) -> int:
    if number == 3:
        raise ValueError("three is refused")
    return number


def die_on_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def process_id(_: int) -> int:
    return os.getpid()


def print_and_describe(_: int) -> tuple[int, str | None, str]:
    """Print something; return the process, its threads of linear algebra, and its allocator."""
    sys.stdout.write("said")
    allocator: str = pa.default_memory_pool().backend_name
    return os.getpid(), os.environ.get("OPENBLAS_NUM_THREADS"), allocator


@pytest.mark.parametrize(("workers", "chunks"), [(1, 5), (2, 1), (2, 0)])
def test_little_work_stays_in_this_process(workers: int, chunks: int) -> None:
    results: list[int] = []
    run_chunks(process_id, range(chunks), workers, results.append)
    assert results == [os.getpid()] * chunks


def test_workers_have_settings_of_their_own_and_their_prints_are_no_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    environment, allocator = dict(os.environ), pa.default_memory_pool().backend_name
    results: list[tuple[int, str | None, str]] = []
    run_chunks(print_and_describe, range(4), 2, results.append)
    assert [settings for _, *settings in results] == [["1", "system"]] * 4
    assert os.getpid() not in {process for process, *_ in results}
    assert dict(os.environ) == environment
    assert pa.default_memory_pool().backend_name == allocator


@pytest.mark.parametrize("workers", [1, 2])
def test_chunks_are_taken_as_workers_get_free(workers: int) -> None:
    n_taken = 0
    results: list[int] = []

    def chunks() -> Iterator[int]:
        nonlocal n_taken
        for number in range(40):
            n_taken += 1
            # Two chunks are read ahead to see whether a pool is worth it.
            assert n_taken - len(results) <= 2 * workers + 1
            yield number

    run_chunks(square, chunks(), workers, results.append)
    assert n_taken == 40
    assert sorted(results) == [number * number for number in range(40)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_names_its_chunk(workers: int) -> None:
    with pytest.raises(ChunkError, match="chunk 4: ValueError: three is refused") as raised:
        run_chunks(fail_on_three, range(10), workers, lambda _: None)
    assert isinstance(raised.value.__cause__, ValueError)


def test_a_worker_that_dies_is_an_error_and_not_a_wait() -> None:
    with pytest.raises(ChunkError, match="a worker died"):
        run_chunks(die_on_three, range(10), 2, lambda _: None)


def test_an_error_of_the_receiver_is_raised_unchanged() -> None:
    def refuse(_: int) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run_chunks(square, range(10), 2, refuse)


def test_workers_do_not_import_the_main_program(tmp_path: Path, repository: Path) -> None:
    program = start(tmp_path, repository, PROGRAM, "main_file")
    output, _ = program.communicate(timeout=60)
    assert output.split() == ["imported", *["worker.py"] * 4]


def test_workers_die_with_a_killed_parent(tmp_path: Path, repository: Path) -> None:
    program = start(tmp_path, repository, PROGRAM, "hang")
    wait_until_both_workers_hang(program)
    program.kill()
    # The output ends once the last process that holds it is gone.
    program.communicate(timeout=20)


def test_ctrl_c_ends_program_and_workers(tmp_path: Path, repository: Path) -> None:
    program = start(tmp_path, repository, PROGRAM, "hang")
    wait_until_both_workers_hang(program)
    os.killpg(program.pid, signal.SIGINT)
    program.communicate(timeout=20)
    assert program.returncode != 0


def test_ctrl_c_ends_a_pool_in_a_thread_that_cannot_hear_of_it(
    tmp_path: Path, repository: Path
) -> None:
    program = start(tmp_path, repository, PROGRAM_WITH_A_THREAD, "hang")
    wait_until_both_workers_hang(program)
    os.killpg(program.pid, signal.SIGINT)
    output, _ = program.communicate(timeout=20)
    assert "a worker died" in output


def test_an_input_is_not_to_blame_for_ctrl_c(tmp_path: Path, repository: Path) -> None:
    program = start(tmp_path, repository, PROGRAM_WITH_ONE_CHUNK)
    output, _ = program.communicate(timeout=60)
    assert output == "interrupted\n"


def start(folder: Path, repository: Path, program: str, *arguments: str) -> subprocess.Popen[str]:
    (folder / "pool_functions.py").write_text(FUNCTIONS)
    (folder / "program.py").write_text(program)
    return subprocess.Popen(
        [sys.executable, "program.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{repository}{os.pathsep}{folder}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def wait_until_both_workers_hang(program: subprocess.Popen[str]) -> None:
    assert program.stdout is not None
    lines = [program.stdout.readline() for _ in range(3)]
    assert lines[0] == "imported\n"
    assert len({program.pid, *(int(line) for line in lines[1:])}) == 3


# --- Progress messages, on a terminal and in a log ---


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


Messages = Callable[[io.StringIO, list[float]], str]


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    def messages(stream: io.StringIO, seconds: list[float]) -> str:
        clock = Clock()
        monkeypatch.setattr(pool, "time", clock)
        monkeypatch.setattr(sys, "stderr", stream)
        with Progress("texts", 10 * len(seconds)) as texts:
            for passed in seconds:
                clock.now += passed
                texts.advance(10)
        return stream.getvalue()

    return messages


def test_progress_appears_late_and_the_last_line_once(messages: Messages) -> None:
    assert messages(io.StringIO(), [0.5, 0.5]) == ""
    # A log has one line, which names the work.
    assert messages(io.StringIO(), [1, 5, 16, 4]) == "Texts (40 in total)\n"

    line = "texts: 10 of 10 (100%), 2 a second, 0 s left"
    assert messages(Terminal(), [5]) == f"\r{line:<79}\n"


def test_first_items_give_no_estimate(messages: Messages) -> None:
    text = messages(Terminal(), [60.0, *[1.0] * 49])
    first, second, *_ = (line.strip() for line in text.split("\r")[1:])
    assert first == "texts: 10 of 500 (2%)"
    assert second == "texts: 20 of 500 (4%)"
    assert "texts: 30 of 500 (6%), 0 a second, 971 s left" in text
