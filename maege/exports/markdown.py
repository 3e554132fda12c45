"""Texts in Markdown that shows them as they are."""

import re

from maege.visible import visible

# What has a meaning anywhere in a line, raw HTML and entities among it.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$&#]")
_WITHIN_A_WORD = re.compile(r"(?<=[^\W_])\\_(?=[^\W_])")


def escaped(text: str) -> str:
    """Return the text as Markdown that shows it, in a table as well."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text))


def cell_text(text: str) -> str:
    """Return the text of a cell; underscores within words, as names have them, mean nothing."""
    return _WITHIN_A_WORD.sub("_", escaped(text)).replace("\n", "<br>")
