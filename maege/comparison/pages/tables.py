"""The two tables of a comparison, scores and error types, as every page shows them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from maege.analysis.compare.results import Comparison, Result, System, TypeRow
from maege.comparison.numbers import LISTS, SIGNS, bounds, format_f, provenance, title, type_mark
from maege.numbers import MINUS, format_number, format_p, format_signed
from maege.page_texts import note_without_folders

ERRANT = "errant"
NO_TEST = "too few to test"
CORRECTED = (
    "An interval may exclude 0 although the test is not significant: the two are computed by "
    "different methods, and only the p-value is corrected for the number of tests."
)

Emphasis = Literal["none", "best", "like_best", "quiet"]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Cell:
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
    n_words: int
    rows: tuple[tuple[Cell, ...], ...]
    breaks: frozenset[int] = frozenset()


def ordered(result: Result) -> list[System]:
    """Return the systems by descending score of the first metric; ties keep their order."""
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
        "95 % CI",
        *heads[1:],
        *((f"{MINUS} {result.baseline.name}", "95 % CI", "p Holm") if is_tested else ()),
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
    """Return a row per error type of a pair, the most important first; None without types."""
    rows = result.types_of(a, b)
    if not rows:
        return None
    type_source = "types of the gold file" if result.gold.types == "given" else "ERRANT's"
    tested = sum(row.is_tested for row in rows)
    shown = rows if most is None else [row for row in rows if row.is_tested][:most]
    alpha = result.signature.alpha
    caption = (
        f"{b} against {a} by error type ({type_source}). {tested} of {len(rows)} types have enough "
        "edits for a test. q: corrected for all tested types (Benjamini and Hochberg)."
    )
    if any(
        row.ci is not None
        and excludes_zero(*row.ci)
        and row.is_tested
        and not type_mark(row, alpha)
        for row in shown
    ):
        caption += f" {CORRECTED}"
    # Gold edits of the annotator who was chosen for a system's sentences.
    one_gold = all(row.gold_a == row.gold_b for row in rows)
    golds = ("gold", "") if one_gold else (f"gold {a}", f"gold {b}")
    columns = ("type", golds[0], f"F {a}", golds[1], f"F {b}", "difference", "95 % CI", "q")
    cells = (_type(row, alpha) for row in shown)
    if not one_gold:
        return Table(caption, columns, 1, tuple(cells))
    return Table(caption, _without(columns, 3), 1, tuple(_without(row, 3) for row in cells))


def excludes_zero(low: float | None, high: float | None) -> bool:
    """Whether 0 is outside the interval; an interval without bounds has all numbers."""
    return low is not None and high is not None and not low <= 0 <= high


def needs_explanation(comparison: Comparison | None) -> bool:
    """Whether the interval excludes 0 and the test is not significant."""
    return (
        comparison is not None
        and comparison.mark == "equal"
        and comparison.ci is not None
        and excludes_zero(*comparison.ci)
    )


def _without(row: tuple[Item, ...], place: int) -> tuple[Item, ...]:
    return row[:place] + row[place + 1 :]


def totals_table(result: Result) -> Table | None:
    """Return how many edits each system gained and lost, compared with the first system.

    None if there is only one system.
    """
    if not result.totals:
        return None
    rows = tuple(
        (
            Cell(total.b),
            *(
                Cell(f"{number:,}")
                for number in (total.gained, total.lost, total.new_false, total.false_gone)
            ),
        )
        for total in result.totals
    )
    caption = (
        f"Edits that a system has and {result.baseline.name} lacks, and the reverse. An edit is "
        "right if any annotator has it; TP and FP count the annotator chosen for each sentence."
    )
    return Table(caption, ("system", *LISTS.values()), 1, rows)


def remarks(result: Result) -> Iterator[str]:
    """Yield notes and warnings, one sentence each."""
    for comparison in result.comparisons:
        if (equivalence := comparison.equivalence) is not None:
            verdict = "equivalent" if equivalence.is_equivalent else "not shown to be"
            yield (
                f"{comparison.b} and {comparison.a} within {equivalence.margin:g}: {verdict} "
                f"(90 % interval {bounds(equivalence.ci, with_signs=True)})."
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
    tests = [
        result.comparison(result.baseline.name, system.name, result.metrics[0])
        for system in result.systems[1:]
    ]
    if any(map(needs_explanation, tests)):
        test += f" {CORRECTED}"
    return (
        f"{result.gold.sentences:,} sentences, {annotators} "
        f"{'annotator' if annotators == 1 else 'annotators'}; 95 % confidence intervals by "
        f"bootstrap over sentences.{test} {provenance(result)}."
    )


def _counts(system: System, result: Result) -> tuple[Cell, ...]:
    counts = system.scores[result.metrics[0]].counts
    if counts is None:
        return (Cell(""),) * 5
    return (
        *(Cell(f"{number:,}") for number in (counts.tp, counts.fp, counts.fn)),
        Cell(format_f(counts.precision)),
        Cell(format_f(counts.recall)),
    )


def _scores(system: System, result: Result) -> Iterator[Cell]:
    for place, metric in enumerate(result.metrics):
        score = system.scores[metric]
        emphasis: Emphasis = "none"
        if len(result.systems) > 1:
            emphasis = "best" if score.is_best else "like_best" if score.is_like_best else "none"
        yield Cell(format_f(score.value), emphasis)
        if place == 0:
            yield Cell(bounds(score.ci))


def _test(system: System, result: Result) -> tuple[Cell, ...]:
    comparison = result.comparison(result.baseline.name, system.name, result.metrics[0])
    if comparison is None:
        return Cell("baseline", "quiet"), Cell(""), Cell("")
    return (
        Cell(format_signed(comparison.difference), mark=SIGNS[comparison.mark]),
        Cell(bounds(comparison.ci, with_signs=True)),
        Cell(format_p(comparison.p_holm)),
    )


def _rank(system: System, result: Result) -> Cell:
    ranks = system.scores[result.metrics[0]].ranks
    return Cell("" if ranks is None else rank_range(ranks.low, ranks.high))


def rank_range(low: int, high: int) -> str:
    """Return the range of ranks of a system, such as 2–4."""
    return f"{low}" if low == high else f"{low}–{high}"


def _type(row: TypeRow, alpha: float) -> tuple[Cell, ...]:
    emphasis: Emphasis = "none" if row.is_tested else "quiet"
    return (
        Cell(row.type, emphasis, type=row.type),
        Cell(f"{row.gold_a}", emphasis),
        Cell(format_number(row.counts_a.f_score, 3), emphasis),
        Cell(f"{row.gold_b}", emphasis),
        Cell(format_number(row.counts_b.f_score, 3), emphasis),
        Cell(format_signed(row.difference), emphasis, type_mark(row, alpha)),
        Cell(bounds(row.ci, with_signs=True), emphasis),
        Cell(format_p(row.q_value) if row.is_tested else NO_TEST, emphasis),
    )
