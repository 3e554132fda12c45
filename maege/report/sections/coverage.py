"""The share of valid corrections that references cover, and scores with complete coverage."""

import altair as alt

from maege.report.exhibits import Choice, Column, Exhibit, Row, Section, numbered
from maege.report.marts import Marts, sql
from maege.report.pictures import INK, rows

# Height of the chart and of a line of text in it, in pixels.
HEIGHT, LINE = 240, 13


def sections(marts: Marts) -> list[Section]:
    """Return the sections on coverage and on the weights of reference-free metrics, if any."""
    return [*_coverage(marts), *_weights(marts)]


def _coverage(marts: Marts) -> list[Section]:
    records = numbered(marts.ask("coverage"))
    if not records:
        return []
    _place_last_numbers(records)
    measures = tuple(dict.fromkeys(row["measure"] for row in records))
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
        base.transform_filter("isValid(datum.label_height)").mark_text(
            align="left", dx=6, fontSize=10
        ).encode(
            x=alt.value("width"),
            y="label_height:Q",
            text=alt.Text("expected_share:Q", format=".2f"),
            color=alt.value(INK),
        ),
    ).properties(height=HEIGHT)  # fmt: skip
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
        records,
        chart,
        (Choice("measure", "Counted", measures, measures[0]),),
        labels="",
        note="docs/coverage.md defines the estimators and their reliability.",
    )
    return [Section("coverage", "How many references are enough?", exhibits=(exhibit,))]


def _place_last_numbers(records: list[Row]) -> None:
    """Set the heights of the numbers at the ends of curves, so that they do not overlap."""
    ends: dict[tuple[str, str, str], Row] = {}
    for row in records:
        row["label_height"] = None
        key = row["corpus"], row["measure"], row["estimator"]
        if key not in ends or row["n_references"] > ends[key]["n_references"]:
            ends[key] = row
    below: dict[tuple[str, str], float] = {}
    for row in sorted(ends.values(), key=lambda row: float(row["expected_share"])):
        curves = row["corpus"], row["measure"]
        lowest = below.get(curves, -1) + LINE / HEIGHT
        row["label_height"] = below[curves] = max(row["expected_share"], lowest)


def _weights(marts: Marts) -> list[Section]:
    records = numbered(marts.ask("weights"))
    if not records:
        return []
    sets = tuple(dict.fromkeys(row["judgment_set"] for row in records))
    methods = tuple(dict.fromkeys(row["method"] for row in records))
    base = alt.Chart(rows()).encode(
        x=alt.X("fluency_weight:Q", title="weight of fluency"),
        y=alt.Y("meaning_weight:Q", title="weight of meaning"),
    )
    squares = base.mark_square(size=38).encode(
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
    published = base.transform_filter("datum.is_published").encode(color=alt.value(INK))
    number = published.mark_text(align="left", dx=8, dy=-8, fontSize=10).encode(
        text=alt.Text("pearson_r:Q", format=".2f")
    )
    circle = published.mark_point(size=90, strokeWidth=2)
    chart = alt.layer(squares, circle, number).properties(height=260)
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
        [row for row in records if (round(row["fluency_weight"] * 100) % 5 == 0
         and round(row["meaning_weight"] * 100) % 5 == 0) or row["is_published"]],
        chart,
        (Choice("judgment_set", "Judgments", sets, sets[0]),
         Choice("method", "Method", methods, methods[0])),
        labels="",
        note="Weights in steps of 0.05. Circle and number: the published weights, 0.07, 0.83 and "
        "0.10.",
    )  # fmt: skip
    return [
        Section(
            "weights",
            "How should the parts of reference-free metrics be weighted?",
            exhibits=(exhibit,),
        )
    ]
