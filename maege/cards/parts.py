"""The parts of a card, for every output format."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Change = tuple[Literal["same", "deleted", "inserted"], str]


@dataclass(frozen=True)
class Table:
    """A table. A column whose name starts with a space has numbers and is right-aligned."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""

    @property
    def are_numbers(self) -> list[bool]:
        """Whether each column has numbers."""
        return [name.startswith(" ") for name in self.columns]


@dataclass(frozen=True)
class Lines:
    """A title with sentences below it."""

    title: str
    lines: list[str]


@dataclass(frozen=True)
class Differences:
    """Differences of pairs of texts, with deleted and inserted words and a caption for each."""

    title: str
    captions: list[str]
    texts: list[list[Change]]
    note: str


Part = Table | Lines | Differences
