"""Another process that has a database open."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OPENED = """
import sys, duckdb
opened = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reading")
print("opened", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked(path: Path, how: str = "writing") -> Iterator[int]:
    """Open the file in another process; yield its process id."""
    with subprocess.Popen(
        [sys.executable, "-c", OPENED, str(path), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "opened\n"
        yield process.pid
        process.communicate()
