"""What a card consists of, whatever it is printed as."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Change = tuple[Literal["same", "deleted", "inserted"], str]


@dataclass(frozen=True)
class Table:
    """Columns are left-aligned where they start with a letter, else right-aligned numbers."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


@dataclass(frozen=True)
class Lines:
    """Sentences below a title."""

    title: str
    lines: list[str]


@dataclass(frozen=True)
class Differences:
    """Two texts each, as one with words deleted and inserted; `captions` stand above them."""

    title: str
    captions: list[str]
    texts: list[list[Change]]
    note: str


Part = Table | Lines | Differences
