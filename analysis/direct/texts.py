"""Texts and gold edits as the relations that scoring reads: requests and sufficient statistics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

from maege.analysis.compare.comparison import default_edits
from maege.analysis.compare.gold import Extraction, Gold, chosen_gold, corrected_sources
from maege.analysis.edits import ANNOTATION_SEPARATOR, SILENT, format_annotation
from maege.analysis.extraction.chunks import Chunk, parse_and_extract_chunk
from maege.analysis.extraction.pipeline import ENGLISH
from maege.analysis.extraction.plain_alignment import current_extractor
from maege.analysis.metrics.families import Family
from maege.analysis.stored.statistics import keys_read
from maege.analysis.texts import squeezed
from maege.analysis.workers.chunks import FamilyRequests, References, ScoringChunk, score_chunk

# One annotation as text for each annotator; SILENT for an annotator without a line.
Annotations = list[tuple[str | None, ...]]


@dataclass(frozen=True)
class AnnotatedGold:
    """The gold of all sentences, in the forms that metrics read.

    `system_edits` has the edits of each system that came with edits of its own.
    """

    gold: Gold
    language: str
    system_edits: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @cached_property
    def sources(self) -> list[str]:
        return [squeezed(source) for source in self.gold.sources]

    @cached_property
    def references(self) -> list[tuple[str, ...]]:
        """The source with the edits of each annotator; unchanged without a line."""
        return [tuple(map(squeezed, texts)) for texts in corrected_sources(self.gold)]

    @cached_property
    def annotations(self) -> Annotations:
        return self._listed(self.gold)

    @cached_property
    def typed_annotations(self) -> Annotations:
        """The edits of the file if they have ERRANT's types, else those that ERRANT extracts."""
        extraction = Extraction(self.language)
        edits = default_edits(self.gold, extraction)
        return self._listed(chosen_gold(self.gold, edits, extraction))

    def edits_of(self, systems: Sequence[str]) -> list[str | None]:
        """Return the edits of all systems, one system after the other; None to extract them."""
        unknown = [None] * len(self.sources)
        return [edits for name in systems for edits in self.system_edits.get(name, unknown)]

    def _listed(self, gold: Gold) -> Annotations:
        """Return the annotations of the chosen edits.

        An annotator whose line has no chosen edit is None.
        """
        return [
            tuple(
                format_annotation(sentence_annotations[annotator])
                if annotator in sentence_annotations
                else None
                if annotator in file_annotations
                else SILENT
                for annotator in gold.annotators
            )
            for sentence_annotations, file_annotations in zip(
                gold.annotations, self.gold.annotations, strict=True
            )
        ]


# --- From lists of texts to requests and sufficient statistics ---
#
# Without annotators' edits, the edits for edit-based metrics are extracted from the texts, as for
# lattices: from the source to each reference and, if the metric compares edits with edits, to the
# hypothesis.

Pair = tuple[str, str]
Key = tuple[int, int, int]
Value = TypeVar("Value")

# The schema of `scoring_inputs` without the columns that are constant here.
INPUTS = (
    "pair_id",
    "source_text_id",
    "hypothesis_text_id",
    "edits_key",
    "references_key",
    "gold_key",
    "typed_gold_key",
    "weighed_gold_key",
)


class Relations(NamedTuple):
    """`inputs` has one row per row of texts, `cached` each family's statistics of these rows.

    `signatures` maps a family's name to the signature of its rows in `cached`.
    """

    inputs: pa.Table
    cached: pa.Table
    signatures: dict[str, int]


@dataclass(frozen=True)
class Texts:
    """Rows to score, as parallel sequences with one entry per row.

    Inputs that no family reads may be empty strings or empty lists of references. None stands for a
    missing reference. `outputs` holds the outputs of all systems for the row's sentence, for
    families that weight edits by them. `language` is the BCP 47 tag of all texts. ERRANT extracts
    the edits if it has rules for the language. With `gold`, annotators' edits replace the extracted
    edits of references. `edits` are those of the hypotheses, None for each one to extract, empty to
    extract all.
    """

    sources: Sequence[str]
    hypotheses: Sequence[str]
    references: Sequence[tuple[str | None, ...]]
    outputs: Sequence[tuple[str, ...]]
    language: str = ENGLISH
    gold: AnnotatedGold | None = None
    edits: Sequence[str | None] = ()

    def relations(self, families: Sequence[Family]) -> Relations:
        """Return the statistics of the families for all rows, as relations."""
        texts, lists = _Numbers[str](), _Numbers[References]()
        annotations = self._annotations(families)
        golds = self._golds(families, annotations)
        rows = []
        for place, (source, hypothesis, references, outputs) in enumerate(self._rows()):
            gold, typed_gold = golds[place]
            edits = self.edits[place] if self.edits else None
            if edits is None:
                edits = annotations.get((source, hypothesis), "")
            output_annotations = sorted(annotations.get((source, output), "") for output in outputs)
            rows.append(
                (
                    place,
                    texts.number(source),
                    texts.number(hypothesis),
                    texts.number(edits),
                    lists.number(references),
                    lists.number(gold),
                    lists.number(typed_gold),
                    lists.number((*gold, ANNOTATION_SEPARATOR.join(output_annotations))),
                )
            )
        inputs = pa.Table.from_arrays(
            [pa.array(column, pa.int64()) for column in zip(*rows, strict=True)], names=INPUTS
        )
        signatures = {family.name: number for number, family in enumerate(families)}
        requests = [
            part
            for family in families
            for part in _requests(family, signatures[family.name], inputs)
        ]
        chunk = ScoringChunk("texts in hand", tuple(requests), texts.by_number, lists.by_number)
        return Relations(inputs, score_chunk(chunk), signatures)

    def _annotations(self, families: Sequence[Family]) -> dict[Pair, str]:
        """Return the edits that any of the families reads, by source and target."""
        reads_gold, reads_edits, reads_outputs = (
            any(getattr(family, read) for family in families)
            for read in ("reads_gold", "reads_edits", "reads_outputs")
        )
        reads_gold = reads_gold and self.gold is None
        pairs: set[Pair] = set()
        for place, (source, hypothesis, references, outputs) in enumerate(self._rows()):
            has_edits = bool(self.edits) and self.edits[place] is not None
            targets = {
                *((text for text in references if text is not None) if reads_gold else ()),
                *((hypothesis,) if reads_edits and not has_edits else ()),
                *(outputs if reads_outputs else ()),
            }
            pairs |= {(source, target) for target in targets}
        return _extracted(sorted(pairs), self.language)

    def _golds(
        self, families: Sequence[Family], annotations: Mapping[Pair, str]
    ) -> list[tuple[References, References]]:
        """Return the gold of each row: the annotators' edits, and those with ERRANT's types."""
        if self.gold is not None:
            reads_types = any(family.reads_types for family in families)
            gold = self.gold.annotations
            typed = self.gold.typed_annotations if reads_types else gold
            n_systems = len(self.sources) // len(gold)
            return list(zip(gold, typed, strict=True)) * n_systems
        golds: list[References] = [
            tuple(
                None if reference is None else annotations.get((source, reference), "")
                for reference in references
            )
            for source, references in zip(self.sources, self.references, strict=True)
        ]
        return list(zip(golds, golds, strict=True))

    def _rows(self) -> Iterable[tuple[str, str, References, tuple[str, ...]]]:
        return zip(self.sources, self.hypotheses, self.references, self.outputs, strict=True)


class _Numbers(Generic[Value]):
    """Assigns numbers from 1 to distinct values."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}

    def number(self, value: Value) -> int:
        return self._numbers.setdefault(value, len(self._numbers) + 1)

    @property
    def by_number(self) -> Mapping[int, Value]:
        return {number: value for value, number in self._numbers.items()}


def _requests(family: Family, signature: int, inputs: pa.Table) -> Iterable[FamilyRequests]:
    """Yield the family's distinct requests, grouped by references and source."""
    read = keys_read(family)
    columns = [
        [0] * inputs.num_rows if name is None else inputs[name].to_pylist()
        for name in (read["references_key"], read["source_text_id"], read["hypothesis_text_id"])
    ]
    keys: list[Key] = sorted(set(zip(*columns, strict=True)))
    shared = 2 if family.reads_gold else 1
    for _, group in groupby(keys, key=lambda key: key[:shared]):
        references, sources, hypotheses = np.array(list(group), np.int64).T
        yield FamilyRequests(family.name, signature, int(references[0]), sources, hypotheses)


def _extracted(pairs: Sequence[Pair], language: str) -> dict[Pair, str]:
    """Return the edits from the first text to the second of every pair, as annotations."""
    if not pairs:
        return {}
    extractor = current_extractor(language)
    texts = sorted({text for pair in pairs for text in pair})
    number = {text: place for place, text in enumerate(texts)}
    pipeline = pa.nulls(len(pairs)) if extractor.pipeline is None else pa.array([0] * len(pairs))
    table = parse_and_extract_chunk(
        Chunk(
            "texts in hand",
            pa.table(
                {
                    "extractor_key": pa.array([0] * len(pairs)),
                    "source_text_id": pa.array([number[source] for source, _ in pairs]),
                    "target_text_id": pa.array([number[target] for _, target in pairs]),
                    "pipeline_key": pipeline,
                }
            ),
            pa.table({"text_id": pa.array(range(len(texts))), "text": pa.array(texts)}),
        )
    )
    return dict(zip(pairs, table["annotation"].to_pylist(), strict=True))
