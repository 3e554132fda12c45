"""Who has the build file is known without opening it, and dbt ends with it before it parses."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from maege.build_holder import Holder, find_holder, holder_in, in_use

OPENED = """
import sys, duckdb
opened = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reading")
print("opened", flush=True)
sys.stdin.read()
"""
PROGRAMS = Path(sys.executable).parent
asks_the_system = pytest.mark.skipif(
    sys.platform not in {"linux", "darwin"}, reason="needs POSIX locks"
)


@contextmanager
def held(path: Path, how: str = "writing") -> Iterator[int]:
    """Have another process open the file; yield its number."""
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


@asks_the_system
@pytest.mark.parametrize("how", ["writing", "reading"])
def test_whoever_has_the_file_is_found(how: str, tmp_path: Path) -> None:
    path = tmp_path / "build.duckdb"
    assert find_holder(path) is None
    with held(path):
        pass
    assert find_holder(path) is None
    with held(path, how) as pid:
        holder = find_holder(path)
    assert holder is not None
    assert holder.pid == pid


def test_duckdbs_own_words_name_the_process_too() -> None:
    message = (
        'IO Error: Could not set lock on file "/w/build.duckdb": Conflicting lock is held in '
        "/usr/bin/python3.11 (PID 99999999). See also https://duckdb.org/docs"
    )
    assert holder_in(message) == Holder(99999999, "python3.11")
    assert holder_in("IO Error: Could not set lock on file: elsewhere") == Holder(0, "")
    assert holder_in("IO Error: not a DuckDB file") is None


def test_a_process_of_another_machine_has_no_number() -> None:
    assert in_use(Path("build.duckdb"), Holder(0, "")).startswith(
        "build.duckdb is in use by another process, such as"
    )
