"""Comparison of numbers printed in papers with those of MAEGE."""

from collections import Counter
from html import escape
from itertools import groupby

import altair as alt

from maege.numbers import format_number
from maege.report.exhibits import Column, Exhibit, Row, Section, Words, without
from maege.report.marts import Marts, sql
from maege.report.pictures import GREY, INK, Chart, panel_name, rows

STATUSES = {
    "exact": ("●", "circle", "#1d7a45", "equal at the printed digits"),
    "close": ("◐", "diamond", "#2b7bba", "inside a stated band"),
    "differs": ("✕", "cross", "#c4570f", "the note says why"),
    "not_reproducible": ("○", "square", "#808080", "data or tool not available"),
}

NAME, TITLE = "replication", "Do the papers' numbers hold?"


def without_papers(section: Section) -> Section:
    """Return the section, or an empty one for a corpus that is in no paper."""
    return (
        without(NAME, TITLE, "No paper is about this corpus.") if section.name == NAME else section
    )


def sections(marts: Marts) -> list[Section]:
    """Return the section on the replication of papers."""
    name, title = NAME, TITLE
    records = marts.ask("replication")
    recomputed = [dict(row) for row in records if row["reproduced"] is not None]
    if not recomputed:
        reason = (
            "This warehouse has no recomputed numbers of papers. To compute them from the ingested "
            "corpora: dbt build --vars '{replication: true}', then maege publish."
        )
        return [without(name, title, reason)]
    for row in recomputed:
        row["status_name"] = row["status"].replace("_", " ")
        row["place"] = f"{row['exhibit']}, {row['row_label']}, {row['column_label']}"
    _choose_points(recomputed)
    _label_panels(recomputed)
    exhibit = Exhibit(
        name,
        "Do our numbers equal the printed ones?",
        "One panel per paper: printed numbers on the x axis, ours on the y axis; equal numbers "
        "are on the diagonal. "
        "Circles are exact, diamonds close, crosses differ.",
        sql("replication"),
        (
            Column("paper", "paper"),
            Column("exhibit", "exhibit"),
            Column("row_label", "row"),
            Column("column_label", "column"),
            Column("published_text", "printed"),
            Column("reproduced", "as published", "score"),
            Column("corrected", "by definition", "score"),
            Column("status_name", "status"),
            Column("note", "note"),
        ),
        recomputed,
        _panels(),
        panel=220,
        labels="",
        note="Above each panel: the printed number and ours at the circle, where they differ most. "
        "Each panel has its own scales. For papers with shares or correlations, counts are only in "
        "the table.",
    )
    return [
        Section(
            name,
            title,
            (Words(_counts(records)),),
            (exhibit,),
            html=_as_printed(records),
        )
    ]


def _choose_points(recomputed: list[Row]) -> None:
    """Mark the numbers to show in a panel: up to 1 for most papers, as counts would hide others."""
    for _, group in groupby(recomputed, lambda row: row["paper"]):
        paper_rows = list(group)
        small = [row for row in paper_rows if _largest(row) <= 1]
        most = 1 if 2 * len(small) >= len(paper_rows) else 100
        for row in paper_rows:
            row["is_drawn"] = _largest(row) <= most


def _label_panels(recomputed: list[Row]) -> None:
    """Name each panel with its number of exact points; label the one with the largest error."""
    for paper, group in groupby(recomputed, lambda row: row["paper"]):
        paper_rows = list(group)
        points = [row for row in paper_rows if row["is_drawn"]]
        exact = sum(row["status"] == "exact" for row in points)
        worst = max(points, key=lambda row: abs(row["reproduced"] - row["published"]))
        for row in paper_rows:
            row["panel"] = f"{paper}: {exact} of {len(points)} exact"
            row["label"] = None
        if worst["status"] != "exact":
            worst["label"] = f"{worst['published_text']} → {_number(worst['reproduced'])}"


def _largest(row: Row) -> float:
    return float(max(abs(row["published"]), abs(row["reproduced"])))


def _panels() -> Chart:
    shown = {name: STATUSES[name] for name in ("exact", "close", "differs")}
    names = list(shown)
    points = (
        alt.Chart()
        .mark_point(filled=True, size=32, opacity=0.75)
        .encode(
            x=alt.X("published:Q", title="printed", axis=alt.Axis(tickCount=4),
                    scale=alt.Scale(zero=False)),
            y=alt.Y("reproduced:Q", title="ours", axis=alt.Axis(tickCount=4),
                    scale=alt.Scale(zero=False)),
            color=alt.Color("status:N", title=None, legend=alt.Legend(orient="top"),
                            scale=alt.Scale(domain=names, range=[s[2] for s in shown.values()])),
            shape=alt.Shape("status:N", title=None, legend=alt.Legend(orient="top"),
                            scale=alt.Scale(domain=names, range=[s[1] for s in shown.values()])),
            tooltip=["place:N", "published:Q", alt.Tooltip("reproduced:Q", format=".4f")],
        )
    )  # fmt: skip
    diagonal = (
        alt.Chart()
        .mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1)
        .encode(x="published:Q", y="published:Q")
    )
    worst = alt.Chart().transform_filter("isValid(datum.label)")
    labels = [
        worst.mark_text(align="left", baseline="bottom", dy=-4, fontSize=9).encode(
            text="label:N", x=alt.value(0), y=alt.value(0)
        ),
        worst.mark_point(size=90, color=INK).encode(x="published:Q", y="reproduced:Q"),
    ]
    return (
        alt.layer(diagonal, points, *labels, panel_name("panel"), data=rows())
        .transform_filter("datum.is_drawn")
        .properties(width=158, height=140)
        .facet(
            facet=alt.Facet("paper:N", title=None, header=alt.Header(labelExpr="''")),
            columns=3,
            bounds="flush",
            spacing={"row": 72, "column": 56},
        )
        .resolve_scale(x="independent", y="independent")
    )


def _counts(records: list[Row]) -> tuple[str, ...]:
    counts = Counter(row["status"] for row in records)
    listed = ", ".join(
        f"{counts[status]:,} {status.replace('_', ' ')} ({STATUSES[status][3]})"
        for status in STATUSES
        if counts[status]
    )
    return (f"Of {len(records):,} printed numbers: {listed}.",)


def _as_printed(records: list[Row]) -> str:
    """Return every exhibit of a paper as a table with its rows and columns.

    Each cell has the printed number, ours and the status.
    """
    signs = " ".join(
        f'<span class="{status}">{sign} {status.replace("_", " ")}</span>'
        for status, (sign, *_) in STATUSES.items()
    )
    parts = [
        "<h3>The tables of the papers</h3>",
        f"<p>In each cell: printed, ours, status. {signs}</p>",
    ]
    for (paper, exhibit), group in groupby(records, lambda row: (row["paper"], row["exhibit"])):
        exhibit_rows = list(group)
        if all(row["reproduced"] is None for row in exhibit_rows):
            continue
        parts.append(
            f'<details id="{escape(paper)}-{escape(exhibit)}"><summary>'
            f"{escape(paper)}: {escape(exhibit.replace('_', ' '))}</summary>"
            f'<div class="wide" tabindex="0" role="region" '
            f'aria-label="{escape(paper)} {escape(exhibit)}">{_printed_table(exhibit_rows)}'
            "</div></details>"
        )
    return "\n".join(parts)


def _printed_table(records: list[Row]) -> str:
    columns = list(dict.fromkeys(row["column_label"] for row in records))
    labels = list(dict.fromkeys(row["row_label"] for row in records))
    cells = {(row["row_label"], row["column_label"]): row for row in records}
    head = "".join(f'<th scope="col">{escape(name.replace("_", " "))}</th>' for name in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th>'
        + "".join(f"<td>{_cell(cells.get((label, name)))}</td>" for name in columns)
        + "</tr>"
        for label in labels
    )
    return f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    sign = STATUSES[row["status"]][0]
    ours = "" if row["reproduced"] is None else f" {_number(row['reproduced'])}"
    return (
        f'<span class="status {row["status"]}" title="{escape(row["note"])}">'
        f"{escape(row['published_text'])}{ours} {sign}</span>"
    )


def _number(value: float) -> str:
    return format_number(value, 2 if abs(value) < 10 else 0)
