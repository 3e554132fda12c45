"""How many references make an edit: what people agree on, by texts alone.

A reference makes an edit where one of the changes that lead from the source to it, applied alone,
gives the source with that edit. Changes are those of `plain_alignment`, runs of tokens without an
unchanged one between, so that it does not matter how somebody split them into edits. What is half
of a change is made by no reference: the reference changes that place otherwise.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from maege.analysis.extraction.plain_alignment import extract_plain

UNTOUCHED, OTHERWISE = "untouched", "otherwise"


class Shared(NamedTuple):
    """Of so many references, how many make an edit, and how many change its place otherwise."""

    n_references: int
    n_making: int
    n_otherwise: int

    @property
    def made_by(self) -> str:
        """How many make it: `1`, `2-3` or `4+`; where none does, what they do at its place."""
        if not self.n_making:
            return OTHERWISE if self.n_otherwise else UNTOUCHED
        return "1" if self.n_making == 1 else "2-3" if self.n_making < 4 else "4+"


def shared_edits(source: str, edited: Iterable[str], references: Sequence[str]) -> list[Shared]:
    """Return for each edit what references make of it.

    Args:
        source: the sentence, blanks between its tokens.
        edited: the sentence with each of the edits alone.
        references: what the sentence was corrected to.

    """
    changes = [_changes(source, reference) for reference in references]
    found = []
    for text in edited:
        places = [(edit.start, edit.end) for edit in extract_plain(source, text)]
        words = tuple(text.split())
        making = [places != [] and words in of_reference for of_reference in changes]
        otherwise = [
            any(
                # That an insertion stands beside what the other changes is enough.
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
    """Return the place of each change of a reference, by the sentence with it alone."""
    tokens = source.split()
    return {
        (*tokens[: edit.start], *edit.corrections[0].split(), *tokens[edit.end :]): (
            edit.start,
            edit.end,
        )
        for edit in extract_plain(source, reference)
    }
