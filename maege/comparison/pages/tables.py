"""The tables of a comparison, as every output format shows them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from maege.analysis.compare.results import Comparison, Result, Score, System, TypeRow
from maege.comparison.numbers import (
    ERRANT,
    LISTS,
    SIGNS,
    bounds,
    format_f,
    metric_name,
    provenance,
    title,
    type_mark,
)
from maege.numbers import MINUS, format_number, format_p, format_signed
from maege.page_texts import note_without_folders

CORRECTED = (
    "An interval may exclude 0 although the test is not significant: the two are computed by "
    "different methods, and only the p-value is corrected for the number of tests."
)

Emphasis = Literal["none", "best", "like_best", "quiet"]


class Cell(NamedTuple):
    """The text of a cell; `mark` is the result of a test.

    `type` is an error type; in an HTML page the cell links to the sentences with this type.
    """

    text: str
    emphasis: Emphasis = "none"
    mark: str = ""
    type: str = ""


@dataclass(frozen=True)
class Table:
    """A table: its caption, its columns, of which the first `n_words` hold words, and its rows.

    A line is drawn before the rows whose positions are in `breaks`.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_words: int = 1
    breaks: frozenset[int] = frozenset()


def table(
    caption: str,
    columns: Iterable[str],
    rows: Iterable[Iterable[Any]],
    n_words: int = 1,
    breaks: Iterable[int] = (),
) -> Table:
    cells = (tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
    return Table(caption, tuple(columns), tuple(cells), n_words, frozenset(breaks))


def ordered(result: Result) -> list[System]:
    """Return the systems by descending score of ERRANT; ties keep their order."""
    return sorted(result.systems, key=lambda system: -system.scores[ERRANT].value)


def pairs(result: Result) -> list[tuple[str, str]]:
    """Return the pairs of systems whose types and edits were compared."""
    return [(totals.a, totals.b) for totals in result.totals]


def score_table(result: Result) -> Table:
    """Return a row per system: counts, scores, intervals, and ERRANT's test against the first."""
    counts, tests = count_table(result, result.metrics), test_table(result)
    rows = ([*first, *second[1:]] for first, second in zip(counts.rows, tests.rows, strict=True))
    return table(_about(result), [*counts.columns, *tests.columns[1:]], rows)


def count_table(result: Result, metrics: Sequence[str]) -> Table:
    """Return a row for each system: scores by these metrics, of ERRANT with counts and interval."""
    columns, rows = ["system"], [[Cell(system.name)] for system in ordered(result)]
    for metric in metrics:
        name = title(metric, result.signature.beta)
        is_counted = metric == ERRANT
        columns += ["TP", "FP", "FN", "P", "R", name, "95 % CI"] if is_counted else [name]
        for row, system in zip(rows, ordered(result), strict=True):
            score = system.scores[metric]
            cell = _score_cell(score, result)
            row += [*_counts(score), cell, Cell(bounds(score.ci))] if is_counted else [cell]
    return table("", columns, rows)


def test_table(result: Result) -> Table:
    """Return a row for each system: the test against the first, and the range of ranks."""
    base = result.baseline.name
    has_ranks = any(system.scores[ERRANT].ranks for system in result.systems)
    columns, rows = ["system"], [[Cell(system.name)] for system in ordered(result)]
    if len(result.systems) > 1:
        columns += [f"{MINUS} {base}", "95 % CI", "p Holm"]
        for row in rows:
            row += _test(result.comparison(base, row[0].text, ERRANT))
    if has_ranks:
        columns.append("rank")
        for row, system in zip(rows, ordered(result), strict=True):
            ranks = system.scores[ERRANT].ranks
            row.append(Cell("" if ranks is None else rank_range(ranks.low, ranks.high)))
    return table("", columns, rows)


def difference_table(result: Result) -> Table:
    """Return the second system's differences by metric, and ERRANT's with each annotator."""
    a, b = (system.name for system in result.systems)
    rows = []
    for comparison in result.comparisons:
        first, second = (system.scores[comparison.metric].counts for system in result.systems)
        shares = ["", ""]
        if comparison.metric == ERRANT and first is not None and second is not None:
            shares = [
                format_signed(second.precision - first.precision),
                format_signed(second.recall - first.recall),
            ]
        name = title(comparison.metric, result.signature.beta)
        rows.append([name, *shares, *_test(comparison)])
        rows += (
            [
                f"annotator {by.id} alone",
                "",
                "",
                format_signed(by.difference),
                "",
                format_p(by.p_value),
            ]
            for by in comparison.by_annotator
        )
    return table("", (f"{b} {MINUS} {a}", "P", "R", "score", "95 % CI", "p"), rows)


def type_table(
    result: Result, a: str, b: str, most: int | None = None, *, with_intervals: bool = True
) -> Table | None:
    """Return error types of a pair, the most important first; with `most` only tested types."""
    rows = result.types_of(a, b)
    if not rows:
        return None
    type_source = "types of the gold file" if result.gold.types == "given" else "ERRANT's"
    tested = [row for row in rows if row.is_tested]
    shown = rows if most is None else tested[:most]
    alpha = result.signature.alpha
    caption = (
        f"{b} against {a} by error type ({type_source}). {len(tested)} of {len(rows)} types have "
        "enough edits for a test. q: corrected for all tested types (Benjamini and Hochberg)."
    )
    untied = [row.ci for row in shown if row.is_tested and not type_mark(row, alpha)]
    if with_intervals and any(ci is not None and excludes_zero(*ci) for ci in untied):
        caption += f" {CORRECTED}"
    # Gold edits of the annotator who was chosen for a system's sentences.
    one_gold = all(row.gold_a == row.gold_b for row in rows)
    golds = ["gold"] if one_gold else [f"gold {a}", f"gold {b}"]
    columns = ["type", golds[0], f"F {a}", *golds[1:], f"F {b}", "difference", "95 % CI", "q"]
    cells = [list(_type(row, alpha, one_gold=one_gold)) for row in shown]
    if not with_intervals:
        del columns[-2]
        for row in cells:
            del row[-2]
    return table(caption, columns, cells)


def excludes_zero(low: float | None, high: float | None) -> bool:
    """Whether 0 is outside the interval; an interval without bounds has all numbers."""
    return low is not None and high is not None and not low <= 0 <= high


def needs_explanation(comparison: Comparison | None) -> bool:
    return (
        comparison is not None
        and comparison.mark == "equal"
        and comparison.ci is not None
        and excludes_zero(*comparison.ci)
    )


def totals_table(result: Result) -> Table | None:
    """Return how many edits each system gained and lost against the first; None for one system."""
    if not result.totals:
        return None
    rows = ((total.b, *(f"{getattr(total, name):,}" for name in LISTS)) for total in result.totals)
    caption = (
        f"Edits that a system has and {result.baseline.name} lacks, and the reverse. An edit is "
        "right if any annotator has it; TP and FP count the annotator chosen for each sentence."
    )
    return table(caption, ("system", *LISTS.values()), rows)


def remarks(result: Result, *, with_folders: bool = False) -> Iterator[str]:
    for comparison in result.comparisons:
        if (equivalence := comparison.equivalence) is not None:
            verdict = "equivalent" if equivalence.is_equivalent else "not shown to be"
            name = metric_name(comparison.metric, result.signature.beta)
            yield (
                f"{comparison.b} and {comparison.a} within {equivalence.margin:g} by {name}: "
                f"{verdict} (90 % interval {bounds(equivalence.ci, with_signs=True)})."
            )
    for note in result.notes:
        if note.kind != "depends_on_annotator":
            text = note.text if with_folders else note_without_folders(note.text)
            yield f"{'Warning' if note.is_warning else 'Note'}: {text}."


def _about(result: Result) -> str:
    base, annotators = result.baseline.name, len(result.gold.annotators)
    name = title(ERRANT, result.signature.beta)
    test = (
        f" Differences to {base} by {name}; p values of approximate randomisation, corrected by "
        "Holm."
        if result.signature.resamples and len(result.systems) > 1
        else ""
    )
    if any(
        needs_explanation(result.comparison(base, system.name, ERRANT)) for system in result.systems
    ):
        test += f" {CORRECTED}"
    return (
        f"{result.gold.sentences:,} sentences, {annotators} "
        f"{'annotator' if annotators == 1 else 'annotators'}; 95 % confidence intervals by "
        f"bootstrap over sentences.{test} {provenance(result)}."
    )


def _counts(score: Score) -> list[Cell]:
    if score.counts is None:
        return []
    tp, fp, fn, precision, recall, _ = score.counts
    numbers = (f"{tp:,}", f"{fp:,}", f"{fn:,}", format_f(precision), format_f(recall))
    return [*map(Cell, numbers)]


def _score_cell(score: Score, result: Result) -> Cell:
    emphasis: Emphasis = "none"
    if len(result.systems) > 1:
        emphasis = "best" if score.is_best else "like_best" if score.is_like_best else "none"
    return Cell(format_f(score.value), emphasis)


def _test(comparison: Comparison | None) -> list[Cell]:
    if comparison is None:
        return [Cell("baseline", "quiet"), Cell(""), Cell("")]
    return [
        Cell(format_signed(comparison.difference), mark=SIGNS[comparison.mark]),
        Cell(bounds(comparison.ci, with_signs=True)),
        Cell(format_p(comparison.p_holm)),
    ]


def rank_range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"


def _type(row: TypeRow, alpha: float, *, one_gold: bool) -> Iterator[Cell]:
    emphasis: Emphasis = "none" if row.is_tested else "quiet"
    yield Cell(row.type, emphasis, type=row.type)
    yield Cell(f"{row.gold_a}", emphasis)
    yield Cell(format_number(row.counts_a.f_score, 3), emphasis)
    if not one_gold:
        yield Cell(f"{row.gold_b}", emphasis)
    yield Cell(format_number(row.counts_b.f_score, 3), emphasis)
    yield Cell(format_signed(row.difference), emphasis, type_mark(row, alpha))
    yield Cell(bounds(row.ci, with_signs=True), emphasis)
    yield Cell(format_p(row.q_value) if row.is_tested else "too few to test", emphasis)
