"""Scores of systems with intervals, compared with artificial outputs."""

import altair as alt

from maege.numbers import format_score
from maege.report.exhibits import Choice, Column, Exhibit, Section, numbered, without
from maege.report.marts import Marts, sql
from maege.report.pictures import DARK, DIVERGING, STEP, by_order, named_axis, rows

ADVERSARIAL = {
    "source": "the source copied",
    "empty": "nothing at all",
    "constant": "one constant sentence",
    "shuffled": "words shuffled",
    "doubled_word": "a word doubled",
    "injected_prompt": "a prompt injected",
    "other_reference": "another's reference",
}


def sections(marts: Marts) -> list[Section]:
    """Return the sections on systems, annotators and artificial outputs."""
    return [_systems(marts), _annotators(marts), _adversarial(marts)]


def _systems(marts: Marts) -> Section:
    name, title = "systems", "Which system is best, and is it significant?"
    records = numbered(marts.dwell(marts.ask("systems")))
    if not records:
        return without(name, title, "No corpus has outputs of systems that are scored.")
    metrics = tuple(sorted({row["metric"] for row in records}))
    for row in records:
        row["shown"] = format_score(row["corpus_score"], 3)
    usual = (*marts.scope.metrics, "errant")
    default = next((metric for metric in usual if metric in metrics), marts.metric(list(metrics)))
    base = alt.Chart(rows()).encode(y=named_axis("system", "rank"))
    chart = alt.layer(
        base.mark_rule(strokeWidth=2, color="#2b7bba").encode(
            x=alt.X("ci_low:Q", title="score, with 95 % interval", scale=alt.Scale(zero=False)),
            x2="ci_high:Q",
        ),
        base.mark_point(filled=True, size=55, color="#2b7bba").encode(
            x="corpus_score:Q",
            tooltip=[
                "system:N",
                alt.Tooltip("corpus_score:Q", format=".3f"),
                "rank:Q",
                "rank_low:Q",
                "rank_high:Q",
            ],
        ),
        base.mark_text(align="left", dx=6, fontSize=10).encode(
            x=alt.value("width"), text="shown:N"
        ),
    ).properties(height=alt.Step(STEP))
    exhibit = Exhibit(
        name,
        "Which systems does a metric put first?",
        "One line per system, the best first: its score as a dot with its interval.",
        sql("systems"),
        (
            Column("system", "system"),
            Column("rank", "rank", "count"),
            Column("rank_low", "from", "count"),
            Column("rank_high", "to", "count"),
            Column("corpus_score", "score", "score", "ci_low", "ci_high"),
            Column("metric", "metric"),
            Column("reference_set", "references"),
        ),
        records,
        chart,
        (Choice("metric", "Metric", metrics, default),),
        labels="system",
        note="95 % bootstrap intervals over sentences. Overlapping intervals do not mean that two "
        "systems are tied. From and to: the ranks that the paired tests against all other systems "
        "allow (Holm). A page to publish, with all tests: maege leaderboard CORPUS.",
    )
    return Section(name, title, exhibits=(exhibit,))


def _annotators(marts: Marts) -> Section:
    name, title = "annotators", "How do annotators differ?"
    records = marts.ask("annotators")
    if not records:
        return without(name, title, "No annotator's edits are ingested.")
    exhibit = Exhibit(
        "annotators-list",
        "How much does each annotator correct?",
        "A table of annotators with their numbers of sentences and of corrections.",
        sql("annotators"),
        (
            Column("annotation_set", "annotation set"),
            Column("annotator", "annotator"),
            Column("n_asked", "sentences", "count"),
            Column("n_silent", "without an annotation", "count"),
            Column("n_corrections", "corrections", "count"),
            Column("corrections_per_sentence", "corrections per sentence", "value"),
        ),
        records,
        is_open=True,
        note="Scores of each system with one annotator alone: maege leaderboard CORPUS.",
    )
    return Section(name, title, exhibits=(exhibit,))


def _adversarial(marts: Marts) -> Section:
    name, title = "adversarial", "What fools it?"
    records = numbered(marts.ask("adversarial"))
    if not records:
        return without(name, title, "No artificial outputs: variable adversarial_references.")
    for row in records:
        row["made"] = ADVERSARIAL.get(row["system"], row["system"])
        row["order"] = (
            list(ADVERSARIAL).index(row["system"])
            if row["system"] in ADVERSARIAL
            else len(ADVERSARIAL)
        )
    sets = tuple(sorted({row["reference_set"] for row in records}))
    base = alt.Chart(rows()).encode(
        x=alt.X(
            "made:N",
            sort=by_order(),
            title=None,
            axis=alt.Axis(labelAngle=-40, labelLimit=140, ticks=False, domain=False),
        ),
        y=alt.Y(
            "metric:N",
            sort=alt.EncodingSortField("n_beaten", op="sum", order="descending"),
            title=None,
            axis=alt.Axis(ticks=False, domain=False, labelLimit=220),
        ),
        tooltip=["metric:N", "made:N", "n_beaten:Q", "n_systems:Q"],
    )
    fields = base.mark_rect().encode(
        color=alt.Color(
            "beaten_share:Q",
            title="systems beaten",
            scale=alt.Scale(domain=[0, 0.5, 1], range=[DIVERGING[2], "#e9a878", "#d9772f"]),
            legend=alt.Legend(orient="top", format="%", gradientLength=160),
        ),
    )
    counts = base.mark_text(fontSize=10, color=DARK).encode(text="n_beaten:Q")
    chart = alt.layer(fields, counts).properties(height=alt.Step(STEP))
    first = marts.scope.first
    default = next((row["reference_set"] for row in records if row["corpus"] == first), sets[0])
    exhibit = Exhibit(
        name,
        "How many real systems do useless artificial outputs beat?",
        "A grid of metrics and artificial outputs: the darker, the more real systems the output "
        "beats.",
        sql("adversarial"),
        (
            Column("metric", "metric"),
            Column("made", "output"),
            Column("corpus_score", "score", "score"),
            Column("n_beaten", "systems beaten", "count"),
            Column("n_systems", "of", "count"),
            Column("reference_set", "references"),
        ),
        records,
        chart,
        (Choice("reference_set", "References", sets, default),) if len(sets) > 1 else (),
        across="made",
        column_width=18,
    )
    return Section(name, title, exhibits=(exhibit,))
