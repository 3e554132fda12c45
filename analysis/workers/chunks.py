"""Convert scoring requests to chunks that workers can score independently, and score them.

A chunk has whole sentences, because their texts share n-grams, which families count only once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.edits import ANNOTATION_SEPARATOR, resolve_silence
from maege.analysis.metrics.families import GoldGroup, RequestGroup, StatisticsFamily
from maege.analysis.metrics.own.family import OwnFamily
from maege.analysis.metrics.registry import EDIT_FAMILIES, TEXT_FAMILIES
from maege.analysis.stored.rows import run_starts, table_schema

# `failure` is the reason for a missing score; NULL if there is a score.
STATISTICS_SCHEMA = table_schema(
    "family varchar, signature_key bigint, source_text_id bigint, hypothesis_text_id bigint, "
    "references_key bigint, statistics double[], failure varchar"
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
class ScoringChunk:
    description: str
    requests: tuple[FamilyRequests, ...]
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
    """A family's result for one part: an array of (requests, references or 1, statistics)."""

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
    """Yield chunks with a cost of at least `chunk_cost`, except the last one.

    Args:
        requests: columns corpus, sentence_id, family, signature_key, references_key,
            source_text_id, hypothesis_text_id, sorted by these, and cost.
    """
    if not requests.num_rows:
        return
    corpora, corpus = _numbered(requests["corpus"])
    families, family = _numbered(requests["family"])
    signature, source, hypothesis, references_key, sentence_id = (
        _integers(requests[name]) for name in (*_KEYS[1:], "sentence_id")
    )
    sentence_starts = run_starts(corpus, sentence_id)
    reads_gold = np.array([name in EDIT_FAMILIES for name in families])[family]
    gold_source = np.where(reads_gold, source, 0)
    part_starts = run_starts(corpus, sentence_id, family, signature, references_key, gold_source)
    costs = np.concatenate([[0], np.cumsum(_integers(requests["cost"]))])
    first = 0
    for stop in [*sentence_starts[1:].tolist(), requests.num_rows]:
        if costs[stop] - costs[first] < chunk_cost and stop < requests.num_rows:
            continue
        sentences = [
            f"{corpora[corpus[row]]} sentence {sentence_id[row]}" for row in (first, stop - 1)
        ]
        starts = part_starts[slice(*np.searchsorted(part_starts, (first, stop)))].tolist()
        parts = tuple(
            FamilyRequests(
                families[family[start]],
                int(signature[start]),
                int(references_key[start]),
                source[start:end],
                hypothesis[start:end],
            )
            for start, end in pairwise([*starts, stop])
        )
        text_ids = np.unique(np.concatenate([source[first:stop], hypothesis[first:stop]]))
        reference_keys = np.unique(references_key[starts])
        names = {part.family for part in parts}
        yield ScoringChunk(
            description=" to ".join(sentences),
            requests=parts,
            texts={text_id: texts[text_id] for text_id in text_ids.tolist() if text_id},
            references={key: references[key] for key in reference_keys.tolist() if key},
            own_families={f.name: f for f in own_families if f.name in names},
            model_families={f.name: f for f in model_families if f.name in names},
        )
        first = stop


def score_chunk(chunk: ScoringChunk) -> pa.Table:
    """Return the statistics of every request of a chunk, flattened reference by reference."""
    by_family: dict[str, list[FamilyRequests]] = defaultdict(list)
    for part in chunk.requests:
        by_family[part.family].append(part)
    scored: list[_Scored] = []
    for name, parts in by_family.items():
        if name in chunk.own_families:
            scored += _own_scores(chunk.own_families[name], parts, chunk)
        elif name in EDIT_FAMILIES:
            gold_groups = [_gold_group(part, chunk) for part in parts]
            scored += map(_Scored, parts, EDIT_FAMILIES[name].compute_gold(gold_groups))
        else:
            family = chunk.model_families.get(name) or TEXT_FAMILIES[name]
            groups = [_group(part, chunk, family.reads_source) for part in parts]
            scored += map(_Scored, parts, family.compute_batch(groups))
    return _table(scored)


def _numbered(column: pa.ChunkedArray) -> tuple[tuple[str, ...], NDArray[np.integer[Any]]]:
    values = column.combine_chunks()
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    return tuple(values.dictionary.to_pylist()), values.indices.to_numpy()


def _integers(column: pa.ChunkedArray) -> NDArray[np.int64]:
    return np.asarray(column.combine_chunks().to_numpy(), dtype=np.int64)


def _gold_group(part: FamilyRequests, chunk: ScoringChunk) -> GoldGroup:
    source = int(part.source_text_ids[0])
    gold: Sequence[str | None] = chunk.references[part.references_key]
    family = EDIT_FAMILIES[part.family]
    outputs: tuple[str, ...] = ()
    if family.reads_outputs:
        *gold, weighed = gold
        outputs = tuple((weighed or "").split(ANNOTATION_SEPARATOR))
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


def _table(scored: Sequence[_Scored]) -> pa.Table:
    parts, statistics, failures = zip(*scored, strict=True)
    sizes = [len(part.hypothesis_text_ids) for part in parts]
    lengths = np.repeat([array.shape[1] * array.shape[2] for array in statistics], sizes)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values = np.concatenate([array.ravel() for array in statistics])
    failures_of_parts = [
        pa.nulls(size, pa.string()) if reasons is None else pa.array(reasons, pa.string())
        for size, reasons in zip(sizes, failures, strict=True)
    ]
    return pa.Table.from_arrays(
        [
            pa.array(np.repeat(np.array([part.family for part in parts]), sizes)),
            pa.array(np.repeat([part.signature_key for part in parts], sizes)),
            pa.array(np.concatenate([part.source_text_ids for part in parts])),
            pa.array(np.concatenate([part.hypothesis_text_ids for part in parts])),
            pa.array(np.repeat([part.references_key for part in parts], sizes)),
            pa.ListArray.from_arrays(pa.array(offsets), pa.array(values)),
            pa.concat_arrays(failures_of_parts),
        ],
        schema=STATISTICS_SCHEMA,
    )
