"""Edits of pairs of texts by ERRANT, from parses that are made here, by one process or several.

A parse does not depend on the other texts of its batch, nor the edits of one pair on the next, so
that the number of processes changes nothing but the time. Those of sources are handed back: the
next system has the same.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from maege.analysis.edits import format_annotation, parse_annotation
from maege.analysis.extraction.plain_alignment import extract_plain
from maege.analysis.workers.pool import LocalPool

if TYPE_CHECKING:
    from maege.analysis.extraction.parses import Parse

Pair = tuple[str, str]
# A number, pairs, and the parses of first texts that are known, as JSON.
Share = tuple[int, tuple[Pair, ...], Mapping[str, str]]
# The number, an annotation for each pair, and the parses of first texts that were made.
Made = tuple[int, list[str], Mapping[str, str]]
# Some 50 MB.
MOST_KNOWN = 20_000
_known: dict[str, "Parse"] = {}


def extract_pairs(
    pairs: Sequence[Pair], has_types: bool, processes: int, parses: Mapping[str, str]
) -> tuple[dict[Pair, str], dict[str, str]]:
    """Return the annotation from the first text of each pair to the second, and new parses.

    By ERRANT if `has_types`, else by alignment alone, which parses nothing.

    Args:
        pairs: of texts.
        has_types: whether ERRANT has rules for their language.
        processes: that parse; 0 parses in this one.
        parses: of first texts, as earlier ones were returned.

    """
    if not has_types:
        return {pair: format_annotation(extract_plain(*pair)) for pair in pairs}, {}
    return _mapped(extract_share, pairs, processes, parses)


def classify_pairs(pairs: Sequence[Pair], processes: int) -> dict[Pair, str]:
    """Return annotations with ERRANT's types; a pair is a source and its annotation as text."""
    return _mapped(classify_share, pairs, processes, {})[0]


def extract_share(share: Share) -> Made:
    """Return the annotations of a share's pairs of texts, and parses of their first texts."""
    from maege.analysis.extraction.errant_edits import extract
    from maege.analysis.extraction.parses import Parse
    from maege.analysis.extraction.tokens import Sentence

    number, pairs, known = share
    _known.update({text: Parse(*json.loads(parse)) for text, parse in known.items()})
    parses = _parses(text for pair in pairs for text in pair)
    read = {text: Sentence(text.split(), parse) for text, parse in parses.items()}
    annotations = [
        format_annotation(extract(read[source], read[target])) for source, target in pairs
    ]
    new = {source: json.dumps(parses[source]) for source, _ in pairs if source not in known}
    return number, annotations, new


def classify_share(share: Share) -> Made:
    """Return the share's annotations of sources with types."""
    from maege.analysis.extraction.errant_edits import classify, corrected_text

    number, pairs, _ = share
    annotations = [parse_annotation(text) for _, text in pairs]
    sources = [source for source, _ in pairs]
    targets = [*map(corrected_text, sources, annotations)]
    parses = _parses([*sources, *targets])
    typed = [
        format_annotation(classify(source, annotation, parses[source], parses[target]))
        for source, annotation, target in zip(sources, annotations, targets, strict=True)
    ]
    return number, typed, {}


def _parses(texts: Iterable[str]) -> dict[str, "Parse"]:
    """Return the parses of texts; sources are read for outputs, and again for the gold."""
    from maege.analysis.extraction.parses import parse_texts

    wanted = list(dict.fromkeys(texts))
    missing = [text for text in wanted if text not in _known]
    found = dict(zip(missing, parse_texts(missing), strict=True))
    parses = {text: found.get(text) or _known[text] for text in wanted}
    if len(_known) + len(found) > MOST_KNOWN:
        _known.clear()
    _known.update(found)
    return parses


def _mapped(
    function: Callable[[Share], Made],
    pairs: Sequence[Pair],
    processes: int,
    parses: Mapping[str, str],
) -> tuple[dict[Pair, str], dict[str, str]]:
    """Return what the function makes of all pairs; those of one source go to one process."""
    shares = {share[0]: share for share in _shares(pairs, max(1, processes), parses)}
    listed = list(shares.values())
    made = _in_pool(function, listed, processes) if processes else map(function, listed)
    found: dict[Pair, str] = {}
    new: dict[str, str] = {}
    for number, annotations, of_share in made:
        found |= dict(zip(shares[number][1], annotations, strict=True))
        new |= of_share
    return {pair: found[pair] for pair in pairs}, new


def _in_pool(
    function: Callable[[Share], Made], shares: Sequence[Share], processes: int
) -> Iterator[Made]:
    pool = LocalPool(function, processes)
    try:
        for share in shares:
            pool.submit("texts to compare", share)
        while pool.in_hand():
            yield from pool.collect()
    finally:
        pool.close()


def _shares(pairs: Sequence[Pair], number: int, parses: Mapping[str, str]) -> Iterator[Share]:
    """Yield at most that many shares of the pairs, whole sources each."""
    by_source: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_source.setdefault(pair[0], []).append(pair)
    shares: list[list[Pair]] = [[] for _ in range(number)]
    so_far = 0
    for of_source in by_source.values():
        shares[so_far * number // len(pairs)] += of_source
        so_far += len(of_source)
    for place, share in enumerate(shares):
        if share:
            known = {source: parses[source] for source, _ in share if source in parses}
            yield place, tuple(share), known
