"""The two tables of a comparison, scores and error types, as every page shows them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from maege.analysis.compare.results import Comparison, Result, System, TypeRow
from maege.comparison.numbers import (
    LISTS,
    SIGNS,
    bounds,
    four,
    made_with,
    p_shown,
    signed,
    three,
    title,
)
from maege.page_texts import note_without_folders

ERRANT = "errant"
NO_TEST = "too few to test"

Emphasis = Literal["none", "best", "like_best", "quiet"]


@dataclass(frozen=True)
class Cell:
    """What stands in a cell, as people read it; `mark` says what a test found."""

    text: str
    emphasis: Emphasis = "none"
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """A table: its caption, its columns, of which the first `n_words` hold words, and its rows."""

    caption: str
    columns: tuple[str, ...]
    n_words: int
    rows: tuple[tuple[Cell, ...], ...]


def ordered(result: Result) -> list[System]:
    """Return the systems, the highest first score first; equal ones as they were given."""
    metric = result.metrics[0]
    return sorted(result.systems, key=lambda system: -(system.scores[metric].value or 0.0))


def pairs(result: Result) -> list[tuple[str, str]]:
    """Return the pairs of systems whose types and edits were compared."""
    return [(totals.a, totals.b) for totals in result.totals]


def score_table(result: Result) -> Table:
    """Return a row for each system: counts, scores with intervals, and the test against the first.

    The difference is that of the first metric.
    """
    signature = result.signature
    heads = [title(metric, signature.beta) for metric in result.metrics]
    has_counts = any(system.scores[result.metrics[0]].counts for system in result.systems)
    has_ranks = any(system.scores[result.metrics[0]].ranks for system in result.systems)
    is_tested = len(result.systems) > 1
    columns = [
        "system",
        *(("TP", "FP", "FN", "P", "R") if has_counts else ()),
        heads[0],
        "95 %",
        *heads[1:],
        *((f"- {result.baseline.name}", "95 %", "p Holm") if is_tested else ()),
        *(("rank",) if has_ranks else ()),
    ]
    rows = [
        (
            Cell(system.name),
            *(_counts(system, result) if has_counts else ()),
            *_scores(system, result),
            *(_test(system, result) if is_tested else ()),
            *((_rank(system, result),) if has_ranks else ()),
        )
        for system in ordered(result)
    ]
    return Table(_about(result), tuple(columns), 1, tuple(rows))


def type_table(result: Result, a: str, b: str, most: int | None = None) -> Table | None:
    """Return a row for each error type of a pair, what tells most first; None without types."""
    rows = result.types_of(a, b)
    if not rows:
        return None
    whose = "the gold's own" if result.gold.types == "given" else "ERRANT's"
    tested = sum(row.is_tested for row in rows)
    shown = rows if most is None else [row for row in rows if row.is_tested][:most]
    caption = (
        f"{b} against {a} by error type ({whose}). {tested} of {len(rows)} types have enough to be "
        "tested; q values by Benjamini and Hochberg."
    )
    columns = ("type", "gold", f"F {a}", f"F {b}", "difference", "95 %", "q")
    return Table(caption, columns, 1, tuple(_type(row, result) for row in shown))


def totals_table(result: Result) -> Table | None:
    """Return how many edits each system gained and lost against the first; None for one system."""
    if not result.totals:
        return None
    rows = tuple(
        (
            Cell(one.b),
            *(
                Cell(f"{number:,}")
                for number in (one.gained, one.lost, one.new_false, one.false_gone)
            ),
        )
        for one in result.totals
    )
    caption = f"Edits that one has and {result.baseline.name} has not, and the other way round."
    return Table(caption, ("system", *LISTS.values()), 1, rows)


def remarks(result: Result) -> Iterator[str]:
    """Yield what a reader should know, a sentence each."""
    for one in result.comparisons:
        if one.depends_on_annotator:
            said = ", ".join(
                f"{signed(by.difference, 3)} by {by.id}" for by in one.by_annotator[:10]
            )
            yield (
                f"{one.b} - {one.a}: which of the two is better depends on the annotator ({said})."
            )
        if one.equivalence is not None:
            verdict = "equivalent" if one.equivalence.is_equivalent else "not shown to be"
            yield (
                f"{one.b} and {one.a} within {one.equivalence.margin:g}: {verdict} "
                f"(90 % interval {bounds(one.equivalence.ci, with_signs=True)})."
            )
    if result.smallest_difference is not None:
        yield (
            "Smallest detectable difference with these sentences: "
            f"{three(result.smallest_difference)}."
        )
    for note in result.notes:
        if note.kind != "depends_on_annotator":
            yield f"{'Warning' if note.is_warning else 'Note'}: {note_without_folders(note.text)}."


def _about(result: Result) -> str:
    metric = title(result.metrics[0], result.signature.beta)
    test = (
        f" Differences to {result.baseline.name} by {metric}; p values of approximate "
        "randomisation, corrected by Holm."
        if result.signature.resamples and len(result.systems) > 1
        else ""
    )
    annotators = len(result.gold.annotators)
    return (
        f"{result.gold.sentences:,} sentences, {annotators} "
        f"{'annotator' if annotators == 1 else 'annotators'}; 95 % intervals by bootstrap over "
        f"sentences.{test} {made_with(result)}."
    )


def _counts(system: System, result: Result) -> tuple[Cell, ...]:
    counts = system.scores[result.metrics[0]].counts
    if counts is None:
        return (Cell(""),) * 5
    return (
        *(Cell(f"{number:,}") for number in (counts.tp, counts.fp, counts.fn)),
        Cell(four(counts.precision)),
        Cell(four(counts.recall)),
    )


def _scores(system: System, result: Result) -> Iterator[Cell]:
    for place, metric in enumerate(result.metrics):
        score = system.scores[metric]
        emphasis: Emphasis = "none"
        if len(result.systems) > 1:
            emphasis = "best" if score.is_best else "like_best" if score.is_like_best else "none"
        yield Cell(four(score.value), emphasis)
        if place == 0:
            yield Cell(bounds(score.ci))


def _test(system: System, result: Result) -> tuple[Cell, ...]:
    one = _against_first(system, result)
    if one is None:
        return Cell("baseline", "quiet"), Cell(""), Cell("")
    return (
        Cell(signed(one.difference), mark=SIGNS[one.mark]),
        Cell(bounds(one.ci, with_signs=True)),
        Cell(p_shown(one.p_holm)),
    )


def _against_first(system: System, result: Result) -> Comparison | None:
    return result.comparison(result.baseline.name, system.name, result.metrics[0])


def _rank(system: System, result: Result) -> Cell:
    ranks = system.scores[result.metrics[0]].ranks
    if ranks is None:
        return Cell("")
    return Cell(f"{ranks.low}" if ranks.low == ranks.high else f"{ranks.low}-{ranks.high}")


def _type(row: TypeRow, result: Result) -> tuple[Cell, ...]:
    gold = f"{row.gold_a}" if row.gold_a == row.gold_b else f"{row.gold_a}-{row.gold_b}"
    emphasis: Emphasis = "none" if row.is_tested else "quiet"
    mark = ""
    if row.q_value is not None and row.q_value < result.signature.alpha:
        mark = SIGNS["better" if row.difference > 0 else "worse"]
    return (
        Cell(row.type, emphasis),
        Cell(gold, emphasis),
        Cell(three(row.counts_a.f_score), emphasis),
        Cell(three(row.counts_b.f_score), emphasis),
        Cell(signed(row.difference, 3), emphasis, mark),
        Cell(bounds(row.ci, with_signs=True), emphasis),
        Cell(p_shown(row.q_value) if row.is_tested else NO_TEST, emphasis),
    )
