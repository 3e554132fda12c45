"""Vega's script for the page, and a process that draws pictures while the marts are read.

vl-convert takes a second to bundle the script, so the bundle is stored next to this module for each
version. Its engine takes half a second to start and blocks other threads of its process.
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

# Draw an empty picture first, because this starts the engine.
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

        Raises RuntimeError if Vega cannot draw a picture; standard error has the reason.
        """
        return self._thread.submit(self._draw, json.dumps(spec))

    def _draw(self, line: str) -> str:
        answer = ""
        with suppress(BrokenPipeError):
            print(line, file=_opened(self._process.stdin), flush=True)
            answer = _opened(self._process.stdout).readline()
        if not answer:
            raise RuntimeError("Vega has drawn no picture")
        return str(json.loads(answer))


@contextmanager
def drawing() -> Iterator[Drawing]:
    """Start the process, and end it when the block ends, also after an error."""
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
            # If the process has ended, requests remain in the pipe.
            with suppress(BrokenPipeError):
                _opened(process.stdin).close()


def _opened(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise TypeError("expected a process with pipes")
    return pipe


def script() -> str:
    """Return the script that draws in the reader's browser and loads nothing else."""
    path = Path(__file__).parent / "__pycache__" / f"vega-{version('vl-convert-python')}.js"
    if path.exists():
        return path.read_bytes().decode()
    # Imported late, so that `--help` works without it.
    import vl_convert

    # The type stub lacks the default of the argument `snippet`, which bundles only Vega.
    text = str(vl_convert.javascript_bundle())  # type: ignore[call-arg]
    # If the folder is read-only, the script is bundled each time.
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        write_whole(text, path)
    return text
