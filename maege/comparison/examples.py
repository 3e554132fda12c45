"""Edits that show how two systems differ: from the sentences that changed the most."""

from collections.abc import Sequence

from maege.analysis.compare.results import EditChange, EditList, Result, Sentence


def examples(result: Result, a: str, b: str, name: EditList, number: int) -> list[EditChange]:
    """Return so many edits of a list, each of another sentence.

    From the sentences in which right less false edits changed the most, the first of equal ones.
    """
    of_list = [one for one in result.changes_of(a, b) if one.list == name]
    first: dict[int, EditChange] = {}
    for one in sorted(of_list, key=lambda one: (one.sentence, one.start, one.end, one.correction)):
        first.setdefault(one.sentence, one)
    places = [system.name for system in result.systems]
    pair = places.index(a), places.index(b)
    ordered = sorted(
        first.values(),
        key=lambda one: (-_change(result.sentences[one.sentence], pair), one.sentence),
    )
    return ordered[:number]


def _change(sentence: Sentence, pair: Sequence[int]) -> int:
    """Return by how much right less false edits of two systems differ."""
    gains = [sentence.systems[place].counts for place in pair]
    return abs((gains[1][0] - gains[1][1]) - (gains[0][0] - gains[0][1]))


def in_context(change: EditChange, source: str, tokens: int) -> str:
    """Return an edit as `[-old-] {+new+}`, with so many tokens on either side."""
    words = source.split()
    start = max(0, change.start - tokens)
    end = min(len(words), change.end + tokens)
    parts = (
        "..." if start else "",
        *words[start : change.start],
        f"[-{change.original}-]" if change.original else "",
        f"{{+{change.correction}+}}" if change.correction else "",
        *words[change.end : end],
        "..." if end < len(words) else "",
    )
    return " ".join(part for part in parts if part)
