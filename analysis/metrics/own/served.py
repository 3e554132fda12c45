"""User metrics as the build sees them: a process that is started, set up once and sent requests.

A user's function or class may hang, crash and print. Its set-up has no timeout. A batch that takes
too long, or ends the process, is halved until the failing input is alone. A function that scores
one input per call gets one input per request.
"""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import suppress
from importlib.util import find_spec
from itertools import islice, pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from maege.analysis.metrics.own.interface import (
    Cost,
    FunctionError,
    Inputs,
    Scored,
    Unavailable,
    count,
    ended_by,
    part_of,
)
from maege.analysis.workers import BLAS_THREADS

# Number of inputs that are sorted together. A batch contains whole sentences, so finished work
# stays in whole sentences, and lengths in a batch are similar.
BATCHES_SORTED = 16
# This many batches without a single score count as an outage, not as faults of their inputs.
MOST_FAILED = 3
# Number of single inputs of a batch that may crash or stall the process before the rest is skipped.
MOST_CULPRITS = 5
# The other Python can import `maege`, but no other package that is installed with it.
_START = """\
import runpy, sys
sys.path.insert(0, sys.argv[1])
import maege
sys.path.remove(sys.argv[1])
runpy.run_module("maege.analysis.metrics.own.host", run_name="__main__")
"""


class Hosting(NamedTuple):
    """The function or class to serve; only a function has `reads`."""

    metric: str
    folders: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    log: str
    python: str | None = None
    reads: tuple[str, ...] = ()
    batch: bool = False


class Description(NamedTuple):
    reads: tuple[str, ...]
    batch_size: int
    processes: int | str
    device: str
    seconds: float
    per_text: bool
    higher_is_better: bool
    signature: str
    sha256: str
    notice: str


class _EndedError(Exception):
    """The process ended; the message says why."""


class Server:
    def __init__(self, hosting: Hosting, device: str = "cpu", threads: int | None = None) -> None:
        self._hosting = hosting
        self._device = device
        self._threads = threads
        self._process: subprocess.Popen[str] | None = None
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        self._is_set_up = False

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def describe(self) -> Description:
        try:
            description = self._start()
        except _EndedError as ended:
            raise FunctionError(f"{self._hosting.metric}: {ended}") from None
        return Description(**(description | {"reads": tuple(description["reads"])}))

    def setup(self) -> float:
        try:
            seconds = float(self._request("setup", self._device)["seconds"])
        except _EndedError as ended:
            raise Unavailable(f"set-up: {ended}; see {self._hosting.log}") from None
        self._is_set_up = True
        return seconds

    def score(self, inputs: Inputs, seconds: float) -> list[Scored]:
        """Return one result per input. `seconds` is the timeout of a call, without the set-up."""
        culprits = 0
        results: list[Scored] = []
        n_inputs = count(inputs)
        is_called_singly = bool(self._hosting.reads) and not self._hosting.batch
        size = 1 if is_called_singly else max(1, n_inputs)
        todo = [(start, start + size) for start in range(0, n_inputs, size)][::-1]
        while todo:
            start, stop = todo.pop()
            if culprits == MOST_CULPRITS:
                failure = f"not tried after {culprits} inputs that ended or stalled the metric"
                results += [Scored(math.nan, failure, raised=True)] * (stop - start)
                continue
            try:
                results += self._score(part_of(inputs, start, stop), seconds)
            except _EndedError as ended:
                if stop - start > 1:
                    middle = (start + stop) // 2
                    todo += [(middle, stop), (start, middle)]
                    continue
                culprits += 1
                results.append(Scored(math.nan, str(ended), raised=True))
        return results

    def estimate(self, inputs: Inputs) -> Cost:
        try:
            return Cost(**self._request("estimate", inputs)["found"])
        except _EndedError as ended:
            raise Unavailable(f"estimate: {ended}; see {self._hosting.log}") from None

    def peak_megabytes(self) -> float | None:
        with suppress(OSError):
            status = Path(f"/proc/{self._process.pid if self._process else 0}/status").read_text()
            if peak := re.search(r"VmHWM:\s+(\d+) kB", status):
                return int(peak[1]) / 1024
        return None

    def close(self) -> None:
        if self._process is not None:
            self._end()

    def _score(self, inputs: Inputs, seconds: float) -> list[Scored]:
        if not self._is_set_up:
            self.setup()
        return [Scored(*result) for result in self._request("score", inputs, seconds)["found"]]

    def _request(
        self, command: str, argument: object, seconds: float | None = None
    ) -> dict[str, Any]:
        if self._process is None:
            try:
                self._start()
            except FunctionError as error:
                raise Unavailable(str(error)) from error
        answer = self._answer([command, argument], seconds)
        if "unavailable" in answer:
            raise Unavailable(answer["unavailable"])
        return answer

    def _start(self) -> dict[str, Any]:
        about = self._hosting
        Path(about.log).parent.mkdir(parents=True, exist_ok=True)
        start = ["-m", "maege.analysis.metrics.own.host"]
        if about.python is not None:
            start = ["-c", _START, str(_package_parent())]
        threads = {} if self._threads is None else dict.fromkeys(BLAS_THREADS, str(self._threads))
        try:
            with Path(about.log).open("ab") as log:
                self._process = subprocess.Popen(  # noqa: S603 (the user's Python)
                    [about.python or sys.executable, *start],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    encoding="utf-8",
                    env=os.environ | threads,
                )
        except OSError as error:
            raise FunctionError(f"{about.python}: {error}") from error
        self._answers, self._is_set_up = SimpleQueue(), False
        Thread(target=_read_answers, args=(self._process, self._answers), daemon=True).start()
        first = {
            "metric": about.metric,
            "folders": about.folders,
            "parameters": dict(about.parameters),
            "reads": about.reads,
            "batch": about.batch,
            "path": [] if about.python else [folder for folder in sys.path if folder],
        }
        description = self._answer(first)
        if "problem" in description:
            self._end()
            raise FunctionError(description["problem"])
        return description

    def _answer(self, request: object, seconds: float | None = None) -> dict[str, Any]:
        assert self._process is not None  # noqa: S101 (it was started)
        assert self._process.stdin is not None  # noqa: S101 (a pipe)
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise _EndedError(ended_by(self._end(patience=1))) from None
        try:
            line = self._answers.get(timeout=seconds)
        except Empty:
            self._end()
            raise _EndedError(f"not scored within {seconds:g} seconds") from None
        if line is None:
            raise _EndedError(ended_by(self._end(patience=1)))
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self, patience: float = 0) -> int:
        process, self._process = self._process, None
        assert process is not None  # noqa: S101 (it was started)
        self._is_set_up = False
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        process.kill()
        code = process.wait()
        # Unsent requests cannot be sent any more, because the other end of the pipe is closed.
        with suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        return code


def _read_answers(process: "subprocess.Popen[str]", answers: "SimpleQueue[str | None]") -> None:
    assert process.stdout is not None  # noqa: S101 (a pipe)
    with process.stdout as lines:
        for line in lines:
            answers.put(line)
    answers.put(None)


def device_of(device: str, number: int, environment: Mapping[str, str] = os.environ) -> str:
    """Return a device; "auto" distributes the GPUs in CUDA_VISIBLE_DEVICES, else all GPUs."""
    if device != "auto":
        return device
    named = environment.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        n_devices = len([name for name in named.split(",") if name.strip() not in ("", "-1")])
    else:
        n_devices = len(list(Path("/dev").glob("nvidia[0-9]*")))
    return f"cuda:{number % n_devices}" if n_devices else "cpu"


# --- Batches of inputs of similar length, over one or more processes ---
#
# If the metric as a whole is unavailable, all finished batches are returned first. Then
# `Unavailable` is raised, and no input is marked as failed.

Rows = TypeVar("Rows")


class Batch(NamedTuple, Generic[Rows]):
    rows: Rows
    inputs: Inputs


def sorted_batches(
    inputs: Inputs, starts: Sequence[int], batch_size: int
) -> Iterator[Batch[list[int]]]:
    """Yield batches with ascending lengths within windows of whole sentences (`starts`)."""
    lengths = [sum(map(_length, row)) for row in zip(*inputs.values(), strict=True)]
    for first, stop in _windows([*starts, len(lengths)], BATCHES_SORTED * batch_size):
        rows = sorted(range(first, stop), key=lengths.__getitem__)
        for start in range(0, len(rows), batch_size):
            batch = rows[start : start + batch_size]
            yield Batch(batch, {name: [of[row] for row in batch] for name, of in inputs.items()})


def score_batches(
    hosting: Hosting, about: Description, batches: Iterable[Batch[Rows]], processes: int
) -> Iterator[tuple[Rows, list[Scored]]]:
    """Yield the results of finished batches; raise Unavailable if the metric is.

    Batches in which every input failed are held back until another batch is scored.
    """
    failed: list[tuple[Rows, list[Scored]]] = []
    is_scoring = False
    for rows, scored in _finished(hosting, about, batches, processes):
        if all(result.raised for result in scored):
            failed.append((rows, scored))
            if len(failed) == MOST_FAILED:
                break
        else:
            is_scoring = True
            yield from failed
            failed = []
            yield rows, scored
    n_failed = sum(len(scored) for _, scored in failed)
    if len(failed) == MOST_FAILED or (n_failed > 1 and not is_scoring):
        raise Unavailable(f"all of {n_failed} inputs failed: {failed[-1][1][-1].failure}")
    yield from failed


def _finished(
    hosting: Hosting, about: Description, batches: Iterable[Batch[Rows]], processes: int
) -> Iterator[tuple[Rows, list[Scored]]]:
    threads = max(1, (os.cpu_count() or 1) // processes) if processes > 1 else None
    servers = [
        Server(hosting, device_of(about.device, number), threads) for number in range(processes)
    ]
    idle: SimpleQueue[Server] = SimpleQueue()
    for server in servers:
        idle.put(server)

    def score(batch: Batch[Rows]) -> tuple[Rows, list[Scored]]:
        server = idle.get()
        try:
            return batch.rows, server.score(batch.inputs, about.seconds)
        finally:
            idle.put(server)

    pool = ThreadPoolExecutor(processes)
    unread = iter(batches)
    waiting: set[Future[tuple[Rows, list[Scored]]]] = set()
    stop: Unavailable | None = None
    try:
        while True:
            if stop is None:
                more = islice(unread, 2 * processes - len(waiting))
                waiting |= {pool.submit(score, batch) for batch in more}
            if not waiting:
                break
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                try:
                    yield future.result()
                except CancelledError:
                    pass
                except Unavailable as error:
                    stop = error
                    # Running batches are not cancelled, because they may have been paid for.
                    for other in waiting:
                        other.cancel()
    finally:
        for server in servers:
            server.close()
        pool.shutdown(wait=False, cancel_futures=True)
    if stop:
        raise stop


def _windows(bounds: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    first = bounds[0]
    for _, stop in pairwise(bounds):
        if stop - first >= size or (stop == bounds[-1] and stop > first):
            yield first, stop
            first = stop


def _length(value: Any) -> int:  # noqa: ANN401 (a text, or a list of texts)
    return len(value) if isinstance(value, str) else sum(map(len, value))


def n_processes(setting: int | str, workers: int) -> int:
    return workers if setting == "auto" else int(setting)


def _package_parent() -> Path:
    spec = find_spec("maege")
    assert spec is not None and spec.origin is not None  # noqa: PT018, S101 (it is a regular package)
    return Path(spec.origin).parent.parent
