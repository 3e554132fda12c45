"""Who has the build file is known without opening it, and dbt ends with it before it parses."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from build_holder import Holder, find_holder, holder_in, in_use

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


@asks_the_system
def test_make_says_who_has_the_file_and_ends_with_2(repository: Path, tmp_path: Path) -> None:
    path = tmp_path / "build.duckdb"
    line = [sys.executable, "-m", "build_holder", str(path)]
    assert subprocess.run(line, cwd=repository, check=False).returncode == 0
    with held(path) as pid:
        asked = subprocess.run(line, cwd=repository, capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert f"{path} is in use by process {pid} (" in asked.stderr


def dbt(repository: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return how dbt ended that was started in a folder with the project, and parses it anew."""
    for name in ("dbt_project.yml", "profiles.yml"):
        (folder / name).write_text((repository / name).read_text())
    return subprocess.run(
        [PROGRAMS / "dbt", *arguments],
        cwd=folder,
        env={**os.environ, "MAEGE_WAREHOUSE": ".", "PYTHONPATH": str(repository), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@asks_the_system
def test_a_second_build_ends_before_the_project_is_parsed(repository: Path, tmp_path: Path) -> None:
    with held(tmp_path / "build.duckdb") as pid:
        refused = dbt(repository, tmp_path, "build")
        parsed = list((tmp_path / "target").glob("*.msgpack"))
        listed = dbt(repository, tmp_path, "ls")
    assert refused.returncode == 2
    assert f"build.duckdb is in use by process {pid} (" in refused.stdout
    assert "Traceback" not in refused.stdout
    assert parsed == []
    # What only reads the project goes on.
    assert listed.returncode == 0


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
