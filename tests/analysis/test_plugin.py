"""How dbt opens the build file, and what it says where it cannot."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from dbt.adapters.duckdb.credentials import DuckDBCredentials
from dbt_common.exceptions import DbtRuntimeError

from analysis.plugin import Plugin
from analysis.stored.little_data import LITTLE_DATA

HOLDER = """
import sys, duckdb
opened = duckdb.connect(sys.argv[1])
print("opened", flush=True)
sys.stdin.read()
"""


def opened_by_dbt(path: Path) -> dict[str, object]:
    """Return what the profile says of threads, as the plugin changes it."""
    credentials = DuckDBCredentials(database="build", schema="main", path=str(path))
    plugin = Plugin.__new__(Plugin)
    config: dict[str, object] = {"threads": 2}
    plugin.update_connection_config(credentials, config)
    return config


def test_a_build_beside_another_process_names_it(tmp_path: Path) -> None:
    path = tmp_path / "build.duckdb"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "opened\n"
        with pytest.raises(DbtRuntimeError) as refused:
            opened_by_dbt(path)
        holder.communicate()
    assert f"{path} is in use by process {holder.pid} (" in str(refused.value)
    opened_by_dbt(path)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "build.duckdb"
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(DbtRuntimeError, match=r"cannot be opened.*Move it away"):
        opened_by_dbt(path)
    assert path.read_bytes().startswith(b"not a database")


@pytest.mark.parametrize(
    ("lines", "named", "threads"),
    [(LITTLE_DATA, None, 1), (LITTLE_DATA + 1, None, 2), (LITTLE_DATA, "2", 2)],
)
def test_duckdb_has_one_thread_where_there_is_little_data_and_nobody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int, named: str | None, threads: int
) -> None:
    if named is None:
        monkeypatch.delenv("MAEGE_THREADS", raising=False)
    else:
        monkeypatch.setenv("MAEGE_THREADS", named)
    path = tmp_path / "build.duckdb"
    with duckdb.connect(path) as build:
        build.execute(f"create schema raw; create table raw.files as select {lines} as lines")
    assert opened_by_dbt(path) == {"threads": threads}


def test_the_folder_of_a_first_build_is_made(tmp_path: Path) -> None:
    opened_by_dbt(tmp_path / "new" / "build.duckdb")
    assert (tmp_path / "new").is_dir()
    duckdb.connect(tmp_path / "new" / "build.duckdb").close()
