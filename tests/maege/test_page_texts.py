"""Texts of published pages."""

import pytest

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
