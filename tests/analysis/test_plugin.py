"""How dbt opens the build file, and the message if it cannot."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from holding import locked

from maege.analysis.plugin import Plugin


def opened_by_dbt(path: Path) -> None:
    """Do what dbt-duckdb makes the plugin do before it opens the file."""
    credentials = SimpleNamespace(path=str(path))
    Plugin("plugin", {}).update_connection_config(credentials, {})


def test_build_names_the_process_that_holds_the_file(tmp_path: Path) -> None:
    path = tmp_path / "build.duckdb"
    with locked(path) as pid, pytest.raises(RuntimeError) as refused:
        opened_by_dbt(path)
    assert f"{path} is in use by process {pid} (" in str(refused.value)
    opened_by_dbt(path)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "build.duckdb"
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(RuntimeError, match=r"cannot be opened.*Move it away"):
        opened_by_dbt(path)
    assert path.read_bytes().startswith(b"not a database")
