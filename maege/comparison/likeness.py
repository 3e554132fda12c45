"""How much lines resemble their sources, and sources English.

What tells a shifted or untokenised output, or the wrong language.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

WINDOW = 10
MARKS = frozenset(".?!")
# Missing lines are looked for where there are few, and named where the rest fits this much better.
MOST_MISSING = 50
CLEARLY_BETTER = 0.3
# A sixth of English words, and of other languages' next to none.
ENGLISH_WORDS = frozenset(
    ("the", "of", "and", "that", "this", "it", "for", "with", "are", "have", "not", "you", "they")
)
LEAST_TOKENS = 100


class Shift(NamedTuple):
    """The lines, from 1, that resemble their sources the least, and how much they do."""

    line: int
    last: int
    likeness: float


def likeness(source: str, text: str) -> float:
    """Return F of the tokens that two texts share, whatever their order."""
    words, others = source.split(), text.split()
    if words == others:
        return 1.0
    shared = sum((Counter(words) & Counter(others)).values())
    return 2 * shared / (len(words) + len(others)) if words or others else 1.0


def place_of_shift(sources: Sequence[str], texts: Sequence[str]) -> Shift | None:
    """Return the ten lines with text that resemble their sources the least; None without any."""
    lines = [number for number, text in enumerate(texts) if text.split()]
    width = min(WINDOW, len(lines))
    if not width:
        return None
    sums = [0.0, *accumulate(likeness(sources[line], texts[line]) for line in lines)]
    means = [(sums[end] - sums[end - width]) / width for end in range(width, len(sums))]
    start = min(range(len(means)), key=means.__getitem__)
    return Shift(lines[start] + 1, lines[start + width - 1] + 1, means[start])


def untokenised_share(sources: Sequence[str], texts: Sequence[str]) -> float:
    """Return how many outputs of sentences that end in a lone mark end in a word with the mark."""
    asked = found = 0
    for source, text in zip(sources, texts, strict=True):
        words, others = source.split(), text.split()
        if not words or not others or words[-1] not in MARKS:
            continue
        asked += 1
        last = others[-1]
        found += len(last) > 1 and last[-1] in MARKS and last[-2].isalnum()
    return found / asked if asked else 0.0


def english_share(texts: Sequence[str]) -> float | None:
    """Return how many tokens are among the most common of English; None of too few tokens."""
    tokens = [token.lower() for text in texts for token in text.split()]
    if len(tokens) < LEAST_TOKENS:
        return None
    return sum(token in ENGLISH_WORDS for token in tokens) / len(tokens)


def missing_line(sources: Sequence[str], lines: Sequence[str]) -> int | None:
    """Return the line, from 1, at which lines are missing, or are too many; None if none is.

    Up to there lines resemble the source of the same line, from there on that of the line as many
    further on as there are too few.
    """
    shift = len(sources) - len(lines)
    if not 0 < abs(shift) <= MOST_MISSING:
        return None
    n = min(len(sources), len(lines))
    straight = [likeness(sources[place], lines[place]) for place in range(n)]
    if shift > 0:
        shifted = [likeness(sources[place + shift], lines[place]) for place in range(n)]
    else:
        shifted = [likeness(sources[place], lines[place - shift]) for place in range(n)]
    before = [0.0, *accumulate(straight)]
    after = [0.0, *accumulate(shifted)]
    # The first `place` lines are straight, all others shifted.
    scores = [before[place] + after[n] - after[place] for place in range(n + 1)]
    best = max(range(n + 1), key=scores.__getitem__)
    rest = n - best
    is_clear = rest == 0 or scores[best] - before[n] > CLEARLY_BETTER * rest
    return best + 1 if is_clear and scores[best] > CLEARLY_BETTER * n else None
