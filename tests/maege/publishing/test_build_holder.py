"""The process that holds the build file is found without opening it, before dbt parses."""

import sys
from pathlib import Path

import pytest
from holding import locked

from maege.building.holder import Holder, find_holder, holder_in, in_use

PROGRAMS = Path(sys.executable).parent
asks_the_system = pytest.mark.skipif(
    sys.platform not in {"linux", "darwin"}, reason="needs POSIX locks"
)


@asks_the_system
@pytest.mark.parametrize("how", ["writing", "reading"])
def test_process_with_the_file_is_found(how: str, tmp_path: Path) -> None:
    path = tmp_path / "build.duckdb"
    assert find_holder(path) is None
    with locked(path):
        pass
    assert find_holder(path) is None
    with locked(path, how) as pid:
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


def test_holders_are_named_by_kind_and_machine() -> None:
    dbt = Holder(7, "python3.11 -m maege.building.dbt_process")
    assert in_use(Path("build.duckdb"), dbt).startswith("A build is running: build.duckdb is in")

    assert in_use(Path("build.duckdb"), Holder(0, "")).startswith(
        "build.duckdb is in use by another process, such as"
    )
