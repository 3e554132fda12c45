"""Count edits of systems against the gold by sentence, and list single edits."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from maege.analysis.compare.gold import Cache, Given
from maege.analysis.compare.results import (
    EDIT_LISTS,
    Better,
    Counts,
    EditChange,
    EditList,
    EditTotals,
    GoldEdit,
    OutputEdit,
    Place,
    Sentence,
    SystemSentence,
)
from maege.analysis.edits import Annotation
from maege.analysis.metrics.errant import UNKNOWN, Errant, ErrantScore, Matching
from maege.analysis.metrics.families import FloatArray, Request, family_statistics
from maege.analysis.metrics.formula import shares_of_sums
from maege.analysis.metrics.m2 import M2, M2Score
from maege.analysis.metrics.scores import ChosenScore, Positions
from maege.analysis.texts import squeezed

# --- Counts of every sentence, with each annotator and with the chosen one ---


@dataclass(frozen=True)
class CountedSystems:
    """tp, proposed and gold of all systems by one metric.

    `by_annotator` has shape (systems, sentences, annotators, 3), with the annotators who have a
    line in the order of the file, then NaN. `positions` holds the chosen annotators, shape
    (systems, sentences), and `sums` the counts with them, shape (systems, sentences, 3).
    """

    by_annotator: FloatArray
    positions: Positions
    sums: FloatArray


def errant_counts(
    gold: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    match: Matching,
    beta: float,
) -> CountedSystems:
    """Return the counts of errant_compare for annotations as text, in the order of the file."""
    requests = [
        Request(annotations, "", annotation)
        for system in outputs
        for annotations, annotation in zip(gold, system, strict=True)
    ]
    statistics = family_statistics(Errant(match), requests)
    by_system = statistics.reshape(len(outputs), len(gold), *statistics.shape[1:])
    return _chosen_counts(by_system, ErrantScore(beta))


def _chosen_counts(statistics: FloatArray, score: ChosenScore) -> CountedSystems:
    positions = score.choose(statistics)
    chosen = score.chosen_counts(statistics, positions)
    return CountedSystems(score.counts(statistics), positions, chosen)


def counts_of(sums: FloatArray, beta: float) -> Counts:
    """Return counts with precision, recall and F from sums of tp, proposed and gold."""
    tp, fp, fn, *shares = map(float, shares_of_sums(sums, beta).values())
    return Counts(int(tp), int(fp), int(fn), *shares)


# --- Counts of the M2 scorer, each (source, output, annotation) once ---


def m2_counts(
    sources: Sequence[str],
    gold: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    beta: float,
    cache: Cache,
) -> tuple[CountedSystems, int]:
    """Return the counts of the M2 scorer, and the number of approximated outputs."""
    family = M2(beta)
    triples: dict[tuple[int, int, int], Given] = {}
    for sentence, (source, annotations) in enumerate(zip(sources, gold, strict=True)):
        for system, texts in enumerate(outputs):
            tokens = squeezed(source), squeezed(texts[sentence])
            for place, annotation in enumerate(annotations):
                triples[system, sentence, place] = (*tokens, annotation)
    counts = cache.cached(
        family.signature(), triples.values(), lambda missing: _m2_statistics(family, missing)
    )
    most = max(map(len, gold))
    statistics = np.full((len(outputs), len(gold), most, len(family.statistics)), np.nan)
    for place_of, triple in triples.items():
        statistics[place_of] = [*map(float, counts[triple].split())]
    n_approximated = int((statistics[..., 3] > 0).any(axis=2).sum())
    return _chosen_counts(statistics, M2Score(beta)), n_approximated


def _m2_statistics(family: M2, triples: Sequence[Given]) -> dict[Given, str]:
    requests = [Request((annotation,), source, text) for source, text, annotation in triples]
    rows = family_statistics(family, requests)[:, 0].tolist()
    return {
        triple: " ".join(f"{number:.0f}" for number in row)
        for triple, row in zip(triples, rows, strict=True)
    }


# --- Lists of single edits ---
#
# An edit is identified by the tokens that it replaces and its correction, whatever its type. Edits
# that detect an error without correcting it are excluded.


def sentence_of(
    number: int,
    source: str,
    annotations: Mapping[str, Annotation],
    names: Sequence[str],
    systems: Iterable[tuple[str, Annotation, int, tuple[int, int, int]]],
) -> Sentence:
    """Return a sentence with the edits of the gold and of all systems.

    `systems` are output, edits, position of the annotator that the sentence is scored with, and tp,
    fp and fn of each system.
    """
    annotators = tuple(annotations)
    types: dict[Place, str] = {}
    having: dict[Place, list[str]] = {}
    for annotator, annotation in annotations.items():
        for place, error_type in _places(annotation).items():
            types.setdefault(place, error_type)
            having.setdefault(place, []).append(annotator)
    gold = tuple(GoldEdit(place, types[place], tuple(having[place])) for place in sorted(having))
    scored = []
    for text, annotation, position, counts in systems:
        annotator, places = annotators[position], _places(annotation)
        edits = []
        for place, error_type in places.items():
            agreeing = having.get(place, ())
            is_counted = annotator in agreeing
            edits.append(OutputEdit(place, error_type, len(agreeing), len(annotators), is_counted))
        missed = tuple(
            edit for edit in gold if annotator in edit.annotators and edit.place not in places
        )
        scored.append(SystemSentence(text, annotator, counts, tuple(edits), missed))
    gain, *gains = (system.counts[0] - system.counts[1] for system in scored)
    better: dict[str, Better] = {
        name: "better" if other > gain else "worse" if other < gain else "same"
        for name, other in zip(names[1:], gains, strict=True)
    }
    return Sentence(number, source, annotators, gold, tuple(scored), better)


# Lists of edits that only the second, or only the first of two systems has: right and false ones.
_ONLY_ONE: tuple[tuple[EditList, EditList], ...] = (("gained", "new_false"), ("lost", "false_gone"))


def _places(annotation: Annotation) -> dict[Place, str]:
    places: dict[Place, str] = {}
    for edit in annotation:
        if edit.error_type != UNKNOWN:
            places.setdefault(Place(edit.start, edit.end, edit.corrections[0]), edit.error_type)
    return places


def changes(
    sentences: Sequence[Sentence], names: Sequence[str], a: int, b: int
) -> tuple[list[EditChange], EditTotals]:
    listed: list[EditChange] = []
    n_both = Counter[bool]()
    for sentence in sentences:
        first, second = sentence.systems[a].edits, sentence.systems[b].edits
        in_first = {edit.place for edit in first}
        n_both.update(edit.have > 0 for edit in second if edit.place in in_first)
        sides = (second, first), (first, second)
        for (right, false), (edits, others) in zip(_ONLY_ONE, sides, strict=True):
            other_places = {edit.place for edit in others}
            spans = {place[:2] for place in other_places}
            listed += (
                EditChange(
                    names[a],
                    names[b],
                    right if edit.have else false,
                    sentence.id,
                    edit.place.start,
                    edit.place.end,
                    " ".join(sentence.source.split()[edit.place.start : edit.place.end]),
                    edit.place.correction,
                    edit.type,
                    edit.have,
                    edit.of,
                    not_counted=edit.have > 0 and not edit.is_counted,
                    other_correction=edit.place[:2] in spans,
                )
                for edit in edits
                if edit.place not in other_places
            )
    listed.sort(key=lambda change: (EDIT_LISTS.index(change.list), change.type, change.sentence))
    sizes = Counter(change.list for change in listed)
    by_all = Counter(change.list for change in listed if change.have == change.of)
    totals = EditTotals(
        names[a],
        names[b],
        sizes["gained"],
        by_all["gained"],
        sizes["lost"],
        by_all["lost"],
        sizes["new_false"],
        sizes["false_gone"],
        n_both[True],
        n_both[False],
    )
    return listed, totals
