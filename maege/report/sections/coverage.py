"""The share of valid corrections that references cover, and scores with complete coverage."""

import altair as alt

from maege.report.exhibits import Choice, Column, Exhibit, Section, numbered
from maege.report.marts import Marts, sql
from maege.report.pictures import rows


def sections(marts: Marts) -> list[Section]:
    """Return the sections on coverage and on the weights of reference-free metrics, if any."""
    return [*_coverage(marts), *_weights(marts)]


def _coverage(marts: Marts) -> list[Section]:
    found = numbered(marts.ask("coverage"))
    if not found:
        return []
    measures = tuple(dict.fromkeys(row["measure"] for row in found))
    base = alt.Chart(rows()).encode(
        x=alt.X(
            "n_references:Q",
            title="references of a sentence",
            scale=alt.Scale(type="log"),
            axis=alt.Axis(labelOverlap="greedy"),
        ),
    )
    hue = alt.Color(
        "estimator:N",
        title=None,
        legend=alt.Legend(orient="top", symbolOpacity=1),
        scale=alt.Scale(range=["#2b7bba", "#c4570f", "#8c5fc7"]),
    )
    chart = alt.layer(
        base.mark_area(opacity=0.18).encode(y="ci_low:Q", y2="ci_high:Q", color=hue),
        base.mark_line().encode(
            y=alt.Y("expected_share:Q", title="share of valid corrections covered"),
            color=hue,
            strokeDash=alt.StrokeDash("estimator:N", legend=None),
            tooltip=["estimator:N", "n_references:Q",
                     alt.Tooltip("expected_share:Q", format=".1%")],
        ),
    ).properties(height=240)  # fmt: skip
    exhibit = Exhibit(
        "coverage",
        "What share of the valid corrections do the references cover?",
        "Curves that rise with the number of references: the share of a crowd's valid corrections "
        "that they cover, one line per estimator, with the interval as a band.",
        sql("coverage"),
        (
            Column("n_references", "references", "count"),
            Column("expected_share", "share", "value", "ci_low", "ci_high"),
            Column("estimator", "estimator"),
            Column("measure", "counted"),
        ),
        found,
        chart,
        (Choice("measure", "Counted", measures, measures[0]),),
        labels="",
        note="docs/coverage.md defines the estimators and their reliability.",
    )
    return [Section("coverage", "How many references are enough?", exhibits=(exhibit,))]


def _weights(marts: Marts) -> list[Section]:
    found = numbered(marts.ask("weights"))
    if not found:
        return []
    sets = tuple(dict.fromkeys(row["judgment_set"] for row in found))
    methods = tuple(dict.fromkeys(row["method"] for row in found))
    chart = (
        alt.Chart(rows())
        .mark_square(size=38)
        .encode(
            x=alt.X("fluency_weight:Q", title="weight of fluency"),
            y=alt.Y("meaning_weight:Q", title="weight of meaning"),
            color=alt.Color(
                "pearson_r:Q",
                title="Pearson's r",
                scale=alt.Scale(scheme="viridis"),
                legend=alt.Legend(orient="top", gradientLength=160),
            ),
            tooltip=[
                alt.Tooltip("grammaticality_weight:Q", format=".2f"),
                alt.Tooltip("fluency_weight:Q", format=".2f"),
                alt.Tooltip("meaning_weight:Q", format=".2f"),
                alt.Tooltip("pearson_r:Q", format=".3f"),
            ],
        )
        .properties(height=260)
    )
    exhibit = Exhibit(
        "weights",
        "How much do the weights of grammaticality, fluency and meaning matter?",
        "A triangle of weights that add up to 1: those of the two axes, and the rest for "
        "grammaticality. The brighter, the higher the correlation with the judges.",
        sql("weights"),
        (
            Column("grammaticality_weight", "grammaticality", "value"),
            Column("fluency_weight", "fluency", "value"),
            Column("meaning_weight", "meaning", "value"),
            Column("pearson_r", "r", "value", "pearson_ci_low", "pearson_ci_high"),
        ),
        [row for row in found if (round(row["fluency_weight"] * 100) % 5 == 0
         and round(row["meaning_weight"] * 100) % 5 == 0) or row["is_published"]],
        chart,
        (Choice("judgment_set", "Judgments", sets, sets[0]),
         Choice("method", "Method", methods, methods[0])),
        labels="",
        note="Weights in steps of .05; the published ones are .07, .83 and .10.",
    )  # fmt: skip
    return [
        Section(
            "weights",
            "How should the parts of reference-free metrics be weighted?",
            exhibits=(exhibit,),
        )
    ]
