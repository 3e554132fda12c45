"""Edits one by one: who has which, what the gold says of it, and what one system gained on another.

An edit is the tokens that it replaces and what it puts there, once, whatever its type; edits that
only detect are none. `have` of the `of` annotators with a line have it, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from maege.analysis.compare.results import (
    EDIT_LISTS,
    Better,
    EditChange,
    EditList,
    EditTotals,
    GoldEdit,
    OutputEdit,
    Sentence,
    SystemSentence,
)
from maege.analysis.edits import Annotation

_UNKNOWN = "UNK"
# An edit's tokens and correction.
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
        sources: of the gold.
        gold: by annotator, in the order of the file.
        names: of the systems; what follows stands in this order, one value a sentence.
        texts: of the systems.
        outputs: the edits that lead there.
        positions: of the annotator that each sentence is scored with.
        counts: tp, fp, fn of each sentence.

    """
    return tuple(
        _sentence(number, source, annotations, names, [*zip(*of_systems, strict=True)])
        for number, (source, annotations, *of_systems) in enumerate(
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
    of_systems: Sequence[tuple[str, Annotation, int, tuple[int, int, int]]],
) -> Sentence:
    words = source.split()
    annotators = tuple(annotations)
    gold = _gold_edits(words, annotations)
    having = {(edit.start, edit.end, edit.correction): edit.annotators for edit in gold}
    systems = tuple(
        _system_sentence(words, annotators, gold, having, *of_system) for of_system in of_systems
    )
    gains = [tp - fp for (tp, fp, _) in (system.counts for system in systems)]
    better = {
        name: _compared(gain, gains[0]) for name, gain in zip(names[1:], gains[1:], strict=True)
    }
    return Sentence(number, source, annotators, gold, systems, better)


def _compared(gain: int, other: int) -> Better:
    return "better" if gain > other else "worse" if gain < other else "same"


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
        if edit.error_type != _UNKNOWN:
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
    chosen = annotators[position]
    places = _places(annotation)
    edits = []
    for (start, end, correction), error_type in places.items():
        who = having.get((start, end, correction), ())
        edits.append(
            OutputEdit(
                start,
                end,
                " ".join(words[start:end]),
                correction,
                error_type,
                len(who),
                len(annotators),
                "false" if not who else "right" if len(who) == len(annotators) else "disputed",
                chosen in who,
            )
        )
    missed = tuple(
        edit
        for edit in gold
        if chosen in edit.annotators and (edit.start, edit.end, edit.correction) not in places
    )
    return SystemSentence(text, chosen, counts, tuple(edits), missed)


def changes(
    of_sentences: Sequence[Sentence], names: Sequence[str], a: int, b: int
) -> tuple[list[EditChange], EditTotals]:
    """Return what system `b` has and `a` lacks and the reverse, by list, type and sentence."""
    found: list[EditChange] = []
    both_right = both_false = 0
    for sentence in of_sentences:
        first, second = sentence.systems[a], sentence.systems[b]
        places = [{(e.start, e.end, e.correction) for e in one.edits} for one in (first, second)]
        for edit in second.edits:
            if (edit.start, edit.end, edit.correction) in places[0]:
                both_right += edit.have > 0
                both_false += edit.have == 0
        pair = (names[a], names[b])
        found += _of_one(sentence, second, places[0], pair, ("gained", "new_false"))
        found += _of_one(sentence, first, places[1], pair, ("lost", "false_gone"))
    found.sort(key=lambda one: (EDIT_LISTS.index(one.list), one.type, one.sentence))
    sizes = {name: len(list(group)) for name, group in groupby(found, lambda one: one.list)}
    by_all = {
        name: sum(one.list == name and one.have == one.of for one in found)
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
    return found, totals


def _of_one(
    sentence: Sentence,
    own: SystemSentence,
    other: set[Place],
    pair: tuple[str, str],
    lists: tuple[EditList, EditList],
) -> Iterator[EditChange]:
    """Yield the edits of one of two systems that the other lacks: right in the first list."""
    spans = {(start, end) for start, end, _ in other}
    for edit in own.edits:
        if (edit.start, edit.end, edit.correction) in other:
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
