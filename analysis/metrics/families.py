"""Base classes of all metrics: families that turn groups of requests into statistics.

A request is one triple (source, hypothesis, references), without the parts that a family does not
read. Requests with the same references are grouped, so that the n-grams of the references are
counted once.

Groups are cut into slices of bounded memory. Each part of a group in a slice is a scope with its
own numbering of n-grams, so texts of unrelated sentences do not widen each other's tables.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import resolve_silence

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]
CountArray = NDArray[np.int16 | np.int32]

# Together these limits keep the temporaries of a slice below about 100 MB
# (benchmarks/family_speed.py).
TOKENS_PER_SLICE = 1 << 16
COMPARISONS_PER_SLICE = 1 << 17
COUNTS_PER_SLICE = 1 << 22

CHARACTERS_PER_TOKEN = 4
MAX_ORDER = 4


@dataclass(frozen=True)
class RequestGroup:
    """Requests with the same list of references, in which None is a missing one.

    `sources` and `hypotheses` hold distinct texts, and the two index arrays hold the position of
    each request's texts. Inputs that a family does not read are empty.
    """

    references: tuple[str | None, ...]
    sources: tuple[str, ...]
    hypotheses: tuple[str, ...]
    source_index: IndexArray
    hypothesis_index: IndexArray

    @property
    def requests(self) -> int:
        return len(self.hypothesis_index)

    @property
    def texts_of_references(self) -> tuple[str, ...]:
        return tuple(text for text in self.references if text is not None)

    def part(self, start: int, stop: int, reads_source: bool) -> "RequestGroup":
        used, hypothesis_index = np.unique(self.hypothesis_index[start:stop], return_inverse=True)
        hypotheses = tuple(self.hypotheses[i] for i in used)
        sources: tuple[str, ...] = ()
        source_index = self.source_index[:0]
        if reads_source:
            used, source_index = np.unique(self.source_index[start:stop], return_inverse=True)
            sources = tuple(self.sources[i] for i in used)
        return RequestGroup(self.references, sources, hypotheses, source_index, hypothesis_index)


@dataclass(frozen=True)
class Share:
    group: int
    start: int
    stop: int


@dataclass(frozen=True)
class Slice:
    """Several scopes that are computed together.

    `texts` are the rows of every table, distinct within a scope; `scopes` holds the scope of each
    row. `hypotheses`, `sources` and `request_scopes` have an entry per request, `reference_counts`
    one per scope. `references` lists the rows of the references by scope.
    """

    shares: tuple[Share, ...]
    texts: list[str]
    scopes: IndexArray
    hypotheses: IndexArray
    sources: IndexArray
    references: IndexArray
    reference_counts: IndexArray
    request_scopes: IndexArray

    def comparisons(self) -> tuple[IndexArray, IndexArray]:
        """Return all pairs of request and reference: request number, position in `references`."""
        per_request = self.reference_counts[self.request_scopes]
        requests = np.repeat(np.arange(len(per_request)), per_request)
        starts = exclusive_sum(self.reference_counts)[self.request_scopes]
        offsets = np.arange(len(requests)) - np.repeat(exclusive_sum(per_request), per_request)
        return requests, np.repeat(starts, per_request) + offsets


def exclusive_sum(counts: IndexArray) -> IndexArray:
    return np.cumsum(counts) - counts


def cut(
    groups: Sequence[RequestGroup], reads_source: bool, reads_references: bool
) -> Iterator[Slice]:
    pieces = [
        piece
        for number, group in enumerate(groups)
        if group.requests
        for piece in _pieces(Share(number, 0, group.requests), group, reads_source)
    ]
    # Texts of similar length share a slice: its widest n-gram table sets the width for all texts.
    pieces.sort(key=lambda piece: piece.longest)
    pending: list[_Piece] = []
    tokens = comparisons = texts = widest = 0
    for piece in pieces:
        tokens += piece.tokens
        comparisons += piece.comparisons
        texts += piece.texts
        widest = max(widest, piece.tokens)
        if pending and _too_large(tokens, comparisons, max(texts, comparisons) * widest):
            yield _slice(pending, reads_source, reads_references)
            pending = []
            tokens, comparisons, texts = piece.tokens, piece.comparisons, piece.texts
            widest = piece.tokens
        pending.append(piece)
    if pending:
        yield _slice(pending, reads_source, reads_references)


def _too_large(tokens: int, comparisons: int, counts: int) -> bool:
    return (
        tokens > TOKENS_PER_SLICE
        or comparisons > COMPARISONS_PER_SLICE
        or counts > COUNTS_PER_SLICE
    )


@dataclass(frozen=True)
class _Piece:
    share: Share
    group: RequestGroup
    texts: int
    tokens: int
    comparisons: int
    longest: int


def _pieces(share: Share, group: RequestGroup, reads_source: bool) -> Iterator[_Piece]:
    lengths = list(map(len, (*group.texts_of_references, *group.sources, *group.hypotheses)))
    tokens = sum(lengths) // CHARACTERS_PER_TOKEN + len(lengths)
    comparisons = group.requests * max(1, len(group.references))
    if group.requests == 1 or not _too_large(
        tokens, comparisons, tokens * max(len(lengths), comparisons)
    ):
        yield _Piece(share, group, len(lengths), tokens, comparisons, max(lengths))
        return
    middle = group.requests // 2
    for start, stop in ((0, middle), (middle, group.requests)):
        part = Share(share.group, share.start + start, share.start + stop)
        yield from _pieces(part, group.part(start, stop, reads_source), reads_source)


def _slice(pieces: Sequence[_Piece], reads_source: bool, reads_references: bool) -> Slice:
    texts: list[str] = []
    scope_sizes: list[int] = []
    hypothesis_rows: list[int] = []
    source_rows: list[int] = []
    reference_rows: list[int] = []
    hypothesis_starts: list[int] = []
    source_starts: list[int] = []
    for piece in pieces:
        references = piece.group.texts_of_references if reads_references else ()
        sources = piece.group.sources if reads_source else ()
        hypotheses = piece.group.hypotheses
        distinct = dict.fromkeys((*references, *sources, *hypotheses))
        row_of = dict(zip(distinct, count(len(texts)), strict=False)).__getitem__
        source_starts.append(len(source_rows))
        hypothesis_starts.append(len(hypothesis_rows))
        reference_rows.extend(map(row_of, references))
        source_rows.extend(map(row_of, sources))
        hypothesis_rows.extend(map(row_of, hypotheses))
        texts.extend(distinct)
        scope_sizes.append(len(distinct))

    requests = np.array([piece.group.requests for piece in pieces])
    request_scopes = np.repeat(np.arange(len(pieces)), requests)
    hypothesis_index = np.concatenate([piece.group.hypothesis_index for piece in pieces])
    hypothesis_index = hypothesis_index + np.array(hypothesis_starts)[request_scopes]
    request_sources = np.empty(0, np.intp)
    if reads_source:
        source_index = np.concatenate([piece.group.source_index for piece in pieces])
        request_sources = np.array(source_rows)[
            source_index + np.array(source_starts)[request_scopes]
        ]
    reference_counts = [len(piece.group.references) * reads_references for piece in pieces]
    return Slice(
        shares=tuple(piece.share for piece in pieces),
        texts=texts,
        scopes=np.repeat(np.arange(len(pieces)), scope_sizes),
        hypotheses=np.array(hypothesis_rows)[hypothesis_index],
        sources=request_sources,
        references=np.array(reference_rows, np.intp),
        reference_counts=np.array(reference_counts),
        request_scopes=request_scopes,
    )


def row_sums(counts: CountArray | NDArray[np.bool_]) -> NDArray[np.int32]:
    sums: NDArray[np.int32] = counts.sum(axis=1, dtype=np.int32)
    return sums


def count_ngrams(
    texts: Sequence[str], scopes: IndexArray, tokenise: Callable[[str], list[str]]
) -> tuple[IndexArray, list[CountArray]]:
    """Return the number of tokens of each text, and the counts of n-grams for n = 1 to 4.

    Counts have the shape (texts, n-grams of the widest scope). `scopes` must ascend.
    """
    token_lists = [tokenise(text) for text in texts]
    lengths = np.fromiter(map(len, token_lists), np.intp, len(texts))
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    tokens = np.fromiter(
        map(numbers.__getitem__, chain.from_iterable(token_lists)), np.intp, lengths.sum()
    )
    rows = np.repeat(np.arange(len(texts)), lengths)
    starts = np.arange(len(tokens))
    ends = np.repeat(np.cumsum(lengths), lengths)
    prefixes = scopes[rows]
    # Small integers, because most of the time is spent on reading the tables.
    integers = np.int16 if lengths.max(initial=0) <= np.iinfo(np.int16).max else np.int32
    orders = []
    for order in range(1, MAX_ORDER + 1):
        keys = prefixes * len(numbers) + tokens[starts + (order - 1)]
        # N-grams are numbered by scope, so the columns of a text begin at its scope's first n-gram.
        _, first, ngrams = np.unique(keys, return_index=True, return_inverse=True)
        text_scopes = scopes[rows]
        columns = ngrams - np.searchsorted(text_scopes[first], text_scopes)
        table = np.zeros((len(texts), columns.max(initial=-1) + 1), integers)
        np.add.at(table, (rows, columns), 1)
        orders.append(table)
        longer = starts + order < ends
        starts, rows, ends, prefixes = starts[longer], rows[longer], ends[longer], ngrams[longer]
    return lengths, orders


class Family(ABC):
    """One way of turning texts into sufficient statistics; several metrics may share it.

    A family reads references either as texts (StatisticsFamily) or, with `reads_gold`, as edits of
    the source (EditFamily). With `reads_edits` it reads the edits of the hypothesis instead of its
    text. With `reads_types` the gold has ERRANT's types: ERRANT extracts the edits again if the
    annotators used other types. With `counts_silence` an annotator without a line who found no
    error counts as one who changed nothing; without it, all annotators without a line are excluded.

    `cost` is the work of one request in units of the cheapest family. `languages` holds the BCP 47
    tags of the languages that the family can read, None for all. `other_languages` says what the
    user can do about a corpus in another language.
    """

    name: ClassVar[str]
    version: ClassVar[str] = "1"
    reads_source: ClassVar[bool] = False
    reads_references: ClassVar[bool] = False
    reads_gold: ClassVar[bool] = False
    reads_edits: ClassVar[bool] = False
    reads_types: ClassVar[bool] = False
    reads_outputs: ClassVar[bool] = False
    counts_silence: ClassVar[bool] = False
    per_reference: ClassVar[bool] = False
    statistics: ClassVar[tuple[str, ...]]
    cost: ClassVar[int] = 1
    languages: ClassVar[frozenset[str] | None] = None
    other_languages: ClassVar[str] = ""

    @property
    @abstractmethod
    def parameters(self) -> tuple[tuple[str, str], ...]: ...

    def signature(self) -> str:
        parameters = [f"{key}:{value}" for key, value in self.parameters]
        return "|".join([f"{self.name}_statistics", *parameters, f"v:{self.version}"])


class StatisticsFamily(Family):
    def compute_batch(self, groups: Sequence[RequestGroup]) -> list[FloatArray]:
        """Return (requests, references if `per_reference` else 1, statistics) for each group.

        Missing references have NaN.
        """
        if any(None in group.references for group in groups):
            arrays = self.compute_batch(
                [replace(group, references=group.texts_of_references) for group in groups]
            )
            return [
                self._with_gaps(group, rows) for group, rows in zip(groups, arrays, strict=True)
            ]
        results = []
        for group in groups:
            n_columns = len(group.references) if self.per_reference else 1
            results.append(np.empty((group.requests, n_columns, len(self.statistics))))
        for piece in cut(groups, self.reads_source, self.reads_references):
            rows = self._compute_slice(piece)
            start = 0
            for share in piece.shares:
                target = results[share.group][share.start : share.stop]
                stop = start + target.shape[0] * target.shape[1]
                target[...] = rows[start:stop].reshape(target.shape)
                start = stop
        return results

    def _with_gaps(self, group: RequestGroup, rows: FloatArray) -> FloatArray:
        """Return the rows with NaN for missing references."""
        if not self.per_reference:
            return rows
        is_there = [text is not None for text in group.references]
        wide = np.full((group.requests, len(is_there), len(self.statistics)), np.nan)
        wide[:, is_there] = rows
        return wide

    @abstractmethod
    def _compute_slice(self, piece: Slice) -> FloatArray:
        """Return one row per request, in order; per (request, reference) if `per_reference`."""


@dataclass(frozen=True)
class GoldGroup:
    """Hypotheses for one source, to be compared with its gold.

    `gold` holds annotations as text (analysis/edits.py), None for an annotator without a line, but
    at least one. `hypotheses` are texts, or annotations for a family that `reads_edits`. `outputs`
    holds the annotations of all systems for the source, for a family that `reads_outputs`.
    """

    source: str
    gold: tuple[str | None, ...]
    hypotheses: tuple[str, ...]
    outputs: tuple[str, ...] = ()


class EditFamily(Family):
    reads_source = True
    reads_gold = True

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return (hypotheses, annotations if `per_reference` else 1, statistics) for each group.

        Annotators without a line have NaN.
        """
        return [self.group_counts(group) for group in groups]

    def group_counts(self, group: GoldGroup) -> FloatArray:
        """Return the statistics of a group, unless `compute_gold` computes groups together."""
        raise NotImplementedError


# --- The statistics of single requests, in groups with the same references ---


class Request(NamedTuple):
    """The texts that a family reads, or annotations as text where it reads edits.

    None is a missing reference. `outputs` are the annotations of all systems.
    """

    references: tuple[str | None, ...]
    source: str
    hypothesis: str
    outputs: tuple[str, ...] = ()


def family_statistics(family: Family, requests: Sequence[Request]) -> FloatArray:
    """Return the statistics of each request, shape (requests, references or 1, k).

    They are NaN for missing references, and where others have more references.
    """
    groups: dict[Request, dict[Request, None]] = {}
    for request in requests:
        source = request.source if family.reads_gold else ""
        groups.setdefault(request._replace(source=source, hypothesis=""), {})[request] = None
    if isinstance(family, StatisticsFamily):
        results = family.compute_batch([_text_group(family, [*each]) for each in groups.values()])
    elif isinstance(family, EditFamily):
        silence = "" if family.counts_silence else None
        results = family.compute_gold(
            [
                GoldGroup(
                    shared.source,
                    resolve_silence(shared.references, silence),
                    tuple(request.hypothesis for request in group),
                    shared.outputs,
                )
                for shared, group in groups.items()
            ]
        )
    else:
        raise TypeError(f"{family.name} reads neither texts nor edits")
    rows_of = {
        request: rows
        for group, group_rows in zip(groups.values(), results, strict=True)
        for request, rows in zip(group, group_rows, strict=True)
    }
    most = max(map(len, rows_of.values()))
    statistics = np.full((len(requests), most, len(family.statistics)), np.nan)
    for place, request in enumerate(requests):
        rows = rows_of[request]
        statistics[place, : len(rows)] = rows
    return statistics


def _text_group(family: StatisticsFamily, requests: Sequence[Request]) -> RequestGroup:
    sources = [request.source for request in requests] if family.reads_source else []
    hypotheses = [request.hypothesis for request in requests]
    source_places, hypothesis_places = _places(sources), _places(hypotheses)
    return RequestGroup(
        requests[0].references if family.reads_references else (),
        tuple(source_places),
        tuple(hypothesis_places),
        np.array([source_places[text] for text in sources], np.intp),
        np.array([hypothesis_places[text] for text in hypotheses], np.intp),
    )


def _places(texts: Iterable[str]) -> dict[str, int]:
    return {text: place for place, text in enumerate(dict.fromkeys(texts))}


# --- Languages ---

ENGLISH = frozenset({"en"})


def common(languages: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    tag_sets = [tags for tags in languages if tags is not None]
    return frozenset.intersection(*tag_sets) if tag_sets else None


def is_among(language: str, languages: frozenset[str] | None) -> bool:
    """Return whether the languages include this one, or `en` for `en-GB`; SQL has it as a macro."""
    return languages is None or any(
        language == tag or language.startswith(f"{tag}-") for tag in languages
    )
