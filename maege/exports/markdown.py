"""Escape texts for Markdown, and write tables."""

import re
from collections.abc import Iterable, Iterator, Sequence

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


def table_lines(
    columns: Sequence[str], rows: Iterable[Sequence[str]], are_numbers: Sequence[bool]
) -> Iterator[str]:
    """Yield the lines of a table, with numbers on the right; names and cells are Markdown."""
    rule = ["---:" if is_number else "---" for is_number in are_numbers]
    for row in (columns, rule, *rows):
        yield f"| {' | '.join(cell.strip() for cell in row)} |"
