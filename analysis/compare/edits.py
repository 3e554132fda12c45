"""Count edits of systems against the gold by sentence, and list single edits."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

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
from maege.analysis.metrics.families import FloatArray, GoldGroup
from maege.analysis.metrics.formula import shares_of_sums
from maege.analysis.metrics.m2 import M2
from maege.analysis.metrics.scores import ChosenScore, Positions
from maege.analysis.texts import squeezed

# --- Counts of every sentence, with each annotator and with the chosen one ---


@dataclass(frozen=True)
class CountedSystems:
    """The edit counts of all systems by one metric.

    `by_annotator` has an array (systems, annotators with a line, 3) of tp, proposed and gold for
    each sentence, with annotators in the order of the file. `positions` holds the chosen
    annotators, shape (systems, sentences), and `sums` the counts with them, shape (systems,
    sentences, 3).
    """

    by_annotator: Sequence[FloatArray]
    positions: Positions
    sums: FloatArray


def errant_counts(
    gold: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    match: Matching,
    beta: float,
) -> CountedSystems:
    """Return the counts of errant_compare.

    Args:
        gold: the annotations of each sentence, as text, in the order of the file.
        outputs: the annotations of each system, as text, one per sentence.
    """
    groups = [
        GoldGroup("", annotations, hypotheses)
        for annotations, hypotheses in zip(gold, zip(*outputs, strict=True), strict=True)
    ]
    return chosen_counts(Errant(match).compute_gold(groups), ErrantScore(beta))


def chosen_counts(statistics: Sequence[FloatArray], score: ChosenScore) -> CountedSystems:
    """Return the counts with the annotators that the metric's program chooses.

    Args:
        statistics: the counts of each sentence, shape (systems, annotators, k).
    """
    n_systems, _, width = statistics[0].shape
    n_annotators = max(counts.shape[1] for counts in statistics)
    padded = np.full((n_systems, len(statistics), n_annotators, width), np.nan)
    for sentence, counts in enumerate(statistics):
        padded[:, sentence, : counts.shape[1]] = counts
    positions = score.choose(padded)
    return CountedSystems(
        [score.counts(counts) for counts in statistics],
        positions,
        score.chosen_counts(padded, positions),
    )


def counts_of(sums: FloatArray | Sequence[float], beta: float) -> Counts:
    """Return counts with precision, recall and F from sums of tp, proposed and gold."""
    shares = shares_of_sums(np.asarray(sums, dtype=np.float64), beta)
    tp, fp, fn, precision, recall, f_score = (float(number) for number in shares.values())
    return Counts(int(tp), int(fp), int(fn), precision, recall, f_score)


# --- Counts of the M2 scorer, each (source, output, annotation) once ---


def m2_sizes(
    sources: Sequence[str],
    gold: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    beta: float,
    cache: Cache,
) -> tuple[list[FloatArray], int]:
    """Return tp, proposed and gold of each sentence, and the number of approximated outputs.

    The counts of a sentence have shape (systems, annotators, 3).

    Args:
        gold: the annotations of each sentence, as text.
    """
    family = M2(beta)
    tokens = [[squeezed(text) for text in texts] for texts in outputs]
    sentences: list[list[Given]] = [
        [(squeezed(source), text, annotation) for text in texts for annotation in annotations]
        for source, annotations, texts in zip(sources, gold, zip(*tokens, strict=True), strict=True)
    ]
    counts = cache.cached(
        family.signature(),
        chain.from_iterable(sentences),
        lambda triples: _m2_counts(family, triples),
    )
    numbers = {triple: [*map(float, text.split())] for triple, text in counts.items()}
    sizes, approximated = [], 0
    for annotations, triples in zip(gold, sentences, strict=True):
        rows = np.array([numbers[triple] for triple in triples])
        rows = rows.reshape(len(outputs), len(annotations), 4)
        approximated += int(rows[..., 3].any(axis=1).sum())
        sizes.append(rows[..., :3])
    return sizes, approximated


def _m2_counts(family: M2, triples: Sequence[Given]) -> dict[Given, str]:
    """Return the statistics of M2 for each source, output and annotation, as text."""
    groups = [GoldGroup(source, (annotation,), (text,)) for source, text, annotation in triples]
    return {
        triple: " ".join(f"{number:.0f}" for number in counts[0, 0])
        for triple, counts in zip(triples, family.compute_gold(groups), strict=True)
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

    Args:
        annotations: by annotator, in the order of the file.
        systems: output, edits, position of the annotator that the sentence is scored with, and tp,
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


def _places(annotation: Annotation) -> dict[Place, str]:
    """Return an annotation's edits with their types, each edit once."""
    places: dict[Place, str] = {}
    for edit in annotation:
        if edit.error_type != UNKNOWN:
            places.setdefault(Place(edit.start, edit.end, edit.corrections[0]), edit.error_type)
    return places


def changes(
    sentences: Sequence[Sentence], names: Sequence[str], a: int, b: int
) -> tuple[list[EditChange], EditTotals]:
    """Return the edits that only one of systems `a` and `b` has, by list, type and sentence."""
    listed: list[EditChange] = []
    n_both = Counter[bool]()
    for sentence in sentences:
        first, second = sentence.systems[a].edits, sentence.systems[b].edits
        in_first = {edit.place for edit in first}
        n_both.update(edit.have > 0 for edit in second if edit.place in in_first)
        lists: tuple[tuple[EditList, EditList], ...] = (
            ("gained", "new_false"),
            ("lost", "false_gone"),
        )
        for (right, false), edits, others in zip(
            lists, (second, first), (first, second), strict=True
        ):
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
