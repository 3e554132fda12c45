"""What holds across corpora and languages, and what is known of metrics in one of them."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import altair as alt
import numpy as np

from maege.analysis.statistics.correlations import concordance
from maege.numbers import format_interval, format_number
from maege.report.exhibits import Choice, Column, Exhibit, Row, Section, Words, without
from maege.report.marts import Marts, sql
from maege.report.pictures import DIVERGING, PARTS, STEP, Chart, by_order, rows, stacked_shares

NAME = "across"
# What compares corpora, with what it is called.
MEASURES = {
    "standardised_tau": "standardised tau",
    "tau": "tau",
    "over_corrupted": "valid over corrupted",
}
STRATA = {
    "endorsed": "another annotator made the very edit",
    "touched": "another changed the place otherwise",
    "untouched": "nobody else changed anything there",
}
# From so many sentences on the order of metrics is known, and levels to within .05.
ORDERED, LEVELLED = 200, 800
NO_ROWS = (
    "No corpus can be compared: its annotators must be two or more, for each is left out in turn "
    "(mart corpus_comparisons)."
)
# What likeness to the source gets: no metric anybody would take.
CHANCE = "ld"
PLACES = 3


def sections(marts: Marts) -> list[Section]:
    """Return the page of all corpora: their table, how alike they order metrics, and why not."""
    found = marts.ask("across")
    title = "Do metrics order corrections alike in every corpus?"
    if not found:
        return [without(NAME, title, NO_ROWS)]
    return [
        Section(NAME, title, (Words(tuple(_consistency(found))),), (_table(found),)),
        Section(
            "strata",
            "Why do levels differ?",
            (Words((_WHY,)),),
            (_shares(found), _strata(found)),
        ),
    ]


def language_sections(marts: Marts, language: str) -> list[Section]:
    """Return the page of a language: what is known there, its limits, and the table."""
    found = [row for row in marts.ask("across") if row["language"] == language]
    paragraphs = [
        Words(tuple(known(list(of_corpus))))
        for _, of_corpus in groupby(found, key=lambda row: row["compared"])
    ]
    title = f"What is known about metrics in {language}?"
    return [Section(NAME, title, tuple(paragraphs), (_table(found), _strata(found)))]


def known(found: Sequence[Row]) -> list[str]:
    """Return what the rows of one corpus say, and what they do not."""
    first = found[0]
    corpus, n = first["compared"], max(row["n_sentences"] for row in found)
    said = [
        f"In {corpus} ({first['language']}; {n:,} sentences, each beside one other annotator): "
        + "; ".join(_best(found, measure) for measure in MEASURES)
        + "."
    ]
    source = next((row for row in found if row["metric"] == CHANCE), None)
    if source is not None and source["over_corrupted"] is not None:
        said.append(
            f"Likeness to the source alone ({CHANCE}) prefers a valid edit to a corrupted one in "
            f"{format_number(source['over_corrupted'])}: that is the bar for metrics, not .5."
        )
    return [*said, " ".join(_limits(first, n))]


def _best(found: Sequence[Row], measure: str) -> str:
    ranked = sorted(
        (row for row in found if row[measure] is not None and row["metric"] != CHANCE),
        key=lambda row: (-row[measure], row["metric"]),
    )
    if not ranked:
        return f"no {MEASURES[measure]}, since a stratum has fewer than 200 steps"
    listed = ", ".join(f"{row['metric']} {_estimate(row, measure)}" for row in ranked[:PLACES])
    return f"by {MEASURES[measure]} {listed} lead"


def _estimate(row: Row, measure: str) -> str:
    ends = format_interval(row[f"{measure}_ci_low"], row[f"{measure}_ci_high"])
    return f"{format_number(row[measure])} {ends}".strip()


def _limits(first: Row, n: int) -> Iterable[str]:
    yield "Limits:"
    if n < ORDERED:
        yield f"fewer than {ORDERED} sentences do not settle the order of metrics;"
    elif n < LEVELLED:
        yield f"fewer than {LEVELLED} sentences leave levels open by some .05;"
    yield (
        f"{first['identical_share']:.0%} of the annotations equal the other annotator's, and are "
        "self-referenced by accident;"
    )
    yield "levels of tau follow how annotators agree, and no column alone crowns a metric."


def _consistency(found: Sequence[Row]) -> Iterable[str]:
    for measure, label in MEASURES.items():
        table = _whole_table(found, measure)
        if table is None:
            continue
        metrics, corpora, values = table
        agreed = concordance(values)
        if agreed is None:
            continue
        yield (
            f"By {label}, {len(corpora)} corpora order {len(metrics)} metrics with a Kendall's W "
            f"of {format_number(agreed.w)}; two of them have a mean rho of "
            f"{format_number(agreed.mean_rho)}."
        )
    yield (
        "Each metric sees the text of one other annotator, and the source is the original: only so "
        "are corpora comparable. Metrics that see the lattice's own annotator are left out; "
        f"{CHANCE}, likeness to the source, shows what that alone gets."
    )


def _whole_table(
    found: Sequence[Row], measure: str
) -> tuple[list[str], list[str], np.ndarray] | None:
    """Return metrics, corpora and values of all corpora, of the metrics that each of them has."""
    values = {
        (row["compared"], row["metric"]): row[measure]
        for row in found
        if row[measure] is not None and row["metric"] != CHANCE
    }
    corpora = sorted({corpus for corpus, _ in values})
    metrics = sorted({name for _, name in values})
    metrics = [name for name in metrics if all((corpus, name) in values for corpus in corpora)]
    if not metrics or not corpora:
        return None
    return metrics, corpora, np.array([[values[c, m] for m in metrics] for c in corpora])


def _table(found: Sequence[Row]) -> Exhibit:
    order = {name: place for place, name in enumerate(_by_mean(found))}
    shown = [
        {
            "metric": row["metric"],
            "compared": row["compared"],
            "language": row["language"],
            "measure": label,
            "value": row[measure],
            # From -1, all against it, to 1; a share of .5 is 0.
            "shade": 2 * row[measure] - 1 if measure == "over_corrupted" else row[measure],
            "ci_low": row[f"{measure}_ci_low"],
            "ci_high": row[f"{measure}_ci_high"],
            "n_sentences": row["n_sentences"],
            "order": order[row["metric"]],
        }
        for measure, label in MEASURES.items()
        for row in found
        if row[measure] is not None
    ]
    shown.sort(key=lambda row: (row["measure"], row["order"], row["compared"]))
    labels = tuple(
        label for label in MEASURES.values() if any(r["measure"] == label for r in shown)
    )
    return Exhibit(
        "across-metrics",
        "Which metrics order corrections, corpus by corpus?",
        "A grid of metrics by corpora: the bluer a field, the more the metric agrees with the "
        "order of corrections there; orange where it contradicts.",
        sql("across"),
        (
            Column("metric", "metric"),
            Column("compared", "corpus"),
            Column("language", "language"),
            Column("measure", "measure"),
            Column("value", "value", "value", "ci_low", "ci_high"),
            Column("n_sentences", "sentences", "count"),
        ),
        shown,
        _grid(),
        (Choice("measure", "Measure", labels, labels[0]),),
        across="compared",
        note="Standardised tau: the mean of the taus of steps that another annotator made, too, "
        "changed otherwise, and left alone, where each has 200. Chance of valid over corrupted is "
        ".5.",
    )


def _by_mean(found: Sequence[Row]) -> list[str]:
    """Return the metrics, the one with the highest mean over corpora first."""
    means: dict[str, list[float]] = {}
    for row in found:
        value = row["standardised_tau"]
        means.setdefault(row["metric"], []).append(row["tau"] if value is None else value)
    return sorted(means, key=lambda name: (-float(np.mean(means[name])), name))


def _strata(found: Sequence[Row]) -> Exhibit:
    order = {name: place for place, name in enumerate(_by_mean(found))}
    shown = [
        {
            "metric": row["metric"],
            "compared": row["compared"],
            "stratum": stratum,
            "value": row[f"{stratum}_tau"],
            "shade": row[f"{stratum}_tau"],
            "order": order[row["metric"]],
        }
        for stratum in STRATA
        for row in found
        if row[f"{stratum}_tau"] is not None
    ]
    shown.sort(key=lambda row: (row["stratum"], row["order"], row["compared"]))
    return Exhibit(
        "across-strata",
        "What does a metric make of an edit that others made, changed or left alone?",
        "The same grid for the steps of one kind: that a reference has, changes otherwise or "
        "leaves alone.",
        sql("across"),
        (
            Column("metric", "metric"),
            Column("compared", "corpus"),
            Column("stratum", "steps"),
            Column("value", "tau", "value"),
        ),
        shown,
        _grid(),
        (Choice("stratum", "Steps", tuple(STRATA), "touched"),),
        across="compared",
        note="; ".join(f"{name}: {said}" for name, said in STRATA.items()) + ".",
    )


def _grid() -> Chart:
    base = alt.Chart(rows()).encode(
        x=alt.X("compared:N", title=None, axis=alt.Axis(labelAngle=-60, labelLimit=220)),
        y=alt.Y("metric:N", sort=by_order(), title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=["metric:N", "compared:N", alt.Tooltip("value:Q", format=".2f")],
    )
    shades = base.mark_rect().encode(
        color=alt.Color(
            "shade:Q",
            title=None,
            scale=alt.Scale(domain=[-1, 1], range=DIVERGING),
            legend=alt.Legend(orient="top"),
        ),
    )
    # Dark on pale fields, white on those that are dark in any theme.
    ink = alt.when("abs(datum.shade) > .6").then(alt.value("white")).otherwise(alt.value("#1c2126"))
    numbers = base.mark_text(fontSize=10).encode(text=alt.Text("value:Q", format=".2f"), color=ink)
    return alt.layer(shades, numbers).properties(height=alt.Step(STEP))


_WHY = (
    "In each of the three kinds of steps a metric is much the same in every corpus. How many steps "
    "are of which kind is how annotators agree, and that differs: so levels of tau differ, and "
    "standardised tau, their mean with equal weights, does not hang on it."
)


def _shares(found: Sequence[Row]) -> Exhibit:
    one = {row["compared"]: row for row in found if row["endorsed_share"] is not None}
    shown = [
        {
            "compared": corpus,
            "language": row["language"],
            "stratum": stratum,
            "share": row[f"{stratum}_share"],
            "n_edits": row["n_edits"],
            "n_sentences": row["n_sentences"],
            "order": place,
        }
        for place, (corpus, row) in enumerate(one.items())
        for stratum in STRATA
    ]
    base = alt.Chart(rows()).encode(
        x=alt.X(
            "share:Q",
            title="share of edits",
            axis=alt.Axis(format="%"),
            scale=alt.Scale(domain=[0, 1]),
        ),
        y=alt.Y("compared:N", sort=by_order(), title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=["compared:N", "stratum:N", alt.Tooltip("share:Q", format=".1%")],
    )
    colours = dict(zip(STRATA, PARTS, strict=True))
    chart = stacked_shares(base, "stratum", colours)
    return Exhibit(
        "across-shares",
        "How often do annotators agree?",
        "One bar a corpus: the shares of edits that another annotator made, too, whose place "
        "another changed otherwise, and that nobody else touched.",
        sql("across"),
        (
            Column("compared", "corpus"),
            Column("language", "language"),
            Column("stratum", "edits"),
            Column("share", "share", "share"),
            Column("n_edits", "edits in all", "count"),
            Column("n_sentences", "sentences", "count"),
        ),
        shown,
        chart,
        labels="compared",
    )
