"""Which builds are of little data."""

from pathlib import Path

import duckdb
import pytest

from analysis.stored.little_data import LITTLE_DATA, has_little_data, is_first_build, is_small


def warehouse(folder: Path, *lines: int) -> Path:
    """Return a warehouse with a file of each number of lines."""
    with duckdb.connect(folder / "build.duckdb") as build:
        build.execute("create schema raw; create table raw.files (lines bigint)")
        for number in lines:
            build.execute(f"insert into raw.files values ({number})")
    return folder


@pytest.mark.parametrize(
    ("lines", "is_little"),
    [((LITTLE_DATA - 1, 1), True), ((LITTLE_DATA, 1), False), ((), False)],
)
def test_lines_of_all_files_are_added(
    tmp_path: Path, lines: tuple[int, ...], is_little: bool
) -> None:
    folder = warehouse(tmp_path, *lines)
    assert is_small(folder / "build.duckdb") is is_little
    with duckdb.connect(folder / "build.duckdb") as build:
        assert has_little_data(build) is is_little


def test_a_build_that_parsed_texts_is_not_the_first(tmp_path: Path) -> None:
    assert is_first_build(tmp_path)
    (tmp_path / "spool" / "text_parses").mkdir(parents=True)
    assert not is_first_build(tmp_path)


def test_what_is_no_warehouse_has_no_data(tmp_path: Path) -> None:
    file = tmp_path / "build.duckdb"
    assert not is_small(file)
    file.write_text("no database")
    assert not is_small(file)
    with duckdb.connect() as empty:
        assert not has_little_data(empty)
