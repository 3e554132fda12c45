"""Count edits of systems against the gold by sentence, and list single edits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from maege.analysis.compare.gold import Store
from maege.analysis.compare.results import (
    EDIT_LISTS,
    Better,
    Counts,
    EditChange,
    EditList,
    EditTotals,
    GoldEdit,
    OutputEdit,
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

Triple = tuple[str, str, str]


def m2_sizes(
    sources: Sequence[str],
    gold: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    beta: float,
    store: Store,
) -> tuple[list[FloatArray], int]:
    """Return tp, proposed and gold of each sentence, and the number of approximated outputs.

    The counts of a sentence have shape (systems, annotators, 3).

    Args:
        gold: the annotations of each sentence, as text.
    """
    family = M2(beta)
    tokens = [[squeezed(text) for text in texts] for texts in outputs]
    sentences = [
        [(squeezed(source), text, annotation) for text in texts for annotation in annotations]
        for source, annotations, texts in zip(sources, gold, zip(*tokens, strict=True), strict=True)
    ]
    requests = list(dict.fromkeys(triple for triples in sentences for triple in triples))
    counts = store.known(family.signature(), requests)
    missing = [triple for triple in requests if triple not in counts]
    if missing:
        new = _counted(family, missing)
        store.keep(family.signature(), new)
        counts |= new
    numbers = {triple: [*map(float, counts[triple].split())] for triple in requests}
    sizes, approximated = [], 0
    for annotations, triples in zip(gold, sentences, strict=True):
        rows = np.array([numbers[triple] for triple in triples])
        rows = rows.reshape(len(outputs), len(annotations), 4)
        approximated += int(rows[..., 3].any(axis=1).sum())
        sizes.append(rows[..., :3])
    return sizes, approximated


def _counted(family: M2, triples: Sequence[Triple]) -> dict[tuple[str, ...], str]:
    by_pair: dict[tuple[str, str], list[str]] = {}
    for source, text, annotation in triples:
        by_pair.setdefault((source, text), []).append(annotation)
    groups = [
        GoldGroup(source, tuple(annotations), (text,))
        for (source, text), annotations in by_pair.items()
    ]
    return {
        (source, text, annotation): " ".join(f"{number:.0f}" for number in row)
        for ((source, text), annotations), counts in zip(
            by_pair.items(), family.compute_gold(groups), strict=True
        )
        for annotation, row in zip(annotations, counts[0].tolist(), strict=True)
    }


# --- Lists of single edits ---
#
# An edit is identified by the tokens that it replaces and its correction, whatever its type. Edits
# that detect an error without correcting it are excluded. `have` is the number of annotators, among
# the `of` annotators with a line, who have the edit.

# The key of an edit: its token span and correction.
Place = tuple[int, int, str]


def sentences(
    sources: Sequence[str],
    gold: Sequence[Mapping[str, Annotation]],
    names: Sequence[str],
    texts: Sequence[Sequence[str]],
    outputs: Sequence[Sequence[Annotation]],
    positions: Sequence[Sequence[int]],
    counts: Sequence[Sequence[tuple[int, int, int]]],
) -> tuple[Sentence, ...]:
    """Return every sentence with the edits of the gold and of all systems.

    Args:
        gold: annotations by annotator, in the order of the file.
        names: names of the systems. The other arguments have the same order, with one value per
            sentence.
        positions: position of the annotator that each sentence is scored with.
        counts: tp, fp and fn of each sentence.
    """
    return tuple(
        _sentence(number, source, annotations, names, [*zip(*values, strict=True)])
        for number, (source, annotations, *values) in enumerate(
            zip(
                sources,
                gold,
                zip(*texts, strict=True),
                zip(*outputs, strict=True),
                zip(*positions, strict=True),
                zip(*counts, strict=True),
                strict=True,
            )
        )
    )


def _sentence(
    number: int,
    source: str,
    annotations: Mapping[str, Annotation],
    names: Sequence[str],
    values: Sequence[tuple[str, Annotation, int, tuple[int, int, int]]],
) -> Sentence:
    words = source.split()
    annotators = tuple(annotations)
    gold = _gold_edits(words, annotations)
    having = {(edit.start, edit.end, edit.correction): edit.annotators for edit in gold}
    systems = tuple(_system_sentence(words, annotators, gold, having, *row) for row in values)
    gains = [tp - fp for (tp, fp, _) in (system.counts for system in systems)]
    better = {
        name: _compared(gain, gains[0]) for name, gain in zip(names[1:], gains[1:], strict=True)
    }
    return Sentence(number, source, annotators, gold, systems, better)


def _compared(score: int, base_score: int) -> Better:
    return "better" if score > base_score else "worse" if score < base_score else "same"


def _gold_edits(
    words: Sequence[str], annotations: Mapping[str, Annotation]
) -> tuple[GoldEdit, ...]:
    having: dict[Place, list[str]] = {}
    types: dict[Place, str] = {}
    for annotator, annotation in annotations.items():
        for place, error_type in _places(annotation).items():
            having.setdefault(place, []).append(annotator)
            types.setdefault(place, error_type)
    return tuple(
        GoldEdit(
            start,
            end,
            " ".join(words[start:end]),
            correction,
            types[start, end, correction],
            tuple(having[start, end, correction]),
        )
        for start, end, correction in sorted(having)
    )


def _places(annotation: Annotation) -> dict[Place, str]:
    """Return an annotation's edits with their types, each edit once."""
    places: dict[Place, str] = {}
    for edit in annotation:
        if edit.error_type != UNKNOWN:
            places.setdefault((edit.start, edit.end, edit.corrections[0]), edit.error_type)
    return places


def _system_sentence(
    words: Sequence[str],
    annotators: tuple[str, ...],
    gold: tuple[GoldEdit, ...],
    having: Mapping[Place, tuple[str, ...]],
    text: str,
    annotation: Annotation,
    position: int,
    counts: tuple[int, int, int],
) -> SystemSentence:
    annotator = annotators[position]
    places = _places(annotation)
    edits = []
    for (start, end, correction), error_type in places.items():
        agreeing = having.get((start, end, correction), ())
        edits.append(
            OutputEdit(
                start,
                end,
                " ".join(words[start:end]),
                correction,
                error_type,
                len(agreeing),
                len(annotators),
                "false"
                if not agreeing
                else "right"
                if len(agreeing) == len(annotators)
                else "disputed",
                annotator in agreeing,
            )
        )
    missed = tuple(
        edit
        for edit in gold
        if annotator in edit.annotators and (edit.start, edit.end, edit.correction) not in places
    )
    return SystemSentence(text, annotator, counts, tuple(edits), missed)


def changes(
    all_sentences: Sequence[Sentence], names: Sequence[str], a: int, b: int
) -> tuple[list[EditChange], EditTotals]:
    """Return the edits that only one of systems `a` and `b` has, by list, type and sentence."""
    listed: list[EditChange] = []
    both_right = both_false = 0
    for sentence in all_sentences:
        first, second = sentence.systems[a], sentence.systems[b]
        places = [
            {(e.start, e.end, e.correction) for e in change.edits} for change in (first, second)
        ]
        for edit in second.edits:
            if (edit.start, edit.end, edit.correction) in places[0]:
                both_right += edit.have > 0
                both_false += edit.have == 0
        pair = (names[a], names[b])
        listed += _changes_of(sentence, second, places[0], pair, ("gained", "new_false"))
        listed += _changes_of(sentence, first, places[1], pair, ("lost", "false_gone"))
    listed.sort(key=lambda change: (EDIT_LISTS.index(change.list), change.type, change.sentence))
    sizes = {name: len(list(group)) for name, group in groupby(listed, lambda change: change.list)}
    by_all = {
        name: sum(change.list == name and change.have == change.of for change in listed)
        for name in ("gained", "lost")
    }
    totals = EditTotals(
        names[a],
        names[b],
        sizes.get("gained", 0),
        by_all["gained"],
        sizes.get("lost", 0),
        by_all["lost"],
        sizes.get("new_false", 0),
        sizes.get("false_gone", 0),
        both_right,
        both_false,
    )
    return listed, totals


def _changes_of(
    sentence: Sentence,
    system_sentence: SystemSentence,
    other_edits: set[Place],
    pair: tuple[str, str],
    lists: tuple[EditList, EditList],
) -> Iterator[EditChange]:
    spans = {(start, end) for start, end, _ in other_edits}
    for edit in system_sentence.edits:
        if (edit.start, edit.end, edit.correction) in other_edits:
            continue
        yield EditChange(
            *pair,
            list=lists[0] if edit.have else lists[1],
            sentence=sentence.id,
            start=edit.start,
            end=edit.end,
            original=edit.original,
            correction=edit.correction,
            type=edit.type,
            have=edit.have,
            of=edit.of,
            not_counted=edit.have > 0 and not edit.is_counted,
            other_correction=(edit.start, edit.end) in spans,
        )
