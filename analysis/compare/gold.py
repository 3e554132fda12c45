"""The inputs of a comparison: gold, outputs and settings, and the edits between texts."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from maege.analysis.compare.results import GoldEdits, Note
from maege.analysis.edits import Annotation, Edit, format_annotation, parse_annotation
from maege.analysis.extraction.errant_edits import DETECTIONS, corrected_text
from maege.analysis.extraction.plain_alignment import current_extractor, extract_plain
from maege.analysis.metrics.errant import BETA, UNKNOWN, Matching
from maege.analysis.texts import squeezed
from maege.analysis.workers.pool import LocalPool, results_of

# spaCy is imported only for pairs that the cache lacks. Equal texts have no edits and are not
# parsed.

Pair = tuple[str, str]
# The texts that a program read: usually a pair of source and target.
Given = tuple[str, ...]

# --- The cache of edits and counts ---
#
# The key of a row is a hash of the program that computed it, its versions and code, and the texts.
# The value has edits, counts or parses, but no whole sentences. Scores are not stored.

# A larger file is replaced by an empty one.
_LARGEST_BYTES = 500_000_000
# All builds of SQLite accept at least 999 parameters per statement.
_AT_ONCE = 900
# Modules that edits and counts depend on.
_CODE = (
    "extraction",
    "metrics/families.py",
    "metrics/m2.py",
    "metrics/m2_search.py",
    "edits.py",
    "compare/edits.py",
    "compare/gold.py",
)

_SCHEMA = """
    create table if not exists made (key blob primary key, made text not null) without rowid
"""


class Cache:
    """The outputs of programs, by a program's signature and the texts that it read.

    They are in a SQLite file. Without a file, or if it is damaged, locked or cannot be written,
    they are in memory; `warn` is then called once.
    """

    def __init__(self, path: Path | None = None, warn: Callable[[str], None] = print) -> None:
        self._path, self._warn = path, warn
        self._connect(":memory:")
        if path is not None:
            with self._in_memory_if_it_fails():
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.exists() and path.stat().st_size > _LARGEST_BYTES:
                    path.unlink()
                self._connect(path)

    def cached(
        self,
        signature: str,
        inputs: Iterable[Given],
        compute: Callable[[list[Given]], Mapping[Given, str]],
    ) -> dict[Given, str]:
        distinct = list(dict.fromkeys(inputs))
        outputs = self.known(signature, distinct)
        missing = [texts for texts in distinct if texts not in outputs]
        if missing:
            new = dict(compute(missing))
            self.keep(signature, new)
            outputs |= new
        return outputs

    def known(self, signature: str, inputs: Iterable[Given]) -> dict[Given, str]:
        by_key = {_key_of(signature, texts): texts for texts in inputs}
        keys = list(by_key)
        outputs: dict[Given, str] = {}
        with self._in_memory_if_it_fails():
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                places = ",".join("?" * len(part))
                query = f"select key, made from made where key in ({places})"  # noqa: S608
                rows = self._connection.execute(query, part)
                outputs |= {by_key[key]: output for key, output in rows}
        return outputs

    def keep(self, signature: str, outputs: Mapping[Given, str]) -> None:
        rows = [(_key_of(signature, texts), output) for texts, output in outputs.items()]
        with self._in_memory_if_it_fails(), self._connection:
            self._connection.executemany("insert or ignore into made values (?, ?)", rows)

    def close(self) -> None:
        self._connection.close()

    def _connect(self, path: Path | str) -> None:
        self._connection = sqlite3.connect(path, timeout=2)
        self._connection.execute(_SCHEMA)

    @contextmanager
    def _in_memory_if_it_fails(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.close()
            self._connect(":memory:")
            self._warn(
                f"{self._path} cannot be used ({error}). Nothing is stored for the next "
                "comparison. Remove the file, or name another folder in MAEGE_CACHE."
            )


def _key_of(signature: str, texts: Given) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in (_code(), signature, *texts):
        # Each part is preceded by its length, so that different lists have different keys.
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.digest()


@cache
def _code() -> str:
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for name in _CODE:
        path = folder / name
        for module in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(module.read_bytes())
    return digest.hexdigest()


# --- Edits between texts ---


class Extraction:
    """Extracts edits of text pairs in one language; with `processes` = 0 this process parses.

    A parse does not depend on the other texts of its batch, and the edits of a pair do not depend
    on other pairs. The number of processes therefore changes only the run time.
    """

    def __init__(self, language: str, cache: Cache | None = None, processes: int = 0) -> None:
        extractor = current_extractor(language)
        self.signature = extractor.signature
        self.has_types = extractor.pipeline is not None
        self._cache = cache or Cache()
        self._processes = processes

    def edits(self, pairs: Iterable[Pair]) -> dict[Pair, Annotation]:
        tokenised = {pair: (squeezed(pair[0]), squeezed(pair[1])) for pair in pairs}
        changed = [pair for pair in tokenised.values() if pair[0] != pair[1]]
        annotations = self._cache.cached(self.signature, changed, self._extracted)
        return {
            pair: parse_annotation(annotations.get(tokens, ""))
            for pair, tokens in tokenised.items()
        }

    def classified(
        self, annotated: Iterable[tuple[str, Annotation]]
    ) -> dict[tuple[str, Annotation], Annotation]:
        texts = {
            (source, edits): (squeezed(source), format_annotation(edits))
            for source, edits in annotated
        }
        signature = f"{self.signature}|typed"
        annotations = self._cache.cached(signature, texts.values(), self._classified)
        return {pair: parse_annotation(annotations[text]) for pair, text in texts.items()}

    def _extracted(self, pairs: list[Given]) -> dict[Given, str]:
        if not self.has_types:
            return {pair: format_annotation(extract_plain(*pair)) for pair in pairs}
        return self._annotated([(pair, pair) for pair in pairs], classifies=False)

    def _classified(self, pairs: list[Given]) -> dict[Given, str]:
        texts: list[tuple[Given, Given]] = [
            ((source, annotation), (source, corrected_text(source, parse_annotation(annotation))))
            for source, annotation in pairs
        ]
        return self._annotated(texts, classifies=True)

    def _annotated(
        self, inputs: Sequence[tuple[Given, Given]], *, classifies: bool
    ) -> dict[Given, str]:
        """Return the annotation of each input, which comes with the pair of texts to parse."""
        signature = f"{self.signature}|parse"
        needed = dict.fromkeys((text,) for _, pair in inputs for text in pair)
        parses = {text: parse for (text,), parse in self._cache.known(signature, needed).items()}
        size = -(-len(inputs) // max(1, self._processes))
        shares = []
        for start in range(0, len(inputs), size):
            share = inputs[start : start + size]
            known = {text: parses[text] for _, pair in share for text in pair if text in parses}
            shares.append(_Share(share, known, classifies))
        if self._processes:
            with closing(LocalPool(self._processes)) as pool:
                chunks = (("texts to compare", share) for share in shares)
                results = list(results_of(pool, annotate_share, chunks))
        else:
            results = list(map(annotate_share, shares))
        annotations: dict[Given, str] = {}
        for computed, new_parses in results:
            annotations |= computed
            self._cache.keep(signature, {(text,): parse for text, parse in new_parses.items()})
        return annotations


class _Share(NamedTuple):
    """The work of a process: inputs with the pairs of texts to parse, and known parses as JSON.

    An input is the pair itself, whose edits are extracted, or with `classifies` the source and its
    annotation, which gets ERRANT's types.
    """

    inputs: Sequence[tuple[Given, Given]]
    known: Mapping[str, str]
    classifies: bool


def annotate_share(share: _Share) -> tuple[dict[Given, str], dict[str, str]]:
    from maege.analysis.extraction.errant_edits import classify, extract
    from maege.analysis.extraction.parses import Parse, Sentence, parse_texts

    texts = dict.fromkeys(text for _, pair in share.inputs for text in pair)
    missing = [text for text in texts if text not in share.known]
    new = dict(zip(missing, parse_texts(missing), strict=True))
    parses = new | {text: Parse(*json.loads(parse)) for text, parse in share.known.items()}
    sentences = {text: Sentence(text.split(), parse) for text, parse in parses.items()}
    annotations = {
        key: format_annotation(
            classify(source, parse_annotation(key[1]), parses[source], parses[target])
            if share.classifies
            else extract(sentences[source], sentences[target])
        )
        for key, (source, target) in share.inputs
    }
    return annotations, {text: json.dumps(parse) for text, parse in new.items()}


# --- The gold and its edits ---
#
# As in ERRANT's programs, an annotator without a line for a sentence did not annotate it. A
# sentence without any line counts as unchanged. `errant_m2 -gold` gives the file's edits ERRANT's
# types, `errant_m2 -auto` extracts the edits again from the corrected sentences. Both keep edits
# that mark an error without a correction.

_CORRECTED = "R:OTHER"
_ERRANT_TYPE = re.compile(r"[MRU]:.+")
# If at least this share of a file's edits has types of ERRANT, the file counts as typed by ERRANT.
_ERRANT_SHARE = 0.9


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
        """Whether nearly all edits have a type of ERRANT, by the warehouse's rule."""
        types = [edit.error_type for edit in self.edits if edit.error_type != UNKNOWN]
        if not types:
            return not self.unknown_corrects
        errant = sum(_ERRANT_TYPE.fullmatch(error_type) is not None for error_type in types)
        return errant >= _ERRANT_SHARE * len(types)

    @property
    def edits(self) -> list[Edit]:
        return [
            edit
            for annotations in self.annotations
            for annotation in annotations.values()
            for edit in annotation
        ]


def chosen_gold(gold: Gold, edits: GoldEdits, extraction: Extraction) -> Gold:
    if edits == "given":
        return gold
    if gold.unknown_corrects:
        corrected = {
            pair: tuple(edit._replace(error_type=_CORRECTED) for edit in pair[1])
            for pair in _pairs(gold)
        }
        gold = replace(_with(gold, corrected), unknown_corrects=False)
    if edits == "typed":
        return _with(gold, extraction.classified(_pairs(gold)))
    return _extracted(gold, extraction)


def from_references(
    gold: Gold, references: Sequence[Sequence[str]], extraction: Extraction
) -> Gold:
    """Return the gold with the edits of reference texts; all annotators have all sentences."""
    sentences = list(zip(gold.sources, references, strict=True))
    edits = extraction.edits((source, text) for source, texts in sentences for text in texts)
    annotations = (
        {name: edits[source, text] for name, text in zip(gold.annotators, texts, strict=True)}
        for source, texts in sentences
    )
    return replace(gold, annotations=tuple(annotations))


def _extracted(gold: Gold, extraction: Extraction) -> Gold:
    """Return ERRANT's edits; as in the program, an annotator without a change has no line."""
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
    """Replace the annotations; the first annotator then leaves a sentence without any unchanged."""
    annotations = []
    for source, sentence_annotations in zip(gold.sources, gold.annotations, strict=True):
        changed = {
            annotator: new_annotations[source, annotation] if annotation else ()
            for annotator, annotation in sentence_annotations.items()
        }
        remaining = {name: edits for name, edits in changed.items() if edits is not None}
        annotations.append(remaining or {gold.annotators[0]: ()})
    return replace(gold, annotations=tuple(annotations))


def corrected_sources(gold: Gold) -> list[tuple[str, ...]]:
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
    name: str
    path: str
    sha256: str
    texts: tuple[str, ...]
    annotations: tuple[Annotation, ...] | None = None

    @property
    def empty_lines(self) -> tuple[int, ...]:
        """The numbers, from 1, of texts without a token."""
        return tuple(number for number, text in enumerate(self.texts, start=1) if not text.split())


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
    gold: GoldInput
    outputs: tuple[Output, ...]
    settings: Settings
    maege: str
    notes: tuple[Note, ...] = field(default=())
