"""A plain port of the I-measure with lists and dictionaries (Felice and Briscoe 2015).

It is the baseline for analysis/metrics/imeasure. It builds every reference, including all
combinations of alternatives, and aligns each with source and hypothesis token by token. The
corrections of references are those of analysis/metrics/imeasure.py. It is slow, and the
warehouse does not import it.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

from maege.analysis.edits import Annotation
from maege.analysis.metrics.imeasure import Tokens, corrected, gold_errors, references

GAP, MISMATCH = 2, 3
WEIGHT = 2
# Which of source, hypothesis and reference have a token in a column, in order of preference.
STEPS = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
PAIRS = ((0, 1), (0, 2), (1, 2))

Cell = tuple[int, int, int]
Column = tuple[str | None, str | None, str | None]
Counts = tuple[int, int, int, int, int]


def counts(
    source: Tokens, hypothesis: Tokens, annotations: Sequence[Annotation | None], *, mix: bool
) -> tuple[list[int], int]:
    """Return the twenty counts with the best reference, and the number of references.

    Five each of correction, of correction by the source, of detection, of detection by the source.
    """
    texts = mixtures(source, annotations) if mix else references(source, annotations)
    rows = (_reference_counts(source, hypothesis, reference) for reference in texts)
    # The first of equal references: the original program takes a later one only if it is better.
    best = max(rows, key=_measures)
    return [number for part in best for number in part], len(texts)


def mixtures(source: Tokens, annotations: Sequence[Annotation | None]) -> list[Tokens]:
    options = gold_errors(source, annotations)
    texts = (
        corrected(source, [edit for option in chosen for edit in option])
        for chosen in product(*options)
    )
    return list(dict.fromkeys(texts))


def alignment(texts: tuple[Tokens, Tokens, Tokens]) -> list[Column]:
    """Return the columns of the cheapest alignment of three texts, None for a gap."""
    costs: dict[Cell, int] = {(0, 0, 0): 0}
    steps: dict[Cell, Cell] = {}
    for i in range(len(texts[0]) + 1):
        for j in range(len(texts[1]) + 1):
            for k in range(len(texts[2]) + 1):
                for step in STEPS:
                    before = (i - step[0], j - step[1], k - step[2])
                    if min(before) < 0:
                        continue
                    cost = costs[before] + column_cost(_column(texts, (i, j, k), step))
                    if (i, j, k) not in costs or cost < costs[i, j, k]:
                        costs[i, j, k] = cost
                        steps[i, j, k] = step
    cell = (len(texts[0]), len(texts[1]), len(texts[2]))
    columns = []
    while cell != (0, 0, 0):
        step = steps[cell]
        columns.append(_column(texts, cell, step))
        cell = (cell[0] - step[0], cell[1] - step[1], cell[2] - step[2])
    return columns[::-1]


def _column(texts: tuple[Tokens, Tokens, Tokens], cell: Cell, step: Cell) -> Column:
    return (
        texts[0][cell[0] - 1] if step[0] else None,
        texts[1][cell[1] - 1] if step[1] else None,
        texts[2][cell[2] - 1] if step[2] else None,
    )


def column_cost(column: Column) -> int:
    cost = 0
    for first, second in PAIRS:
        if column[first] != column[second]:
            cost += GAP if column[first] is None or column[second] is None else MISMATCH
    return cost


def column_counts(columns: Iterable[Column]) -> tuple[Counts, Counts]:
    """Return tp, tn, fp, fn, fpn of correction and of detection, by Table 6 of the paper."""
    correction = dict.fromkeys(("tp", "tn", "fp", "fn", "fpn"), 0)
    detection = dict(correction)
    for source, hypothesis, reference in columns:
        if source == hypothesis == reference:
            name = "tn"
        elif source == hypothesis:
            name = "fn"
        elif hypothesis == reference:
            name = "tp"
        elif source == reference:
            name = "fp"
        else:
            detection["tp"] += 1
            for each in ("fp", "fn", "fpn"):
                correction[each] += 1
            continue
        correction[name] += 1
        detection[name] += 1
    return _five(correction), _five(detection)


def _five(named: dict[str, int]) -> Counts:
    return named["tp"], named["tn"], named["fp"], named["fn"], named["fpn"]


def _reference_counts(
    source: Tokens, hypothesis: Tokens, reference: Tokens
) -> tuple[Counts, Counts, Counts, Counts]:
    correction, detection = column_counts(alignment((source, hypothesis, reference)))
    base_correction, base_detection = column_counts(alignment((source, source, reference)))
    return correction, base_correction, detection, base_detection


def _measures(row: tuple[Counts, Counts, Counts, Counts]) -> list[Fraction]:
    chain = []
    for system, base in (row[:2], row[2:]):
        accuracies = _weighted_accuracy(system), _weighted_accuracy(base)
        chain += [accuracies[0], _improvement(*accuracies), _accuracy(system)]
    return chain


def _weighted_accuracy(of: Counts) -> Fraction:
    tp, tn, fp, fn, fpn = of
    right = WEIGHT * tp + tn
    total = Fraction(right + WEIGHT * fp + fn) - Fraction((WEIGHT + 1) * fpn, 2)
    return right / total if total else Fraction(1)


def _accuracy(of: Counts) -> Fraction:
    tp, tn, fp, fn, fpn = of
    total = tp + tn + fp + fn - fpn
    return Fraction(tp + tn, total) if total else Fraction(1)


def _improvement(system: Fraction, base: Fraction) -> Fraction:
    if system == base:
        return Fraction(system // 1)
    if system > base:
        return (system - base) / (1 - base)
    return system / base - 1
