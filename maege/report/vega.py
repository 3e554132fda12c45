"""Vega: its script for the page, and a process that draws while the marts are read.

vl-convert takes a second to put the script together, which is kept beside this module for each of
its versions. Its engine takes half a second to start, and keeps other threads of a process waiting.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from maege.whole_files import write_whole

Process = subprocess.Popen[str]
Spec = dict[str, Any]

# The first picture starts the engine: one of nothing, before there is any other.
_DRAW = """
import json, sys, vl_convert
vl_convert.vegalite_to_svg({"mark": "point", "data": {"values": []}})
for line in sys.stdin:
    print(json.dumps(vl_convert.vegalite_to_svg(json.loads(line))), flush=True)
"""


class Drawing:
    """A process that draws."""

    def __init__(self, process: Process, thread: ThreadPoolExecutor) -> None:
        self._process = process
        self._thread = thread

    def svg(self, spec: Spec) -> Future[str]:
        """Return the picture of a chart with its rows; pictures are drawn in the order of calls.

        A RuntimeError comes in its place where Vega cannot draw it; standard error says why.
        """
        return self._thread.submit(self._drawn, json.dumps(spec))

    def _drawn(self, line: str) -> str:
        answer = ""
        with suppress(BrokenPipeError):
            print(line, file=_opened(self._process.stdin), flush=True)
            answer = _opened(self._process.stdout).readline()
        if not answer:
            raise RuntimeError("Vega has drawn no picture")
        return str(json.loads(answer))


@contextmanager
def drawing() -> Iterator[Drawing]:
    """Start the process, and end it however the block ends."""
    command = [sys.executable, "-c", _DRAW]
    with (
        subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        ) as process,
        ThreadPoolExecutor(1) as thread,
    ):
        try:
            yield Drawing(process, thread)
        finally:
            process.kill()
            # What was asked of one that has ended stays in the pipe.
            with suppress(BrokenPipeError):
                _opened(process.stdin).close()


def _opened(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise TypeError("expected a process with pipes")
    return pipe


def script() -> str:
    """Return what draws in the reader's browser, and asks for nothing else."""
    kept = Path(__file__).parent / "__pycache__" / f"vega-{version('vl-convert-python')}.js"
    if kept.exists():
        return kept.read_bytes().decode()
    # Imported here: who asks for help need not have it.
    import vl_convert

    # Its stub knows no default of the snippet, which has Vega alone put together.
    text = str(vl_convert.javascript_bundle())  # type: ignore[call-arg]
    # Where the project is installed for others to use, it is put together each time.
    with suppress(OSError):
        kept.parent.mkdir(exist_ok=True)
        write_whole(text, kept)
    return text
