"""Texts of published pages, and names in messages."""

import pytest

from maege.names import lock_holder
from maege.page_texts import note_without_folders, without_folders


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("no model in /home/me/models/x.arpa; see ~/a.txt", "no model in x.arpa; see a.txt"),
        (r"C:\Users\me\x.txt and ../b/y.txt", "x.txt and y.txt"),
        ("https://a.org/b, </b>, and/or, 1/2", "https://a.org/b, </b>, and/or, 1/2"),
    ],
)
def test_paths_become_file_names(text: str, written: str) -> None:
    assert without_folders(text) == written


def test_note_names_only_the_file() -> None:
    for path in ("out/x y.txt", "/my folder/x y.txt", "../x y.txt", "x y.txt"):
        assert note_without_folders(f"{path}: line 3: empty") == "x y.txt: line 3: empty"
    assert note_without_folders("precision and/or recall") == "precision and/or recall"


def test_duckdbs_own_words_name_the_process() -> None:
    message = (
        'IO Error: Could not set lock on file "/w/build.duckdb": Conflicting lock is held in '
        "/usr/bin/python3.11 (PID 99999999). See also https://duckdb.org/docs"
    )
    assert lock_holder(message) == "process 99999999 (python3.11)"
    assert lock_holder("IO Error: Could not set lock on file: elsewhere") == "another process"
    assert lock_holder("IO Error: not a DuckDB file") is None
