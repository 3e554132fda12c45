"""Functions of the user's own in a process for them alone: they may hang, die and print.

The process loads the function once and is kept for the next inputs. A call that takes too long, or
that ends the process, is a failure of its input; another process goes on with the rest. Of a batch
nobody can see which input it was, so that the batch is halved until it stands alone.
"""

import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import cache, partial
from io import TextIOWrapper
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from pathlib import Path
from typing import Any, NamedTuple

from maege.analysis.metrics.own.functions import FunctionError, load_function
from maege.analysis.metrics.own.interface import Unavailable
from maege.analysis.metrics.own.results import (
    Inputs,
    Scored,
    count,
    ended_by,
    part_of,
    score_batch,
    score_one,
    shortened,
)

# After so many inputs that end the process or take too long, the rest of a chunk is not tried.
MOST_CULPRITS = 5
_LOOK_SECONDS = 0.1
# What a call that ends the process takes along are the results that were not sent yet.
_SEND_SECONDS = 0.05


class Calls(NamedTuple):
    """What is called, and where what it prints goes; `content` is the hash of its module."""

    function: str
    folders: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    batch: bool
    content: str
    log: str


class _EndedError(Exception):
    """The process is gone; `index` is the input of the last call, counted from 0."""

    def __init__(self, failure: str, results: list[Scored], index: int) -> None:
        super().__init__(failure)
        self.failure = failure
        self.results = results
        self.index = index


class _Caller:
    """The process that calls one function, started when there is something to call it for."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._context = multiprocessing.get_context("spawn")
        self._begun = self._context.RawValue("q", 0)
        self._process: Any = None

    def ask(self, inputs: Inputs, seconds: float) -> list[Scored]:
        """Return one result for each input; raise _EndedError, after which there is no process."""
        n_inputs = count(inputs)
        if self._process is None:
            self._start()
        before = begun = self._begun.value
        results: list[Scored] = []
        since = time.monotonic()
        try:
            self._connection.send(inputs)
            while len(results) < n_inputs:
                if self._connection.poll(_LOOK_SECONDS):
                    results += self._connection.recv()
                now = time.monotonic()
                if self._begun.value != begun:
                    begun, since = self._begun.value, now
                # Before the first call the module is imported, which may take its time.
                elif begun > before and now - since > seconds:
                    self._end()
                    raise _EndedError(
                        f"not scored within {seconds:g} seconds", results, begun - before - 1
                    )
        except (EOFError, OSError):
            index = max(0, self._begun.value - before - 1)
            raise _EndedError(ended_by(self._end()), results, index) from None
        return results

    def _start(self) -> None:
        self._connection, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(self._calls, theirs, self._begun), daemon=True
        )
        self._process.start()
        theirs.close()

    def _end(self) -> int:
        """End the process, and return its exit code."""
        self._connection.close()
        self._process.join(1)
        self._process.kill()
        self._process.join()
        code = int(self._process.exitcode)
        self._process = None
        return code


def score_isolated(calls: Calls, inputs: Inputs, seconds: float) -> list[Scored]:
    """Return one result for each input, whose parts stand in lists of one length.

    Args:
        calls: what is called.
        inputs: by name.
        seconds: that a call may take; a batch is one call.

    """
    n_inputs = count(inputs)
    results: list[Scored | None] = [None] * n_inputs
    caller = _caller(calls)
    culprits = 0
    todo = [range(n_inputs)]
    while todo:
        part = todo.pop()
        if not part:
            continue
        if culprits == MOST_CULPRITS:
            failure = f"not tried after {culprits} inputs that ended or stalled the function"
            _put(results, part, [Scored(math.nan, failure)] * len(part))
            continue
        try:
            _put(results, part, caller.ask(part_of(inputs, part.start, part.stop), seconds))
        except _EndedError as ended:
            n_done = len(ended.results)
            _put(results, part[:n_done], ended.results)
            if calls.batch and len(part) > 1:
                middle = len(part) // 2
                todo += [part[middle:], part[:middle]]
                continue
            culprits += 1
            at = max(ended.index, n_done)
            _put(results, part[at : at + 1], [Scored(math.nan, ended.failure)])
            todo += [part[at + 1 :], part[n_done:at]]
    return [result for result in results if result is not None]


@cache
def _caller(calls: Calls) -> _Caller:
    """Return the process of this one, kept as long as the worker."""
    return _Caller(calls)


def _put(results: list[Scored | None], part: range, found: list[Scored]) -> None:
    results[part.start : part.stop] = found


def _serve(calls: Calls, connection: Connection, begun: Any) -> None:  # noqa: ANN401
    """Answer inputs with results, as they come, until nobody asks any longer."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _watch_parent()
    _print_to(Path(calls.log))
    try:
        loaded = load_function(calls.function, calls.folders)
        function, problem = partial(loaded, **dict(calls.parameters)), None
    except FunctionError as error:
        function, problem = None, shortened(str(error))
    while True:
        try:
            inputs = connection.recv()
        except EOFError:
            return
        if function is None:
            connection.send([Scored(math.nan, problem)] * count(inputs))
        elif calls.batch:
            connection.send(score_batch(_counted(function, begun), inputs))
        else:
            _answer_one_by_one(function, inputs, connection, begun)


def _watch_parent() -> None:
    """End this process with the one that started it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)


def _print_to(log: Path) -> None:
    """Have what is printed stand in the log line by line, also where the process is killed."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)


def _counted(function: Callable[..., Any], begun: Any) -> Callable[..., Any]:  # noqa: ANN401
    def call(**inputs: list[Any]) -> object:
        begun.value += 1
        try:
            return function(**inputs)
        # Functions have no set-up that could be had later: only classes stop a build's metric.
        except Unavailable as error:
            raise RuntimeError(str(error)) from error

    return call


def _answer_one_by_one(
    function: Callable[..., Any],
    inputs: Inputs,
    connection: Connection,
    begun: Any,  # noqa: ANN401
) -> None:
    names = tuple(inputs)
    unsent: list[Scored] = []
    sent = time.monotonic()
    for values in zip(*inputs.values(), strict=True):
        begun.value += 1
        unsent.append(score_one(function, dict(zip(names, values, strict=True))))
        now = time.monotonic()
        if now - sent > _SEND_SECONDS:
            connection.send(unsent)
            unsent, sent = [], now
    connection.send(unsent)
