"""Extract edits between texts: from earlier comparisons, else by ERRANT or plain alignment."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from maege.analysis.edits import Annotation, format_annotation, parse_annotation
from maege.analysis.extraction.extractor import current_extractor
from maege.analysis.extraction.plain_alignment import extract_plain
from maege.analysis.white_space import squeezed
from maege.analysis.workers.pool import LocalPool

if TYPE_CHECKING:
    from maege.analysis.extraction.parses import Parse

# spaCy is imported only for pairs that the store lacks. Equal texts have no edits and are not
# parsed.

Pair = tuple[str, str]
# The texts that a program read: usually a pair of source and target.
Given = tuple[str, ...]


class Store(Protocol):
    """A cache of program outputs, by the program's signature and the texts that it read."""

    def known(self, signature: str, given: Sequence[Given]) -> dict[Given, str]:
        """Return the outputs that are stored."""

    def keep(self, signature: str, made: Mapping[Given, str]) -> None:
        """Store outputs."""


class NoStore:
    """A store that is always empty."""

    def known(self, signature: str, given: Sequence[Given]) -> dict[Given, str]:
        """Return nothing."""
        del signature, given
        return {}

    def keep(self, signature: str, made: Mapping[Given, str]) -> None:
        """Store nothing."""
        del signature, made


class Extraction:
    """Extracts edits of text pairs in one language; with `processes` = 0 this process parses."""

    def __init__(self, language: str, store: Store, processes: int = 0) -> None:
        extractor = current_extractor(language)
        self.signature = extractor.signature
        self.has_types = extractor.pipeline is not None
        self._parse_signature = f"{extractor.signature}|parse"
        self._store = store
        self._processes = processes

    def edits(self, pairs: Sequence[Pair]) -> dict[Pair, Annotation]:
        """Return the edits from the first text of each pair to the second."""
        tokenised = {pair: (squeezed(pair[0]), squeezed(pair[1])) for pair in pairs}
        wanted = list(dict.fromkeys(pair for pair in tokenised.values() if pair[0] != pair[1]))
        annotations = self._store.known(self.signature, wanted)
        missing = [pair for pair in wanted if pair not in annotations]
        if missing:
            new, parses = extract_pairs(
                missing, self.has_types, self._processes, self._parses_of(missing)
            )
            self._store.keep(
                self._parse_signature, {(text,): parse for text, parse in parses.items()}
            )
            annotations |= self._stored(self.signature, new)
        return {
            pair: parse_annotation(annotations.get(tokens, ""))
            for pair, tokens in tokenised.items()
        }

    def classified(
        self, annotated: Sequence[tuple[str, Annotation]]
    ) -> dict[tuple[str, Annotation], Annotation]:
        """Return annotations of sources with ERRANT's types, minimised."""
        signature = f"{self.signature}|typed"
        texts = {
            (source, edits): (squeezed(source), format_annotation(edits))
            for source, edits in annotated
        }
        wanted = list(dict.fromkeys(texts.values()))
        annotations = self._store.known(signature, wanted)
        missing = [pair for pair in wanted if pair not in annotations]
        if missing:
            new = classify_pairs(missing, self._processes)
            annotations |= self._stored(signature, new)
        return {pair: parse_annotation(annotations[text]) for pair, text in texts.items()}

    def _parses_of(self, pairs: Sequence[Pair]) -> dict[str, str]:
        if not self.has_types:
            return {}
        sources = dict.fromkeys((source,) for source, _ in pairs)
        known = self._store.known(self._parse_signature, [*sources])
        return {text: parse for (text,), parse in known.items()}

    def _stored(self, signature: str, new: Mapping[Pair, str]) -> dict[Given, str]:
        annotations: dict[Given, str] = dict(new.items())
        self._store.keep(signature, annotations)
        return annotations


# --- Edits by ERRANT, parsed by one process or several ---
#
# A parse does not depend on the other texts of its batch, and the edits of a pair do not depend on
# other pairs. The number of processes therefore changes only the run time. Parses of sources are
# returned, because the next system has the same sources.

# A share's number, its pairs, and the known parses of first texts, as JSON.
Share = tuple[int, tuple[Pair, ...], Mapping[str, str]]
# The share's number, an annotation for each pair, and the new parses of first texts.
Result = tuple[int, list[str], Mapping[str, str]]
# About 50 MB.
MOST_KNOWN = 20_000
_known: dict[str, "Parse"] = {}


def extract_pairs(
    pairs: Sequence[Pair], has_types: bool, processes: int, parses: Mapping[str, str]
) -> tuple[dict[Pair, str], dict[str, str]]:
    """Return the annotation from the first text of each pair to the second, and new parses.

    Edits come from ERRANT if `has_types`, else from alignment alone, which parses nothing.

    Args:
        pairs: the pairs of texts.
        has_types: whether ERRANT has rules for the language.
        processes: number of processes that parse; 0 parses in this process.
        parses: parses of first texts that earlier calls returned.
    """
    if not has_types:
        return {pair: format_annotation(extract_plain(*pair)) for pair in pairs}, {}
    return _mapped(extract_share, pairs, processes, parses)


def classify_pairs(pairs: Sequence[Pair], processes: int) -> dict[Pair, str]:
    """Return annotations with ERRANT's types. Each pair is a source and its annotation as text."""
    return _mapped(classify_share, pairs, processes, {})[0]


def extract_share(share: Share) -> Result:
    """Return the annotations of a share's pairs of texts, and the parses of their first texts."""
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


def classify_share(share: Share) -> Result:
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
    from maege.analysis.extraction.parses import parse_texts

    wanted = list(dict.fromkeys(texts))
    missing = [text for text in wanted if text not in _known]
    parsed = dict(zip(missing, parse_texts(missing), strict=True))
    parses = {text: parsed.get(text) or _known[text] for text in wanted}
    if len(_known) + len(parsed) > MOST_KNOWN:
        _known.clear()
    _known.update(parsed)
    return parses


def _mapped(
    function: Callable[[Share], Result],
    pairs: Sequence[Pair],
    processes: int,
    parses: Mapping[str, str],
) -> tuple[dict[Pair, str], dict[str, str]]:
    shares = {share[0]: share for share in _shares(pairs, max(1, processes), parses)}
    listed = list(shares.values())
    results = _in_pool(function, listed, processes) if processes else map(function, listed)
    annotations_of: dict[Pair, str] = {}
    new: dict[str, str] = {}
    for number, annotations, new_parses in results:
        annotations_of |= dict(zip(shares[number][1], annotations, strict=True))
        new |= new_parses
    return {pair: annotations_of[pair] for pair in pairs}, new


def _in_pool(
    function: Callable[[Share], Result], shares: Sequence[Share], processes: int
) -> Iterator[Result]:
    pool = LocalPool(function, processes)
    try:
        for share in shares:
            pool.submit("texts to compare", share)
        while pool.in_hand():
            yield from pool.collect()
    finally:
        pool.close()


def _shares(pairs: Sequence[Pair], number: int, parses: Mapping[str, str]) -> Iterator[Share]:
    """Split the pairs into at most `number` shares. All pairs of a source are in the same share."""
    by_source: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_source.setdefault(pair[0], []).append(pair)
    shares: list[list[Pair]] = [[] for _ in range(number)]
    so_far = 0
    for source_pairs in by_source.values():
        shares[so_far * number // len(pairs)] += source_pairs
        so_far += len(source_pairs)
    for place, share in enumerate(shares):
        if share:
            known = {source: parses[source] for source, _ in share if source in parses}
            yield place, tuple(share), known
