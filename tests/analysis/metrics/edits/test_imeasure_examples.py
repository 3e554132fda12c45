"""The worked examples of the I-measure paper (Felice and Briscoe 2015).

Sentences, edits and counts are from the paper. Expected values are those of the committed table of
printed numbers, next to the printed values.
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from imeasure_plain import Counts, alignment, column_counts
from m2_cases import choose_per_sentence

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.metrics.families import GoldGroup
from maege.analysis.metrics.formula import f_of_shares, share
from maege.analysis.metrics.imeasure import (
    accuracy,
    gold_errors,
    improvement,
    precision,
    recall,
    reference_count,
    weighted_accuracy,
)
from maege.analysis.metrics.m2 import BETA, M2


class Example(NamedTuple):
    """One number of the paper."""

    exhibit: str
    row_label: str
    column_label: str
    value: float


def _edits(*edits: tuple[int, int, str], error_group: str = "") -> tuple[Edit, ...]:
    return tuple(Edit(start, end, "", (text,), error_group) for start, end, text in edits)


# Exhibit, row, source, annotators, hypothesis: Tables 1 to 3.
_THIS = "This machines is designed for help people ."
_MACHINE = "Machine is design to help people ."
_SEPARATE = _edits((0, 1, "Machines"), (1, 2, "are"), (2, 3, "designed"))
_M2 = (
    (
        "table_1",
        "these_machines_are_designed_to_help_people",
        _THIS,
        (
            _edits((0, 1, "These"), (2, 3, "are"), (5, 6, "helping")),
            _edits((1, 2, "machine"), (4, 5, "to")),
        ),
        "These machines are designed to help people .",
    ),
    (
        "table_2",
        "machine_is_designed_to_help_people",
        _MACHINE,
        (_edits((0, 1, "Machines"), (1, 3, "are designed")),),
        "Machine is designed to help people .",
    ),
    (
        "table_3",
        "the_machine_is_designed_for_helping_people",
        _MACHINE,
        (_SEPARATE,),
        "The machine is designed for helping people .",
    ),
    (
        "table_3",
        "machines_is_a_design_on_the_helping",
        _MACHINE,
        (_SEPARATE,),
        "Machines is a design on the helping of the people .",
    ),
)
# Listing 1: two errors, each with an alternative by each annotator.
_LISTING = (
    (
        *_edits((0, 1, "These"), (2, 3, "are"), error_group="1"),
        *_edits((5, 6, "helping"), error_group="2"),
    ),
    (*_edits((1, 2, "machine"), error_group="1"), *_edits((4, 5, "to"), error_group="2")),
)
# Table 5: source, hypothesis and reference of two equally cheap alignments, column by column.
_FIRST = "Their There There|is is is|wide widespread widespread|spread use use|usage - -"
_SECOND = "Their There There|is is is|wide widespread widespread|spread - -|usage use use"
# Table 7: precision and recall with the printed F.
_TABLE_7 = (
    ("s1_references_of_s1", 0.6, 0.2),
    ("s2_references_of_s1", 0.8, 0.05),
    ("s1_references_of_s2", 0.3, 0.3),
    ("s2_references_of_s2", 0.3, 0.4),
)
# Table 8: tp, fp, tn, fn.
_TABLE_8 = (
    ("baseline", 0, 0, 6, 4),
    ("s1", 4, 1, 5, 0),
    ("s2", 1, 0, 6, 3),
    ("s3", 1, 1, 5, 3),
    ("s4", 4, 6, 0, 0),
)
# Table 6: source, hypothesis, reference; a dash is a gap.
_PATTERNS = "a a a|a a b|a a -|a b a|a b b|a b c|a b -|a - a|a - b|a - -|- a a|- a b|- a -|- - a"
_CLASSES = ("tp", "tn", "fp", "fn", "fpn")


def m2_examples() -> Iterator[Example]:
    family = M2()
    for exhibit, row, source, annotators, hypothesis in _M2:
        gold = tuple(format_annotation(annotation) for annotation in annotators)
        (counts,) = family.compute_gold([GoldGroup(source, gold, (hypothesis,))])
        chosen = counts[0, int(choose_per_sentence(counts)[0])]
        tp, proposed, in_gold = chosen[:3]
        p, r = share(tp, proposed), share(tp, in_gold)
        yield Example(exhibit, row, "p", float(p))
        yield Example(exhibit, row, "r", float(r))
        yield Example(exhibit, row, "f", float(f_of_shares(p, r, BETA)))


def listing_examples() -> Iterator[Example]:
    errors = gold_errors(tuple(_THIS.split()), _LISTING)
    count = float(reference_count(errors))
    yield Example("listing_1", "this_machines_is_designed_for_help_people", "references", count)


def alignment_examples() -> Iterator[Example]:
    columns = alignment((("A", "B"), ("C",), ("A",)))
    place = next(place for place, column in enumerate(columns) if column[1] == "C")
    yield Example("table_4", "desired_alignment", "columns", float(len(columns)))
    yield Example("table_4", "desired_alignment", "position_of_c", float(place))
    first, second = (
        np.array(class_counts(column.split() for column in columns_text.split("|")))
        for columns_text in (_FIRST, _SECOND)
    )
    difference = float(np.abs(first - second).sum())
    yield Example("table_5", "two_alignments", "difference_in_counts", difference)


def class_examples() -> Iterator[Example]:
    for pattern in _PATTERNS.split("|"):
        row = pattern.replace("-", "gap").replace(" ", "_")
        aspect_counts = class_counts([pattern.split()])
        for name, counts in zip(("correction", "detection"), aspect_counts, strict=True):
            for label, count in zip(_CLASSES, counts, strict=True):
                if count:
                    yield Example("table_6", row, f"{name}_{label}", float(count))


def measure_examples() -> Iterator[Example]:
    for row, p, r in _TABLE_7:
        yield Example("table_7", row, "f", float(f_of_shares(p, r, BETA)))
    for row, tp, fp, tn, fn in _TABLE_8:
        counts = np.array([tp, tn, fp, fn, 0], dtype=np.float64)
        yield Example("table_8", row, "p", float(precision(counts)))
        yield Example("table_8", row, "r", float(recall(counts)))
        yield Example(
            "table_8", row, "f", float(f_of_shares(precision(counts), recall(counts), BETA))
        )
        yield Example("table_8", row, "acc", float(accuracy(counts)))
        yield Example("table_8", row, "wacc", float(weighted_accuracy(counts)))
    # A completely correct text, an unchanged one, a completely wrong one; the source's accuracy is
    # 0.6.
    base = np.array(0.6)
    for row, score in (("perfect_text", 1.0), ("baseline", 0.6), ("wrong_text", 0.0)):
        value = float(improvement(np.array(score), base))
        yield Example("table_9", row, "improvement", value)


def class_counts(columns: Iterable[list[str]]) -> tuple[Counts, Counts]:
    """Return the counts of correction and of detection; a dash is a gap."""
    texts = ([None if text == "-" else text for text in column] for column in columns)
    return column_counts((source, hypothesis, reference) for source, hypothesis, reference in texts)


@pytest.mark.parametrize(
    ("examples", "n_numbers"),
    [
        (m2_examples, 12),
        (listing_examples, 1),
        (alignment_examples, 3),
        (class_examples, 36),
        (measure_examples, 32),
    ],
)
def test_worked_examples_have_the_committed_values(
    repository: Path, examples: Callable[[], Iterator[Example]], n_numbers: int
) -> None:
    computed = {tuple(example[:3]): example.value for example in examples()}
    exhibits = {exhibit for exhibit, _, _ in computed}
    with (repository / "seeds/replication_table.csv").open(newline="", encoding="utf-8") as stream:
        committed = {
            (row["exhibit"], row["row_label"], row["column_label"]): float(row["reproduced"])
            for row in csv.DictReader(stream)
            if row["paper"] == "imeasure" and row["exhibit"] in exhibits
        }
    assert len(committed) == n_numbers
    assert computed == pytest.approx(committed)
