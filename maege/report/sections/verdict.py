"""The first screen: the metrics that could be the best at each task, with their uncertainty."""

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from maege.names import in_a_sentence
from maege.report.exhibits import Column, Exhibit, Row, Section, Words, numbered, without
from maege.report.marts import Marts, sql
from maege.report.pictures import PALE, SELF_REFERENCED, Chart, estimates, side_by_side
from maege.report.sections.tasks import NAMED, TaskResult, task_results, without_variants

# The invented corpus, which does not show the quality of metrics.
SAMPLE = "sample"


WHY_UNRANKED = (
    "Metrics that read references are self-referenced on the lattices here and have no rank: the "
    "lattices and the references are by the same annotators, so that each chain ends in a "
    "reference. For sentences with two annotators, mart corpus_comparisons and maege report "
    "--across compare metrics with the other annotator's text as the reference.",
)


@dataclass(frozen=True)
class Panel:
    """An estimate in the picture with its interval, and chance as a value or a range."""

    name: str
    value: str
    low: str
    high: str
    title: str
    chance: float | tuple[str, str]


PANELS = (
    Panel("sentences", "kendall_tau_a", "ci_low", "ci_high", "sentences: tau", 0),
    Panel("corpora", "draws_median", "draws_low", "draws_high", "corpora: rho",
          ("draws_chance_low", "draws_chance_high")),
    Panel("wrong edits", "agreement", "agreement_low", "agreement_high", "wrong edits noticed",
          0.5),
    Panel("judges", "pearson_r", "pearson_ci_low", "pearson_ci_high", "judges: r",
          ("judges_chance_low", "judges_chance_high")),
)  # fmt: skip


def section(marts: Marts) -> Section:
    """Return the sets of metrics that could be the best, and one picture of all metrics."""
    best = marts.ask("best_metrics")
    rows = [
        row for row in marts.ask("verdict") if any(row[panel.value] is not None for panel in PANELS)
    ]
    self_referenced = {row["corpus"] for row in rows if row["no_rank"] == "self-referenced"}
    words, answers = [], []
    for corpus, group in groupby(best, lambda row: row["corpus"]):
        everything = list(group)
        standard = without_variants(everything)
        choices = (
            {"standard": standard, "all": everything} if standard != everything else {"": standard}
        )
        unranked = WHY_UNRANKED if corpus in self_referenced else ()
        for variant, shown in choices.items():
            results = task_results(shown)
            words.append(Words((*_warning(corpus), *_summary(results), *unranked), corpus, variant))
            answers += [result.answer(variant) for result in results]
    _sort(rows, best)
    exhibit = Exhibit(
        "trust",
        "Which metrics can be trusted for what?",
        _description(rows),
        sql("verdict"),
        _columns(rows),
        rows,
        _chart(rows) if rows else None,
        note="Dots with 95 % intervals; for corpora, the range of 95 % of draws. Dashed lines are "
        "chance; grey bands are the range of 95 % of random scores. A tie counts as half. Pale: no "
        "rank, because most pairs have no scores or the metric is self-referenced.",
    )
    name, title = "verdict", "Which metric should I use, and how sure is that?"
    if not words and not rows:
        reason = "No metric has scores at corrections of known quality, or judgments."
        return without(name, title, reason)
    return Section(
        name,
        title,
        tuple(words),
        (exhibit,) if rows else (),
        tuple(answers),
    )


def _warning(corpus: str) -> tuple[str, ...]:
    if corpus != SAMPLE:
        return ()
    return (
        "The sample is small and invented. It shows how this page works, not how good metrics are: "
        "each box states how much data would be needed.",
    )


def _summary(results: list[TaskResult]) -> tuple[str, ...]:
    """Return at how many tasks a metric is best, and which are tied for best at all others."""
    decided = [result for result in results if not result.too_few]
    if not decided:
        return ("There is too little data to compare metrics at any task below.",)
    alone: dict[str, int] = {}
    for result in decided:
        if len(result.best) == 1:
            alone[result.best[0]] = alone.get(result.best[0], 0) + 1
    in_all = {name for name in decided[0].best if all(name in result.best for result in decided)}
    lines = [
        _best_at(name, count, len(decided), is_in_all=name in in_all)
        for name, count in alone.items()
    ]
    tied = [name for name in decided[0].best if name in in_all and name not in alone]
    if tied:
        verb = "is" if len(tied) == 1 else "are"
        lines.append(
            f"{in_a_sentence(tied, NAMED)} {verb} statistically tied for best on all "
            f"{len(decided)}."
        )
    return (
        " ".join(lines) or f"No metric is among the best on all {len(decided)} tasks.",
        "Each box lists every metric that could be the best (95 % confidence). Bars: share of "
        "bootstrap samples in which the metric ranks first.",
    )


def _best_at(name: str, count: int, n_tasks: int, *, is_in_all: bool) -> str:
    lead = f"{name} is the best metric on {count} of {n_tasks} tasks"
    if count == n_tasks or not is_in_all:
        return f"{lead}."
    return f"{lead} and statistically tied for best on the other {n_tasks - count}."


def _panels_in(rows: list[Row]) -> list[Panel]:
    return [panel for panel in PANELS if any(row[panel.value] is not None for row in rows)]


def _sort(rows: list[Row], best: list[Row]) -> None:
    """Put the metrics that come first most often over the tasks first, chance last."""
    shares: dict[tuple[str, str], list[float]] = {}
    for row in best:
        if row["best_share"] is not None:
            shares.setdefault((row["corpus"], row["metric"]), []).append(row["best_share"])

    def sort_key(row: Row) -> tuple[bool, float, str]:
        metric_shares = shares.get((row["corpus"], row["metric"]), [0.0])
        return (
            row["metric_group"] == "chance",
            -sum(metric_shares) / len(metric_shares),
            row["metric"],
        )

    rows.sort(key=sort_key)
    rows.sort(key=itemgetter("corpus"))
    numbered(rows)


def _columns(rows: list[Row]) -> tuple[Column, ...]:
    panels = (Column(p.value, p.name, "value", p.low, p.high) for p in _panels_in(rows))
    return (
        Column("metric", "metric"),
        Column("metric_group", "reads"),
        *panels,
        Column("tied_share", "tied pairs", "value"),
        Column("verdict", "sentences: verdict"),
    )


def _chart(rows: list[Row]) -> Chart:
    return side_by_side(
        *(
            estimates(
                panel.value,
                panel.low,
                panel.high,
                panel.title,
                chance=panel.chance,
                labels=number == 0,
                faint=_FAINT.get(panel.name, SELF_REFERENCED),
            ).properties(name=panel.value)
            for number, panel in enumerate(_panels_in(rows))
        )
    )


# Judgments can have a different reference set.
_FAINT = {"sentences": PALE, "judges": "false"}


def _description(rows: list[Row]) -> str:
    panels = ", ".join(panel.title for panel in _panels_in(rows))
    return (
        "One line per metric, ordered by how often it ranks first. The columns have a dot with its "
        f"interval for each task: {panels}. A dashed line or a grey band is chance. The "
        "table below has the same numbers."
    )
