"""The inputs of a comparison: gold, outputs and settings, and the edits between texts."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from maege.analysis.compare.results import GoldEdits, Note
from maege.analysis.edits import Annotation, Edit, format_annotation, parse_annotation
from maege.analysis.extraction.errant_edits import DETECTIONS, corrected_text
from maege.analysis.extraction.plain_alignment import current_extractor, extract_plain
from maege.analysis.metrics.errant import BETA, UNKNOWN, Matching
from maege.analysis.texts import squeezed
from maege.analysis.workers.pool import LocalPool, results_of

if TYPE_CHECKING:
    from maege.analysis.extraction.parses import Parse

# spaCy is imported only for pairs that the store lacks. Equal texts have no edits and are not
# parsed.

Pair = tuple[str, str]
# The texts that a program read: usually a pair of source and target.
Given = tuple[str, ...]


class Store(Protocol):
    """A cache of program outputs, by the program's signature and the texts that it read."""

    def known(self, signature: str, inputs: Sequence[Given]) -> dict[Given, str]:
        """Return the outputs that are stored."""

    def keep(self, signature: str, outputs: Mapping[Given, str]) -> None:
        """Store outputs."""


class NoStore:
    """A store that is always empty."""

    def known(self, signature: str, inputs: Sequence[Given]) -> dict[Given, str]:
        del signature, inputs
        return {}

    def keep(self, signature: str, outputs: Mapping[Given, str]) -> None:
        del signature, outputs


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
        tokenised = {pair: (squeezed(pair[0]), squeezed(pair[1])) for pair in pairs}
        changed = [pair for pair in tokenised.values() if pair[0] != pair[1]]
        annotations = self._annotations(self.signature, changed, self._extract)
        return {
            pair: parse_annotation(annotations.get(tokens, ""))
            for pair, tokens in tokenised.items()
        }

    def classified(
        self, annotated: Sequence[tuple[str, Annotation]]
    ) -> dict[tuple[str, Annotation], Annotation]:
        """Return annotations of sources with ERRANT's types, minimised."""
        texts = {
            (source, edits): (squeezed(source), format_annotation(edits))
            for source, edits in annotated
        }
        annotations = self._annotations(
            f"{self.signature}|typed",
            texts.values(),
            lambda pairs: _mapped(classify_share, pairs, self._processes, {})[0],
        )
        return {pair: parse_annotation(annotations[text]) for pair, text in texts.items()}

    def _annotations(
        self,
        signature: str,
        pairs: Iterable[Pair],
        compute: Callable[[list[Pair]], Mapping[Pair, str]],
    ) -> dict[Given, str]:
        distinct = list(dict.fromkeys(pairs))
        annotations = self._store.known(signature, distinct)
        missing = [pair for pair in distinct if pair not in annotations]
        if missing:
            new: dict[Given, str] = dict(compute(missing).items())
            self._store.keep(signature, new)
            annotations |= new
        return annotations

    def _extract(self, pairs: list[Pair]) -> dict[Pair, str]:
        annotations, parses = extract_pairs(
            pairs, self.has_types, self._processes, self._parses_of(pairs)
        )
        self._store.keep(self._parse_signature, {(text,): parse for text, parse in parses.items()})
        return annotations

    def _parses_of(self, pairs: Sequence[Pair]) -> dict[str, str]:
        if not self.has_types:
            return {}
        sources = dict.fromkeys((source,) for source, _ in pairs)
        stored = self._store.known(self._parse_signature, [*sources])
        return {text: parse for (text,), parse in stored.items()}


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
    """
    if not has_types:
        return {pair: format_annotation(extract_plain(*pair)) for pair in pairs}, {}
    return _mapped(extract_share, pairs, processes, parses)


def extract_share(share: Share) -> Result:
    """Return the annotations of a share's pairs of texts, and the parses of their first texts."""
    from maege.analysis.extraction.errant_edits import extract
    from maege.analysis.extraction.parses import Parse, Sentence

    number, pairs, stored_parses = share
    _known.update({text: Parse(*json.loads(parse)) for text, parse in stored_parses.items()})
    parses = _parses(text for pair in pairs for text in pair)
    read = {text: Sentence(text.split(), parse) for text, parse in parses.items()}
    annotations = [
        format_annotation(extract(read[source], read[target])) for source, target in pairs
    ]
    new = {source: json.dumps(parses[source]) for source, _ in pairs if source not in stored_parses}
    return number, annotations, new


def classify_share(share: Share) -> Result:
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

    distinct_texts = list(dict.fromkeys(texts))
    missing = [text for text in distinct_texts if text not in _known]
    parsed = dict(zip(missing, parse_texts(missing), strict=True))
    parses = {text: parsed.get(text) or _known[text] for text in distinct_texts}
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
    pool = LocalPool(processes)
    try:
        yield from results_of(pool, function, (("texts to compare", share) for share in shares))
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
            stored_parses = {source: parses[source] for source, _ in share if source in parses}
            yield place, tuple(share), stored_parses


# --- The gold and its edits ---
#
# As in ERRANT's programs, an annotator without a line for a sentence did not annotate it. A
# sentence without any line counts as unchanged. `errant_m2 -gold` gives the file's edits ERRANT's
# types, `errant_m2 -auto` extracts the edits again from the corrected sentences. Both keep edits
# that mark an error without a correction.

_CORRECTED = "R:OTHER"
ERRANT_TYPE = re.compile(r"[MRU]:.+")
# If at least this share of a file's edits has types of ERRANT, the file counts as typed by ERRANT.
ERRANT_SHARE = 0.9


@dataclass(frozen=True)
class Gold:
    """Sources, and for each source the annotations of all annotators with a line, in file order.

    `annotators` lists all annotators in the order of the warehouse. `unknown_corrects` is true if
    the file uses UNK for any type, not only for errors without a correction.
    """

    sources: tuple[str, ...]
    annotators: tuple[str, ...]
    annotations: tuple[Mapping[str, Annotation], ...]
    unknown_corrects: bool = False

    @property
    def has_errant_types(self) -> bool:
        """Return whether nearly all edits have a type of ERRANT, by the warehouse's rule."""
        types = [edit.error_type for edit in self._edits() if edit.error_type != UNKNOWN]
        if not types:
            return not self.unknown_corrects
        errant = sum(ERRANT_TYPE.fullmatch(error_type) is not None for error_type in types)
        return errant >= ERRANT_SHARE * len(types)

    def _edits(self) -> list[Edit]:
        return [
            edit
            for annotations in self.annotations
            for annotation in annotations.values()
            for edit in annotation
        ]


def filled(
    annotations: Sequence[Mapping[str, Annotation]], first: str
) -> list[dict[str, Annotation]]:
    """Return the annotations; the first annotator leaves sentences without any line unchanged."""
    return [dict(sentence_annotations) or {first: ()} for sentence_annotations in annotations]


def chosen_gold(gold: Gold, edits: GoldEdits, extraction: Extraction) -> Gold:
    if edits == "given":
        return gold
    if gold.unknown_corrects:
        gold = _with_types(gold)
    return typed(gold, extraction) if edits == "typed" else extracted(gold, extraction)


def from_references(
    sources: Sequence[str],
    annotators: Sequence[str],
    references: Sequence[Sequence[str]],
    extraction: Extraction,
) -> Gold:
    """Return the gold of reference texts, a list per sentence.

    Every annotator has a line for every sentence.
    """
    pairs = [
        (source, text) for source, texts in zip(sources, references, strict=True) for text in texts
    ]
    edits = extraction.edits(pairs)
    annotations = tuple(
        {annotator: edits[source, text] for annotator, text in zip(annotators, texts, strict=True)}
        for source, texts in zip(sources, references, strict=True)
    )
    return Gold(tuple(sources), tuple(annotators), annotations)


def typed(gold: Gold, extraction: Extraction) -> Gold:
    """Return the gold's edits with ERRANT's types, without equal tokens at the ends of an edit."""
    return _with(gold, extraction.classified(_pairs(gold)))


def extracted(gold: Gold, extraction: Extraction) -> Gold:
    """Return ERRANT's edits from each source to its corrected sentences.

    As in the program, an annotator whose edits change nothing then has no line.
    """
    pairs = _pairs(gold)
    targets = {pair: corrected_text(*pair) for pair in pairs}
    edits_of_pairs = extraction.edits([(source, targets[source, edits]) for source, edits in pairs])
    annotations: dict[tuple[str, Annotation], Annotation | None] = {}
    for pair in pairs:
        source, annotation = pair
        detections = [
            Edit(edit.start, edit.end, UNKNOWN, edit.corrections[:1])
            for edit in annotation
            if edit.error_type in DETECTIONS
        ]
        edits = sorted(
            [*detections, *edits_of_pairs[source, targets[pair]]],
            key=lambda edit: (edit.start, edit.end),
        )
        annotations[pair] = tuple(edits) or None
    return _with(gold, annotations)


def _with_types(gold: Gold) -> Gold:
    return replace(
        gold,
        annotations=tuple(
            {
                annotator: tuple(edit._replace(error_type=_CORRECTED) for edit in annotation)
                for annotator, annotation in annotations.items()
            }
            for annotations in gold.annotations
        ),
        unknown_corrects=False,
    )


def _pairs(gold: Gold) -> list[tuple[str, Annotation]]:
    return list(
        dict.fromkeys(
            (source, annotation)
            for source, annotations in zip(gold.sources, gold.annotations, strict=True)
            for annotation in annotations.values()
            if annotation
        )
    )


def _with(gold: Gold, new_annotations: Mapping[tuple[str, Annotation], Annotation | None]) -> Gold:
    annotations = []
    for source, sentence_annotations in zip(gold.sources, gold.annotations, strict=True):
        changed = {
            annotator: new_annotations[source, annotation] if annotation else ()
            for annotator, annotation in sentence_annotations.items()
        }
        annotations.append({name: edits for name, edits in changed.items() if edits is not None})
    return replace(gold, annotations=tuple(filled(annotations, gold.annotators[0])))


def corrected_sources(gold: Gold) -> list[tuple[str, ...]]:
    """Return for each sentence the source with each annotator's edits; unchanged without a line."""
    return [
        tuple(
            corrected_text(source, annotations.get(annotator, ())) for annotator in gold.annotators
        )
        for source, annotations in zip(gold.sources, gold.annotations, strict=True)
    ]


def texts_of(gold: Gold) -> list[tuple[str, ...]]:
    """Return the annotations of each sentence as metrics read them, in the order of the file."""
    return [
        tuple(format_annotation(annotation) for annotation in annotations.values())
        for annotations in gold.annotations
    ]


# --- Inputs and settings ---


@dataclass(frozen=True)
class GoldInput:
    """The gold as read from its file.

    `references` are the texts to extract edits from, a list per sentence, if no file has edits.
    `texts` are the references of text-based metrics, if the files have both texts and edits.
    """

    path: str
    sha256: str
    gold: Gold
    references: Sequence[tuple[str, ...]] | None = None
    texts: Sequence[tuple[str, ...]] | None = None

    @property
    def reference_texts(self) -> Sequence[tuple[str, ...]] | None:
        """The references of text-based metrics; None if they are created from edits."""
        return self.texts if self.references is None else self.references


@dataclass(frozen=True)
class Output:
    """A system's output: a text for each sentence, and the edits if its file has them."""

    name: str
    path: str
    sha256: str
    texts: tuple[str, ...]
    annotations: tuple[Annotation, ...] | None = None
    empty_lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Settings:
    """Options of a comparison. If `gold_edits` is None, the types in the gold decide.

    `types` holds patterns of error types. An empty list means all types, None no table of types.
    """

    metrics: tuple[str, ...] = ("errant", "m2")
    match: Matching = "cs"
    gold_edits: GoldEdits | None = None
    beta: float = BETA
    tier: int = 3
    types: tuple[str, ...] | None = ()
    resamples: int = 10_000
    seed: int = 1
    alpha: float = 0.05
    all_pairs: bool = False
    margin: float | None = None
    language: str = "en"


@dataclass(frozen=True)
class Inputs:
    """All inputs of a comparison. The first output is the baseline."""

    gold: GoldInput
    outputs: tuple[Output, ...]
    settings: Settings
    maege: str
    notes: tuple[Note, ...] = field(default=())
