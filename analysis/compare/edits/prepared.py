"""From texts to counts: the gold as it counts, every system's edits, and what metrics count."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from maege.analysis.compare.edits.counts import CountedSystems, beside_chosen, errant_counts
from maege.analysis.compare.edits.extraction import Extraction, Store
from maege.analysis.compare.edits.gold import Gold, chosen_gold, from_references, texts_of
from maege.analysis.compare.edits.types import (
    TypedCounts,
    chosen_annotations,
    typed_by_place,
    typed_counts,
)
from maege.analysis.compare.inputs import Inputs, Output
from maege.analysis.compare.results import GoldEdits
from maege.analysis.edits import Annotation, format_annotation
from maege.analysis.extraction.errant_edits import corrected_text
from maege.analysis.extraction.pipeline import rules_of
from maege.analysis.metrics.scores.f_score import f_of_sums

ERRANT, M2 = "errant", "m2"


@dataclass(frozen=True)
class Prepared:
    """What is compared, counted.

    `given` is the gold as its files have it, `gold` that with the edits that count. `outputs` are
    the edits of each system; `m2` is None where it was not asked for, `approximated` the outputs
    whose M2 was searched for in part. `types` is None where there is no table of types;
    `types_from` says whose types it has. `f_as_given` is F of each system against the gold as its
    file has it, where other edits count.
    """

    edits: GoldEdits
    given: Gold
    gold: Gold
    outputs: Sequence[Sequence[Annotation]]
    errant: CountedSystems
    m2: CountedSystems | None
    approximated: int
    types: TypedCounts | None
    types_from: Literal["given", "errant"] | None
    f_as_given: Sequence[float] | None


def prepare(inputs: Inputs, extraction: Extraction, store: Store) -> Prepared:
    """Return the counts of all systems."""
    settings = inputs.settings
    of = inputs.gold
    given = of.gold
    if of.references is not None:
        given = from_references(given.sources, given.annotators, of.references, extraction)
    outputs = [_edits_of(output, given.sources, extraction) for output in inputs.outputs]
    texts = [[format_annotation(annotation) for annotation in of_one] for of_one in outputs]
    edits, gold = _edits_that_count(inputs, given, extraction)
    errant = errant_counts(texts_of(gold), texts, settings.match, settings.beta)
    f_as_given = None
    if gold is not given:
        as_given = errant_counts(texts_of(given), texts, settings.match, settings.beta)
        f_as_given = f_of_sums(as_given.sums.sum(axis=1), settings.beta).tolist()
    m2, approximated = None, 0
    if M2 in settings.metrics:
        # Only here, because its kernels are numba's.
        from maege.analysis.compare.edits.m2_counts import m2_sizes

        sizes, approximated = m2_sizes(
            given.sources,
            texts_of(given),
            [output.texts for output in inputs.outputs],
            settings.beta,
            store,
        )
        m2 = beside_chosen(sizes, settings.beta, by_shares=False)
    types, types_from = _types(inputs, edits, gold, outputs, texts, extraction)
    return Prepared(
        edits, given, gold, outputs, errant, m2, approximated, types, types_from, f_as_given
    )


def _edits_that_count(
    inputs: Inputs, given: Gold, extraction: Extraction
) -> tuple[GoldEdits, Gold]:
    if inputs.gold.references is not None:
        return "auto", given
    edits = inputs.settings.gold_edits or default_edits(given, extraction)
    return edits, chosen_gold(given, edits, extraction)


def default_edits(gold: Gold, extraction: Extraction) -> GoldEdits:
    """Return which edits of a gold count: its own where they have ERRANT's types.

    Else those that ERRANT finds, where it has rules for the language: as in the warehouse.
    """
    return "given" if gold.has_errant_types or not extraction.has_types else "auto"


def references_of(inputs: Inputs, prepared: Prepared) -> Sequence[tuple[str, ...]]:
    """Return the reference texts of each sentence, as many of all.

    Where they are made from edits, an annotator without a line leaves the sentence as it is.
    """
    if inputs.gold.reference_texts is not None:
        return inputs.gold.reference_texts
    given = prepared.given
    return [
        tuple(
            corrected_text(source, annotations.get(annotator, ())) for annotator in given.annotators
        )
        for source, annotations in zip(given.sources, given.annotations, strict=True)
    ]


def _edits_of(output: Output, sources: Sequence[str], extraction: Extraction) -> list[Annotation]:
    if output.annotations is not None:
        return list(output.annotations)
    found = extraction.edits([*zip(sources, output.texts, strict=True)])
    return [found[pair] for pair in zip(sources, output.texts, strict=True)]


def _types(
    inputs: Inputs,
    edits: GoldEdits,
    gold: Gold,
    outputs: Sequence[Sequence[Annotation]],
    texts: Sequence[Sequence[str]],
    extraction: Extraction,
) -> tuple[TypedCounts | None, Literal["given", "errant"] | None]:
    """Return the counts of types, and whose types they are.

    Those of the gold, where they are ERRANT's or all outputs came with edits of their own; else
    ERRANT's. Where it has no rules for the language they are the gold's, by place.
    """
    settings = inputs.settings
    if settings.types is None:
        return None, None
    has_own = all(output.annotations is not None for output in inputs.outputs)
    source: Literal["given", "errant"] = "given" if edits == "given" else "errant"
    of_types = gold
    if not gold.has_errant_types and extraction.has_types and not has_own:
        of_types, source = chosen_gold(gold, "typed", extraction), "errant"
    elif not extraction.has_types and rules_of(settings.language) is not None and not has_own:
        return None, None
    counted = errant_counts(texts_of(of_types), texts, settings.match, settings.beta)
    chosen = [
        chosen_annotations(of_types.annotations, positions)
        for positions in counted.positions.tolist()
    ]
    if not extraction.has_types:
        outputs = [
            [typed_by_place(edits, of_gold) for edits, of_gold in zip(*of_system, strict=True)]
            for of_system in zip(outputs, chosen, strict=True)
        ]
    counts = typed_counts(outputs, chosen, settings.match, settings.tier, settings.types)
    return counts, source


def smallest_difference(standard_errors: Sequence[float]) -> float | None:
    """Return what tests of these sentences hardly see less than: twice the median error."""
    return 2 * float(np.median(standard_errors)) if standard_errors else None
