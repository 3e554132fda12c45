"""Results across corpora and languages, and results for a single language."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import altair as alt
import numpy as np

from maege.analysis.statistics.correlations import concordance
from maege.numbers import format_interval, format_number
from maege.report.exhibits import Choice, Column, Exhibit, Row, Section, Words, without
from maege.report.marts import Marts, sql
from maege.report.pictures import (
    DARK,
    DIVERGING,
    PARTS,
    STEP,
    Chart,
    by_order,
    rows,
    stacked_shares,
)

NAME = "across"
# Measures that are comparable between corpora, with their names.
MEASURES = {
    "standardised_tau": "standardised tau",
    "tau": "tau",
    "over_corrupted": "valid over corrupted",
}
STRATA = {
    "endorsed": "another annotator made the same edit",
    "touched": "another annotator changed the same place differently",
    "untouched": "no other annotator changed the place",
}
# Numbers of sentences from which the order of metrics is reliable, and their levels within 0.05.
ORDERED, LEVELLED = 200, 800
NO_ROWS = (
    "No corpus has two or more annotators. The comparison evaluates metrics with each annotator's "
    "text in turn as the reference for another annotator (mart corpus_comparisons)."
)
# A baseline that is not a useful metric: similarity to the source (Levenshtein distance).
CHANCE = "ld"
PLACES = 3


def sections(marts: Marts) -> list[Section]:
    """Return the sections on all corpora: scores of metrics, and agreement between corpora."""
    records = marts.ask("across")
    title = "Do metrics order corrections alike in every corpus?"
    if not records:
        return [without(NAME, title, NO_ROWS)]
    return [
        Section(NAME, title, (Words(tuple(_consistency(records))),), (_table(records),)),
        Section(
            "strata",
            "Why do levels differ?",
            (Words((_WHY,)),),
            (_shares(records), _strata(records)),
        ),
    ]


def language_sections(marts: Marts, language: str) -> list[Section]:
    """Return the section on a language: its results, their limits, and the table."""
    records = [row for row in marts.ask("across") if row["language"] == language]
    paragraphs = [
        Words(tuple(describe_results(list(corpus_rows))))
        for _, corpus_rows in groupby(records, key=lambda row: row["compared"])
    ]
    title = f"Which metrics are best in {language}?"
    return [Section(NAME, title, tuple(paragraphs), (_table(records), _strata(records)))]


def describe_results(records: Sequence[Row]) -> list[str]:
    """Return sentences about the results of one corpus and their limits."""
    first = records[0]
    corpus, n = first["compared"], max(row["n_sentences"] for row in records)
    sentences = [
        f"In {corpus} ({first['language']}; {n:,} sentences, each with another annotator's text as "
        "the reference): " + "; ".join(_best(records, measure) for measure in MEASURES) + "."
    ]
    source = next((row for row in records if row["metric"] == CHANCE), None)
    if source is not None and source["over_corrupted"] is not None:
        sentences.append(
            f"Similarity to the source alone ({CHANCE}) prefers a valid edit to a corrupted one in "
            f"{format_number(source['over_corrupted'])} of the pairs, so metrics should be "
            "compared with this share, not with 0.5."
        )
    return [*sentences, " ".join(_limits(first, n))]


def _best(records: Sequence[Row], measure: str) -> str:
    ranked = sorted(
        (row for row in records if row[measure] is not None and row["metric"] != CHANCE),
        key=lambda row: (-row[measure], row["metric"]),
    )
    if not ranked:
        return f"no {MEASURES[measure]}, since a stratum has fewer than 200 steps"
    listed = ", ".join(f"{row['metric']} {_estimate(row, measure)}" for row in ranked[:PLACES])
    return f"the best by {MEASURES[measure]} are {listed}"


def _estimate(row: Row, measure: str) -> str:
    ends = format_interval(row[f"{measure}_ci_low"], row[f"{measure}_ci_high"])
    return f"{format_number(row[measure])} {ends}".strip()


def _limits(first: Row, n: int) -> Iterable[str]:
    yield "Limits:"
    if n < ORDERED:
        yield f"with fewer than {ORDERED} sentences, the order of metrics is uncertain;"
    elif n < LEVELLED:
        yield f"with fewer than {LEVELLED} sentences, scores are uncertain by about .05;"
    yield (
        f"{first['identical_share']:.0%} of the annotations equal those of the other annotator, so "
        "that metrics see the correct answer there;"
    )
    yield "tau depends on the agreement of annotators, and no single measure decides which "
    yield "metric is best."


def _consistency(records: Sequence[Row]) -> Iterable[str]:
    for measure, label in MEASURES.items():
        table = _whole_table(records, measure)
        if table is None:
            continue
        metrics, corpora, values = table
        agreed = concordance(values)
        if agreed is None:
            continue
        yield (
            f"By {label}, {len(corpora)} corpora order {len(metrics)} metrics with a Kendall's W "
            f"of {format_number(agreed.w)}; the mean rho of two corpora is "
            f"{format_number(agreed.mean_rho)}."
        )
    yield (
        "To make corpora comparable, each metric sees the text of one other annotator, and the "
        "source is the original. Metrics that see the annotator of the lattice are excluded. "
        f"{CHANCE} is a baseline: similarity to the source."
    )


def _whole_table(
    records: Sequence[Row], measure: str
) -> tuple[list[str], list[str], np.ndarray] | None:
    """Return metrics, corpora and values of all corpora, of the metrics that each of them has."""
    values = {
        (row["compared"], row["metric"]): row[measure]
        for row in records
        if row[measure] is not None and row["metric"] != CHANCE
    }
    corpora = sorted({corpus for corpus, _ in values})
    metrics = sorted({name for _, name in values})
    metrics = [name for name in metrics if all((corpus, name) in values for corpus in corpora)]
    if not metrics or not corpora:
        return None
    return metrics, corpora, np.array([[values[c, m] for m in metrics] for c in corpora])


def _table(records: Sequence[Row]) -> Exhibit:
    order = {name: place for place, name in enumerate(_by_mean(records))}
    shown = [
        {
            "metric": row["metric"],
            "variant": row["variant"],
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
        for row in records
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
        column_width=34,
        note="Standardised tau: the mean of tau over the three kinds of edits: another annotator "
        "made the same edit, changed the place differently, or did not change it. Each kind needs "
        "200 edits. Valid over corrupted: chance is 0.5.",
    )


def _by_mean(records: Sequence[Row]) -> list[str]:
    means: dict[str, list[float]] = {}
    for row in records:
        value = row["standardised_tau"]
        means.setdefault(row["metric"], []).append(row["tau"] if value is None else value)
    return sorted(means, key=lambda name: (-float(np.mean(means[name])), name))


def _strata(records: Sequence[Row]) -> Exhibit:
    order = {name: place for place, name in enumerate(_by_mean(records))}
    shown = [
        {
            "metric": row["metric"],
            "variant": row["variant"],
            "compared": row["compared"],
            "stratum": stratum,
            "value": row[f"{stratum}_tau"],
            "shade": row[f"{stratum}_tau"],
            "order": order[row["metric"]],
        }
        for stratum in STRATA
        for row in records
        if row[f"{stratum}_tau"] is not None
    ]
    shown.sort(key=lambda row: (row["stratum"], row["order"], row["compared"]))
    return Exhibit(
        "across-strata",
        "How do metrics score edits that other annotators made, changed or did not make?",
        "The same grid for one kind of edits: the reference has the same edit, another edit at "
        "the place, or no edit there.",
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
        column_width=34,
        note="; ".join(f"{name}: {meaning}" for name, meaning in STRATA.items()) + ".",
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
    numbers = base.mark_text(fontSize=10, color=DARK).encode(text=alt.Text("value:Q", format=".2f"))
    return alt.layer(shades, numbers).properties(height=alt.Step(STEP))


_WHY = (
    "Within each of the three kinds of edits, a metric has a similar tau in every corpus. The "
    "shares of the kinds depend on the agreement of annotators and differ between corpora, and so "
    "does tau. Standardised tau weights the three kinds equally and does not depend on the shares."
)


def _shares(records: Sequence[Row]) -> Exhibit:
    row_by_corpus = {row["compared"]: row for row in records if row["endorsed_share"] is not None}
    shown = [
        {
            "compared": corpus,
            "language": row["language"],
            "stratum": stratum,
            "part": part,
            "share": row[f"{stratum}_share"],
            "n_edits": row["n_edits"],
            "n_sentences": row["n_sentences"],
            "order": place,
        }
        for place, (corpus, row) in enumerate(row_by_corpus.items())
        for part, stratum in enumerate(STRATA)
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
    chart = stacked_shares(base, "stratum", colours, order="part:O")
    return Exhibit(
        "across-shares",
        "How often do annotators agree?",
        "One bar per corpus: the shares of edits that another annotator made, too, whose place "
        "another annotator changed differently, and whose place no other annotator changed.",
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
