"""Where the edits of a sentence stand whose offsets nobody wrote down."""

from collections.abc import Sequence

# More ways than one are as bad as none.
ENOUGH = 2


def placed_edits(
    source: str, hypothesis: str, edits: Sequence[tuple[str, str]]
) -> list[tuple[int, int] | None]:
    """Return the span of each edit in the source, in characters; None where it is not known.

    Edits are substrings and what replaces them, in order. They stand where "copy equal characters,
    or apply the next edit" leads from the source to the hypothesis, if there is one such way;
    where there is none or several, an edit stands where its substring is unique.
    """
    ways = _ways(source, hypothesis, edits)
    if len(ways) == 1:
        starts = ways[0]
        return [(at, at + len(old)) for at, (old, _) in zip(starts, edits, strict=True)]
    return [_unique(source, old) for old, _ in edits]


def changed_span(source: str, edited: str) -> tuple[int, int, str]:
    """Return the least span of whole words that changes, from, to, and what stands there then."""
    start = 0
    while start < min(len(source), len(edited)) and source[start] == edited[start]:
        start += 1
    end = 0
    rest = min(len(source), len(edited)) - start
    while end < rest and source[-1 - end] == edited[-1 - end]:
        end += 1
    while _is_inside(source, start) or _is_inside(edited, start):
        start -= 1
    while _is_inside(source, len(source) - end) or _is_inside(edited, len(edited) - end):
        end -= 1
    return start, len(source) - end, edited[start : len(edited) - end]


def _is_inside(text: str, place: int) -> bool:
    """Whether a place is within a word."""
    return 0 < place < len(text) and not any(map(str.isspace, text[place - 1 : place + 1]))


def _ways(source: str, hypothesis: str, edits: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Return the starts of all edits, of at most ENOUGH ways, depth first.

    From (i, j, k): the texts behind position i of the source and j of the hypothesis are equal
    once the edits from k on are applied. A state that led nowhere leads nowhere again.
    """
    found: list[list[int]] = []
    dead: set[tuple[int, int, int]] = set()
    stack: list[tuple[int, int, int, tuple[int, ...]]] = [(0, 0, 0, ())]
    trail: list[tuple[int, int, int, int]] = []
    while stack:
        i, j, k, starts = stack.pop()
        if i < 0:
            if len(found) == trail.pop()[3]:
                dead.add((~i, j, k))
            continue
        if (i, j, k) in dead:
            continue
        if i == len(source) and j == len(hypothesis) and k == len(edits):
            found.append(list(starts))
            if len(found) == ENOUGH:
                break
            continue
        trail.append((i, j, k, len(found)))
        stack.append((~i, j, k, ()))
        if k < len(edits):
            old, new = edits[k]
            if (old or new) and source.startswith(old, i) and hypothesis.startswith(new, j):
                stack.append((i + len(old), j + len(new), k + 1, (*starts, i)))
        if i < len(source) and j < len(hypothesis) and source[i] == hypothesis[j]:
            stack.append((i + 1, j + 1, k, starts))
    return found


def _unique(source: str, old: str) -> tuple[int, int] | None:
    at = source.find(old)
    return (at, at + len(old)) if old and at >= 0 and source.find(old, at + 1) < 0 else None


def applied(source: str, start: int, end: int, correction: str) -> str:
    """Return the source with one edit."""
    return source[:start] + correction + source[end:]
