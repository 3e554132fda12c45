"""The worked examples of the I-measure paper (Felice and Briscoe 2015).

Sentences, edits and counts are from the paper. Expected values are those of the committed table of
printed numbers, next to the printed values.
"""

import csv
from collections.abc import Callable, Iterable
from math import prod
from pathlib import Path

import numpy as np
import pytest
from imeasure_plain import Counts, alignment, column_counts
from m2_cases import choose_per_sentence

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.metrics.families import GoldGroup
from maege.analysis.metrics.formula import f_of_shares, share
from maege.analysis.metrics.imeasure import gold_errors, improvement, measures
from maege.analysis.metrics.m2 import BETA, M2

# By exhibit, row and column.
Numbers = dict[tuple[str, str, str], float]


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


def m2_numbers() -> Numbers:
    numbers = {}
    for exhibit, row, source, annotators, hypothesis in _M2:
        gold = tuple(format_annotation(annotation) for annotation in annotators)
        (counts,) = M2().compute_gold([GoldGroup(source, gold, (hypothesis,))])
        tp, proposed, in_gold, _ = counts[0, int(choose_per_sentence(counts)[0])]
        p, r = share(tp, proposed), share(tp, in_gold)
        for name, value in {"p": p, "r": r, "f": f_of_shares(p, r, BETA)}.items():
            numbers[exhibit, row, name] = float(value)
    return numbers


def listing_numbers() -> Numbers:
    errors = gold_errors(tuple(_THIS.split()), _LISTING)
    key = "listing_1", "this_machines_is_designed_for_help_people", "references"
    return {key: prod(map(len, errors))}


def alignment_numbers() -> Numbers:
    columns = alignment((("A", "B"), ("C",), ("A",)))
    place = next(place for place, column in enumerate(columns) if column[1] == "C")
    first, second = (
        np.array(class_counts(column.split() for column in columns_text.split("|")))
        for columns_text in (_FIRST, _SECOND)
    )
    return {
        ("table_4", "desired_alignment", "columns"): len(columns),
        ("table_4", "desired_alignment", "position_of_c"): place,
        ("table_5", "two_alignments", "difference_in_counts"): np.abs(first - second).sum(),
    }


def class_numbers() -> Numbers:
    return {
        ("table_6", pattern.replace("-", "gap").replace(" ", "_"), f"{aspect}_{label}"): count
        for pattern in _PATTERNS.split("|")
        for aspect, counts in zip(
            ("correction", "detection"), class_counts([pattern.split()]), strict=True
        )
        for label, count in zip(_CLASSES, counts, strict=True)
        if count
    }


def measure_numbers() -> Numbers:
    numbers = {("table_7", row, "f"): float(f_of_shares(p, r, BETA)) for row, p, r in _TABLE_7}
    for row, tp, fp, tn, fn in _TABLE_8:
        values = measures(np.array([tp, tn, fp, fn, 0], dtype=np.float64))
        values["f"] = f_of_shares(values["p"], values["r"], BETA)
        numbers |= {("table_8", row, name): float(value) for name, value in values.items()}
    # A completely correct text, an unchanged one, a completely wrong one; the source's accuracy is
    # 0.6.
    for row, score in (("perfect_text", 1.0), ("baseline", 0.6), ("wrong_text", 0.0)):
        value = float(improvement(np.array(score), np.array(0.6)))
        numbers["table_9", row, "improvement"] = value
    return numbers


def class_counts(columns: Iterable[list[str]]) -> tuple[Counts, Counts]:
    """Return the counts of correction and of detection; a dash is a gap."""
    texts = ([None if text == "-" else text for text in column] for column in columns)
    return column_counts((source, hypothesis, reference) for source, hypothesis, reference in texts)


@pytest.mark.parametrize(
    ("compute", "n_numbers"),
    [
        (m2_numbers, 12),
        (listing_numbers, 1),
        (alignment_numbers, 3),
        (class_numbers, 36),
        (measure_numbers, 32),
    ],
)
def test_worked_examples_have_the_committed_values(
    repository: Path, compute: Callable[[], Numbers], n_numbers: int
) -> None:
    computed = compute()
    exhibits = {exhibit for exhibit, _, _ in computed}
    with (repository / "seeds/replication_table.csv").open(newline="", encoding="utf-8") as stream:
        committed = {
            (row["exhibit"], row["row_label"], row["column_label"]): float(row["reproduced"])
            for row in csv.DictReader(stream)
            if row["paper"] == "imeasure" and row["exhibit"] in exhibits
        }
    assert len(committed) == n_numbers
    assert computed == pytest.approx(committed)
