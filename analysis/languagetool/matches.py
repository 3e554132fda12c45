"""LanguageTool's matches as Python objects, and its errors."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LAST_OF_ONE_UNIT = "\uffff"


@dataclass(frozen=True, slots=True)
class Match:
    """One match of one rule; `offset` and `length` count Python's characters."""

    rule_id: str
    category: str
    offset: int
    length: int


class LanguageToolError(RuntimeError):
    """LanguageTool cannot be used; the message says why and what to do."""


class TextError(RuntimeError):
    """One text could not be checked; the message says what happened."""


def well_formed(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot hold, by U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def in_characters(text: str, matches: Iterable[Match]) -> tuple[Match, ...]:
    """Return matches with positions in characters, from matches in UTF-16 units (Java's)."""
    if text.isascii() or max(text, default="") <= _LAST_OF_ONE_UNIT:
        return tuple(matches)
    starts = list(
        accumulate((1 + (character > _LAST_OF_ONE_UNIT) for character in text), initial=0)
    )
    converted = []
    for match in matches:
        start = bisect_left(starts, match.offset)
        end = bisect_left(starts, match.offset + match.length)
        converted.append(Match(match.rule_id, match.category, start, end - start))
    return tuple(converted)
