"""Escape texts for Markdown."""

import re

from maege.visible import visible

# Characters with a meaning anywhere in a line, including those of HTML tags and entities.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$&#]")
_WITHIN_A_WORD = re.compile(r"(?<=[^\W_])\\_(?=[^\W_])")


def escaped(text: str) -> str:
    """Return the text escaped for Markdown, also inside tables."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text))


def cell_text(text: str) -> str:
    """Return the text escaped for a cell. Underscores within words, as in names, need no escape."""
    return _WITHIN_A_WORD.sub("_", escaped(text)).replace("\n", "<br>")
