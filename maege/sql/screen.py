"""Show rows on a terminal: as a table if it fits, otherwise record by record, with all columns."""

import textwrap
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len, chop_cells

from maege.visible import on_one_line, visible

GAP = 2
NOTHING = "NULL"
# Smaller numbers are not shown with three decimals.
_SMALL = 0.001

Row = tuple[Any, ...]


def is_number(value: object) -> bool:
    """Whether the value is right-aligned."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def cell(value: object) -> str:
    """Return the value as text: numbers with three decimals and separated thousands."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:,.3f}" if value == 0 or abs(value) >= _SMALL else f"{value:.2e}"
    return f"{value:,}" if is_number(value) else str(value)


def lines_of(names: Sequence[str], rows: Sequence[Row], width: int) -> Iterator[str]:
    """Yield the lines of the result; no line is wider than the terminal."""
    names = [on_one_line(name) for name in names]
    cells = [[visible(cell(value)) for value in row] for row in rows]
    columns = [[name, *(row[n] for row in cells)] for n, name in enumerate(names)]
    widths = [max(map(cell_len, column)) for column in columns]
    is_one_line = all("\n" not in text for row in cells for text in row)
    if is_one_line and sum(widths) + GAP * (len(names) - 1) <= width:
        numeric = [any(is_number(row[n]) for row in rows) for n in range(len(names))]
        yield from _table([list(names), *cells], widths, numeric)
    elif rows:
        yield from _records(names, cells, width)
    else:
        yield from names


def _table(cells: list[list[str]], widths: list[int], numeric: list[bool]) -> Iterator[str]:
    for row in cells:
        padded = [
            f"{_spaces(text, width)}{text}" if right else f"{text}{_spaces(text, width)}"
            for text, width, right in zip(row, widths, numeric, strict=True)
        ]
        yield (" " * GAP).join(padded).rstrip()


def _records(names: Sequence[str], cells: list[list[str]], width: int) -> Iterator[str]:
    name_width = min(max(map(cell_len, names), default=0), max(width // 3, 1))
    value_width = max(width - name_width - GAP, 1)
    for number, row in enumerate(cells, start=1):
        yield f"-- {number:,} {'-' * (width - len(f'-- {number:,} '))}"[:width]
        for name, text in zip(names, row, strict=True):
            values = [line for part in text.split("\n") for line in _cut(part, value_width)]
            for label, value in zip_longest(_cut(name, name_width), values, fillvalue=""):
                yield f"{label}{_spaces(label, name_width + GAP)}{value}".rstrip()


def _spaces(text: str, width: int) -> str:
    return " " * (width - cell_len(text))


def _cut(text: str, width: int) -> list[str]:
    """Return the text in lines of that width, cut between words where that is possible."""
    lines = textwrap.wrap(
        text, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=False
    ) or [""]
    return [piece for line in lines for piece in (chop_cells(line, width) or [""])]
