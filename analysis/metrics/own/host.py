"""Run a user metric in its own process, in any Python: read requests, write answers.

Requests and answers are lines of JSON. The first request names the function or class; the answer is
its description. Then follow `setup`, `score` and `estimate`. served.py starts this program, which
needs only the standard library.
"""

import inspect
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import partial
from io import TextIOWrapper
from typing import Any, TextIO

from maege.analysis.metrics.own.interface import (
    INPUTS,
    FunctionError,
    Inputs,
    Metric,
    Scored,
    Unavailable,
    check_arguments,
    load_function,
    part_of,
    preference,
    problem_with_reads,
    score_batch,
    score_one,
    shortened,
    source_sha256,
)

_LOOK_SECONDS = 1.0


class HostedMetric:
    def __init__(
        self,
        name: str,
        folders: tuple[str, ...],
        parameters: dict[str, str],
        reads: Sequence[str] = (),
        *,
        batch: bool = False,
    ) -> None:
        function = load_function(name, folders)
        self._source = source_sha256(name, folders)
        if reads:
            function = partial(_Function, function, reads, batch)
        elif not (inspect.isclass(function) and callable(getattr(function, "score_batch", None))):
            raise FunctionError(
                f"{name} is not a class with score_batch; an entry for a function has the keys "
                "function and inputs"
            )
        elif not issubclass(function, Metric):
            # With the defaults of `Metric`.
            function = type(function.__name__, (function, Metric), {})
        try:
            self._metric: Any = function(**parameters)
        # Any exception is reported to the user.
        except FunctionError:
            raise
        except (Exception, SystemExit) as error:
            raise FunctionError(f"{type(error).__name__}: {error}") from error
        self._values: dict[str, Scored] = {}
        if not self._metric.per_text and not isinstance(self._metric, _Function):
            check_arguments(self._metric.score_batch, self._reads())

    def describe(self) -> dict[str, Any]:
        names = ("batch_size", "processes", "device", "seconds", "per_text", "higher_is_better")
        about = {name: getattr(self._metric, name) for name in names} | {"reads": self._reads()}
        for name in ("batch_size", "processes"):
            value = about[name]
            if value != "auto" and (type(value) is not int or value < 1):
                raise FunctionError(f"{name} is {value!r}: expected a number from 1")
        about["sha256"] = self._source
        for name in ("notice", "signature"):
            try:
                about[name] = str(getattr(self._metric, name)())
            except (Exception, SystemExit) as error:
                raise FunctionError(f"{name}: {type(error).__name__}: {error}") from error
        about["signature"] = " ".join(about["signature"].replace("|", "/").split())
        return about

    def setup(self, device: str) -> None:
        try:
            takes = bool(inspect.signature(self._metric.setup).parameters)
            self._metric.setup(*([device] if takes else []))
        except Unavailable:
            raise
        except (Exception, SystemExit) as error:
            raise Unavailable(shortened(f"set-up: {type(error).__name__}: {error}")) from error

    def score(self, inputs: Inputs) -> list[Scored]:
        if self._metric.per_text:
            self._ask_texts(inputs)
            rows = zip(*inputs.values(), strict=True)
            results = [self._combined(dict(zip(inputs, row, strict=True))) for row in rows]
        else:
            results = score_batch(self._metric.score_batch, inputs)
        return list(map(preference, results)) if "other" in inputs else results

    def estimate(self, inputs: Inputs) -> dict[str, float]:
        return asdict(self._metric.estimate(**inputs))

    def _reads(self) -> list[str]:
        reads = self._metric.reads
        if isinstance(reads, str) or not reads or not set(reads) <= set(INPUTS):
            raise FunctionError(f"reads is {reads!r}: expected some of {', '.join(INPUTS)}")
        if problem := problem_with_reads(reads):
            raise FunctionError(f"reads is {reads!r}: expected {problem}")
        return sorted(reads, key=INPUTS.index)

    def _ask_texts(self, inputs: Inputs) -> None:
        texts = sorted({text for row in inputs.values() for text in _texts(row)}, key=len)
        lacking = {"texts": [text for text in texts if text not in self._values]}
        size = self._metric.batch_size
        for start in range(0, len(lacking["texts"]), size):
            part = part_of(lacking, start, start + size)
            results = score_batch(lambda texts: self._metric.score_batch(texts), part)
            self._values.update(zip(part["texts"], results, strict=True))

    def _combined(self, inputs: dict[str, Any]) -> Scored:
        scored = {text: self._values[text] for text in _texts(inputs.values())}
        for text, value in scored.items():
            if value.failure is not None:
                return Scored(value.score, shortened(f"{value.failure}: {text}"), value.raised)
        values = {text: value.score for text, value in scored.items()}
        return score_one(lambda **texts: self._metric.combine(values, **texts), inputs)


class _Function(Metric):
    def __init__(
        self,
        function: Callable[..., Any],
        reads: Sequence[str],
        batch: bool,
        /,
        **parameters: str,
    ) -> None:
        check_arguments(function, [*reads, *parameters])
        self.reads = reads
        self._batch = batch
        self._function = partial(function, **parameters)

    def score_batch(self, **inputs: Any) -> Any:  # noqa: ANN401
        try:
            if self._batch:
                return self._function(**inputs)
            rows = zip(*inputs.values(), strict=True)
            return [self._function(**dict(zip(inputs, row, strict=True))) for row in rows]
        # A function has no set-up that may succeed later. Only classes can stop their metric for a
        # build.
        except Unavailable as error:
            raise RuntimeError(str(error)) from error


def serve(requests: TextIO, answers: TextIO) -> None:
    settings = json.loads(requests.readline())
    try:
        sys.path[:0] = settings["path"]
        hosted = HostedMetric(
            settings["metric"],
            tuple(settings["folders"]),
            settings["parameters"],
            settings["reads"],
            batch=settings["batch"],
        )
        _answer(answers, hosted.describe())
    except FunctionError as error:
        _answer(answers, {"problem": shortened(str(error))})
        return
    for line in requests:
        command, argument = json.loads(line)
        started = time.monotonic()
        try:
            result = getattr(hosted, command)(argument)
        except Unavailable as error:
            _answer(answers, {"unavailable": shortened(str(error))})
            continue
        _answer(answers, {"found": result, "seconds": time.monotonic() - started})


def main() -> None:
    # Ctrl-C ends the process without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    serve(requests, answers)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


def _answer(answers: TextIO, answer: object) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _texts(row: Iterable[Any]) -> Iterable[str]:
    for value in row:
        if isinstance(value, str):
            yield value
        else:
            yield from _texts(value)


if __name__ == "__main__":
    main()
