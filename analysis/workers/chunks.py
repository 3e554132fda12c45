"""Convert scoring requests to chunks that workers can score independently, and score them.

A chunk has requests of whole sentences, because texts of one sentence share n-grams, which families
count only once. `score_chunk` is a pure function of its chunk.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.edits import resolve_silence, split_weighed
from maege.analysis.metrics.families import GoldGroup, RequestGroup, StatisticsFamily
from maege.analysis.metrics.own.family import OwnFamily
from maege.analysis.metrics.registry import EDIT_FAMILIES, TEXT_FAMILIES
from maege.analysis.stored.rows import run_starts

STATISTICS_SCHEMA = pa.schema(
    {
        "family": pa.string(),
        "signature_key": pa.int64(),
        "source_text_id": pa.int64(),
        "hypothesis_text_id": pa.int64(),
        "references_key": pa.int64(),
        "statistics": pa.list_(pa.float64()),
        # The reason for a missing score; NULL if there is a score.
        "failure": pa.string(),
    }
)
_KEYS = STATISTICS_SCHEMA.names[:5]

# Texts, or annotations as text; None for a missing reference or an annotator without a line.
References = tuple[str | None, ...]


@dataclass(frozen=True)
class FamilyRequests:
    """Requests to one family with the same references; inputs that it does not read are 0.

    If the references are gold edits, the requests also share their source.
    """

    family: str
    signature_key: int
    references_key: int
    source_text_ids: NDArray[np.int64]
    hypothesis_text_ids: NDArray[np.int64]


@dataclass(frozen=True)
class SortedRequests:
    """Requests as columns, which are sent much faster than hundreds of separate parts.

    Args:
        families: the names of the families that `family` numbers from 0.
        family, signature_key, references_key: one value per part.
        source_text_id, hypothesis_text_id: one value per row.
    """

    families: tuple[str, ...]
    starts: NDArray[np.intp]
    family: NDArray[np.integer[Any]]
    signature_key: NDArray[np.int64]
    references_key: NDArray[np.int64]
    source_text_id: NDArray[np.int64]
    hypothesis_text_id: NDArray[np.int64]

    def __iter__(self) -> Iterator[FamilyRequests]:
        bounds = pairwise([*self.starts.tolist(), len(self.hypothesis_text_id)])
        for part, (start, stop) in enumerate(bounds):
            yield FamilyRequests(
                family=self.families[self.family[part]],
                signature_key=int(self.signature_key[part]),
                references_key=int(self.references_key[part]),
                source_text_ids=self.source_text_id[start:stop],
                hypothesis_text_ids=self.hypothesis_text_id[start:stop],
            )


@dataclass(frozen=True)
class ScoringChunk:
    """Work for one worker: requests, with their texts and reference lists.

    `own_families` holds the user metrics among the requests, `model_families` those with a language
    model, both by the family's name.
    """

    description: str
    requests: Iterable[FamilyRequests]
    texts: Mapping[int, str]
    references: Mapping[int, References]
    own_families: Mapping[str, OwnFamily] = field(default_factory=dict)
    model_families: Mapping[str, StatisticsFamily] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(len(part.hypothesis_text_ids) for part in self.requests)

    def problems_here(self) -> list[str]:
        problems = (family.problem_here() for family in self.own_families.values())
        return [problem for problem in problems if problem is not None]


class _Scored(NamedTuple):
    """A family's result for one part: an array of (requests, references or 1, statistics).

    `failures` holds the reason for each missing score; None if all requests have a score.
    """

    part: FamilyRequests
    statistics: NDArray[np.float64]
    failures: Sequence[str | None] | None = None


def plan_chunks(
    requests: pa.Table,
    texts: Mapping[int, str],
    references: Mapping[int, References],
    chunk_cost: int,
    own_families: Sequence[OwnFamily] = (),
    model_families: Sequence[StatisticsFamily] = (),
) -> Iterator[ScoringChunk]:
    """Yield chunks of at least `chunk_cost`, cut between sentences.

    Args:
        requests: columns corpus, sentence_id, family, signature_key, references_key,
            source_text_id, hypothesis_text_id, sorted by these, and cost.
        chunk_cost: minimum sum of the requests' costs; the last chunk may cost less.
    """
    if not requests.num_rows:
        return
    corpora, corpus = _numbered(requests["corpus"])
    families, family = _numbered(requests["family"])
    keys = {name: _integers(requests[name]) for name in (*_KEYS[1:], "sentence_id")}
    sentence_id = keys.pop("sentence_id")
    sentence_starts = run_starts(corpus, sentence_id)
    reads_gold = np.array([name in EDIT_FAMILIES for name in families])[family]
    part_starts = run_starts(
        corpus,
        sentence_id,
        family,
        keys["signature_key"],
        keys["references_key"],
        np.where(reads_gold, keys["source_text_id"], 0),
    )
    own_by_name = {own_family.name: own_family for own_family in own_families}
    models_by_name = {own_family.name: own_family for own_family in model_families}
    costs = np.concatenate([[0], np.cumsum(_integers(requests["cost"]))])
    first = 0
    for stop in [*sentence_starts[1:].tolist(), requests.num_rows]:
        if costs[stop] - costs[first] < chunk_cost and stop < requests.num_rows:
            continue
        sentences = [
            f"{corpora[corpus[row]]} sentence {sentence_id[row]}" for row in (first, stop - 1)
        ]
        starts = part_starts[slice(*np.searchsorted(part_starts, (first, stop)))]
        parts = SortedRequests(
            families=families,
            starts=starts - first,
            family=family[starts],
            signature_key=keys["signature_key"][starts],
            references_key=keys["references_key"][starts],
            source_text_id=keys["source_text_id"][first:stop],
            hypothesis_text_id=keys["hypothesis_text_id"][first:stop],
        )
        yield _chunk(" to ".join(sentences), parts, texts, references, own_by_name, models_by_name)
        first = stop


def score_chunk(chunk: ScoringChunk) -> pa.Table:
    """Return the statistics of every request of a chunk, flattened reference by reference."""
    by_family: dict[str, list[FamilyRequests]] = {}
    for part in chunk.requests:
        by_family.setdefault(part.family, []).append(part)
    results_of_parts: list[_Scored] = []
    for name, parts in by_family.items():
        if name in chunk.own_families:
            results_of_parts += _own_scores(chunk.own_families[name], parts, chunk)
            continue
        if name in EDIT_FAMILIES:
            gold_groups = [_gold_group(part, chunk) for part in parts]
            results = EDIT_FAMILIES[name].compute_gold(gold_groups)
        else:
            family = chunk.model_families.get(name) or TEXT_FAMILIES[name]
            groups = [_group(part, chunk, family.reads_source) for part in parts]
            results = family.compute_batch(groups)
        results_of_parts += map(_Scored, parts, results)
    return _table(results_of_parts)


def _numbered(column: pa.ChunkedArray) -> tuple[tuple[str, ...], NDArray[np.integer[Any]]]:
    values = column.combine_chunks()
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    return tuple(values.dictionary.to_pylist()), values.indices.to_numpy()


def _integers(column: pa.ChunkedArray) -> NDArray[np.int64]:
    return np.asarray(column.combine_chunks().to_numpy(), dtype=np.int64)


def _chunk(
    description: str,
    requests: SortedRequests,
    texts: Mapping[int, str],
    references: Mapping[int, References],
    own_families: Mapping[str, OwnFamily],
    model_families: Mapping[str, StatisticsFamily],
) -> ScoringChunk:
    text_ids = np.unique(np.concatenate([requests.source_text_id, requests.hypothesis_text_id]))
    keys = np.unique(requests.references_key)
    names = {requests.families[number] for number in np.unique(requests.family)}
    return ScoringChunk(
        description=description,
        requests=requests,
        texts={text_id: texts[text_id] for text_id in text_ids.tolist() if text_id},
        references={key: references[key] for key in keys.tolist() if key},
        own_families={name: own_families[name] for name in names & own_families.keys()},
        model_families={name: model_families[name] for name in names & model_families.keys()},
    )


def _gold_group(part: FamilyRequests, chunk: ScoringChunk) -> GoldGroup:
    source = int(part.source_text_ids[0])
    annotations = chunk.references[part.references_key]
    family = EDIT_FAMILIES[part.family]
    gold, outputs = split_weighed(annotations) if family.reads_outputs else (annotations, ())
    return GoldGroup(
        source=chunk.texts[source] if source else "",
        gold=resolve_silence(gold, "" if family.counts_silence else None),
        hypotheses=tuple(chunk.texts[key] for key in part.hypothesis_text_ids.tolist()),
        outputs=outputs,
    )


def _group(part: FamilyRequests, chunk: ScoringChunk, reads_source: bool) -> RequestGroup:
    sources, source_index = np.unique(part.source_text_ids, return_inverse=True)
    hypotheses, hypothesis_index = np.unique(part.hypothesis_text_ids, return_inverse=True)
    references = chunk.references[part.references_key] if part.references_key else ()
    return RequestGroup(
        references=references,
        sources=tuple(chunk.texts[key] for key in sources.tolist()) if reads_source else (),
        hypotheses=tuple(chunk.texts[key] for key in hypotheses.tolist()),
        source_index=source_index if reads_source else np.zeros(0, dtype=np.intp),
        hypothesis_index=hypothesis_index,
    )


def _own_scores(
    family: OwnFamily, parts: Sequence[FamilyRequests], chunk: ScoringChunk
) -> list[_Scored]:
    inputs: dict[str, list[Any]] = {name: [] for name in family.definition.inputs}
    for part in parts:
        if "source" in inputs:
            inputs["source"] += [chunk.texts[key] for key in part.source_text_ids.tolist()]
        if "hypothesis" in inputs:
            inputs["hypothesis"] += [chunk.texts[key] for key in part.hypothesis_text_ids.tolist()]
        if "references" in inputs:
            texts = chunk.references[part.references_key]
            listed = [text for text in texts if text is not None]
            inputs["references"] += [listed for _ in part.hypothesis_text_ids]
    results = iter(family.compute(inputs))
    scores = []
    for part in parts:
        own_results = list(islice(results, len(part.hypothesis_text_ids)))
        statistics = np.array([result.score for result in own_results]).reshape(-1, 1, 1)
        scores.append(_Scored(part, statistics, [result.failure for result in own_results]))
    return scores


def _table(results_of_parts: Sequence[_Scored]) -> pa.Table:
    parts = [part for part, *_ in results_of_parts]
    sizes = [len(part.hypothesis_text_ids) for part in parts]
    widths = [statistics.shape[1] * statistics.shape[2] for _, statistics, _ in results_of_parts]
    lengths = np.repeat(widths, sizes)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values = np.concatenate([statistics.ravel() for _, statistics, _ in results_of_parts])
    names = sorted({part.family for part in parts})
    places = [names.index(part.family) for part in parts]
    families = pa.DictionaryArray.from_arrays(np.repeat(places, sizes).astype(np.int32), names)
    failures = [
        pa.nulls(size, pa.string()) if failure is None else pa.array(failure, pa.string())
        for size, (*_, failure) in zip(sizes, results_of_parts, strict=True)
    ]
    return pa.Table.from_arrays(
        [
            families.cast(pa.string()),
            pa.array(np.repeat([part.signature_key for part in parts], sizes)),
            pa.array(np.concatenate([part.source_text_ids for part in parts])),
            pa.array(np.concatenate([part.hypothesis_text_ids for part in parts])),
            pa.array(np.repeat([part.references_key for part in parts], sizes)),
            pa.ListArray.from_arrays(pa.array(offsets), pa.array(values)),
            pa.concat_arrays(failures),
        ],
        schema=STATISTICS_SCHEMA,
    )
