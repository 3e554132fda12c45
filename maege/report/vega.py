"""Vega's script for the page, and a process that draws pictures while the marts are read.

vl-convert takes a second to bundle the script, so the bundle is stored next to this module for each
version. Its engine takes half a second to start and blocks other threads of its process.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import vl_convert

from maege.whole_files import write_whole


@contextmanager
def drawing() -> Iterator[ProcessPoolExecutor]:
    """Start the process, and end it when the block ends, also after an error."""
    pool = ProcessPoolExecutor(1, get_context("spawn"))
    try:
        # An empty picture starts the engine.
        draw(pool, {"mark": "point", "data": {"values": []}})
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def draw(pool: ProcessPoolExecutor, spec: dict[str, Any]) -> "Future[str]":
    """Return the picture of a chart with its rows as SVG; ValueError if Vega cannot draw it."""
    return pool.submit(vl_convert.vegalite_to_svg, spec)


def script() -> str:
    """Return the script that draws in the reader's browser and loads nothing else."""
    path = Path(__file__).parent / "__pycache__" / f"vega-{version('vl-convert-python')}.js"
    if path.exists():
        return path.read_bytes().decode()
    # The type stub lacks the default of the argument `snippet`, which bundles only Vega.
    text = str(vl_convert.javascript_bundle())  # type: ignore[call-arg]
    # If the folder is read-only, the script is bundled each time.
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        write_whole(text, path)
    return text
