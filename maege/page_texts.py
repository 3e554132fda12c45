"""Texts of pages and tables that people publish: real minus signs, and no folders of a machine."""

import re

from maege.numbers import MINUS

_HYPHEN = re.compile(r"(?<![\w.\-])-(?=\.?[0-9])")
# From the root, the home folder, a drive, or a dot; no address of the web and no end tag.
_FOLDERS = re.compile(
    r"(?<![\w/\\.:<~])(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@+-]+)*[/\\](?=[\w.@+-])"
)
# A note on a file begins with its path and a colon.
_FOLDERS_OF_NOTE = re.compile(r"^[^:\n]*[/\\](?=[^/\\:\n]+: )")


def with_minus(text: str) -> str:
    """Return the text with a minus sign before negative numbers."""
    return _HYPHEN.sub(MINUS, text)


def without_folders(text: str) -> str:
    """Return the text with file names in place of absolute paths, and of paths from `..`."""
    return _FOLDERS.sub("", text)


def note_without_folders(text: str) -> str:
    """Return a note such as `out/a.txt: line 3: empty` as `a.txt: line 3: empty`."""
    return without_folders(_FOLDERS_OF_NOTE.sub("", text))
