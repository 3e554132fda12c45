"""How many references make an edit, determined from texts only.

A reference makes an edit if one of its changes, applied alone to the source, gives the source with
that edit. Changes are those of `plain_alignment`, maximal runs of changed tokens, so the way in
which an annotator split them into edits does not matter. A reference with a larger change does not
make an edit that is only a part of the change: the reference changes those tokens differently.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from maege.analysis.extraction.plain_alignment import extract_plain

UNTOUCHED, OTHERWISE = "untouched", "otherwise"


class Shared(NamedTuple):
    """Number of references that make an edit, and number that change its place differently."""

    n_references: int
    n_making: int
    n_otherwise: int

    @property
    def made_by(self) -> str:
        """Number of references that make it, as a class; if none, what they do at its place."""
        if not self.n_making:
            return OTHERWISE if self.n_otherwise else UNTOUCHED
        return "1" if self.n_making == 1 else "2-3" if self.n_making < 4 else "4+"


def shared_edits(source: str, edited: Iterable[str], references: Sequence[str]) -> list[Shared]:
    """Return for each edit how many references make it or change its place.

    Args:
        source: the sentence, with spaces between its tokens.
        edited: the sentence with each of the edits alone.
        references: corrections of the sentence.

    """
    changes = [_changes(source, reference) for reference in references]
    found = []
    for text in edited:
        places = [(edit.start, edit.end) for edit in extract_plain(source, text)]
        words = tuple(text.split())
        making = [places != [] and words in of_reference for of_reference in changes]
        otherwise = [
            any(
                # An insertion has no tokens, so it overlaps a change that it is adjacent to.
                max(start, other_start) <= min(end, other_end)
                for start, end in places
                for other_start, other_end in of_reference.values()
            )
            for of_reference in changes
        ]
        n_making = sum(making)
        found.append(
            Shared(
                len(references),
                n_making,
                sum(there and not made for there, made in zip(otherwise, making, strict=True)),
            )
        )
    return found


def _changes(source: str, reference: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """Return the position of each change of a reference, by the sentence with only that change."""
    tokens = source.split()
    return {
        (*tokens[: edit.start], *edit.corrections[0].split(), *tokens[edit.end :]): (
            edit.start,
            edit.end,
        )
        for edit in extract_plain(source, reference)
    }
