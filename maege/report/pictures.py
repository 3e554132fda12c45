"""Building blocks for the report's charts in Altair: data set `rows`, common colours and marks."""

from typing import Any, Literal

import altair as alt

# Colours with enough contrast on white and on black. Shapes carry the same information.
COLOURS = {"texts": "#2b7bba", "edits": "#c4570f", "no references": "#8c5fc7", "chance": "#808080"}
SHAPES = {"texts": "circle", "edits": "square", "no references": "triangle-up", "chance": "cross"}
INK = "currentColor"
GREY = "#808080"
STEP = 15
# A smaller share has no number in its part of a bar.
FEWEST_SHOWN = 0.12
SELF_REFERENCED = "datum.no_rank == 'self-referenced'"
PALE = f"datum.no_rank == 'few pairs' || {SELF_REFERENCED}"
FONT = "'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
# Parts of a bar that numbers are legible on: white, black, white.
PARTS = ("#2b7bba", "#b9b9b9", "#b9500c")
# Fields of grids are pale in every theme, so that dark numbers on them are legible.
DARK = "#1c2126"
DIVERGING = ["#e08a4a", "#efbf99", "#e4e4e4", "#aecbe8", "#6fa8dc"]

# Altair's methods have no return types.
Chart = Any


def rows() -> alt.NamedData:
    """Return the data set, which the page fills with rows."""
    return alt.NamedData("rows")


def by_order(field: str = "order") -> alt.EncodingSortField:
    """Return the sort order by the field `order` of the rows, which layered charts need."""
    return alt.EncodingSortField(field, op="min", order="ascending")


def metric_axis(*, labels: bool = True) -> alt.Y:
    """Return an axis with one line per metric, in the order of the rows."""
    return named_axis("metric", labels=labels)


def named_axis(field: str, order: str = "order", *, labels: bool = True) -> alt.Y:
    """Return an axis with one line per value of a field, ordered by another field."""
    return alt.Y(
        f"{field}:N",
        sort=by_order(order),
        title=None,
        axis=alt.Axis(labels=labels, ticks=False, domain=False, labelPadding=6, labelLimit=220),
    )


def group_colour() -> alt.Color:
    """Return the colour for the inputs of a metric."""
    return alt.Color(
        "metric_group:N",
        title=None,
        scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
        legend=alt.Legend(orient="top", symbolSize=70),
    )


def group_shape() -> alt.Shape:
    """Return the shape that goes with the colour."""
    return alt.Shape(
        "metric_group:N",
        title=None,
        scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES.values())),
        legend=alt.Legend(orient="top", symbolSize=70),
    )


def panel_name(field: str) -> Chart:
    """Return the title of a panel as a mark, because Vega places facet headers unevenly."""
    return (
        alt.Chart()
        .mark_text(align="left", baseline="bottom", dy=-16, fontSize=10)
        .encode(text=f"max({field}):N", x=alt.value(0), y=alt.value(0))
    )


def vertical(value: float) -> Chart:
    """Return a dashed line at the value of chance."""
    return alt.Chart(rows()).mark_rule(color=GREY, strokeDash=[4, 3]).encode(x=alt.datum(value))


def estimates(
    value: str,
    low: str,
    high: str,
    title: str,
    *,
    chance: float | tuple[str, str] = 0,
    labels: bool = True,
    faint: str = "false",
) -> Chart:
    """Return a dot with an interval for every metric; rows for which `faint` is true are pale.

    Chance is a dashed line at a value, or a band between two fields for each metric.
    """
    opacity = alt.when(faint).then(alt.value(0.3)).otherwise(alt.value(1))
    base = alt.Chart(rows()).encode(y=metric_axis(labels=labels))
    axis = alt.X(f"{value}:Q", title=title, scale=alt.Scale(zero=False))
    between = base.mark_rule(strokeWidth=2).encode(
        x=alt.X(f"{low}:Q", title=title),
        x2=f"{high}:Q",
        color=group_colour(),
        opacity=opacity,
    )
    dots = base.mark_point(filled=True, size=55).encode(
        x=axis,
        color=group_colour(),
        shape=group_shape(),
        opacity=opacity,
        tooltip=["metric:N", *_numbers(value, low, high)],
    )
    by_chance = _band(base, *chance) if isinstance(chance, tuple) else vertical(chance)
    shown = numbers(base, value, ".2f").encode(opacity=opacity)
    return alt.layer(by_chance, between, dots, shown).properties(height=alt.Step(STEP))


def numbers(base: Chart, value: str, form: str) -> Chart:
    """Return the value of each line as a number, in a column to the right of the chart."""
    present = base.transform_filter(f"isValid(datum.{value})")
    return present.mark_text(align="left", dx=6, fontSize=10).encode(
        x=alt.value("width"), text=alt.Text(f"{value}:Q", format=form), color=alt.value(INK)
    )


def label_next_to_mark(base: Chart, side: Literal["left", "right"]) -> Chart:
    """Return the text of the encoding to the left or the right of the mark."""
    opposite: Literal["left", "right"] = "right" if side == "left" else "left"
    return base.mark_text(align=opposite, dx=-6 if side == "left" else 6, fontSize=10)


def stacked_shares(base: Chart, field: str, colours: dict[str, str], **order: Any) -> Chart:  # noqa: ANN401
    """Return a bar for each line, divided into shares, with numbers in the wide parts.

    `field` has the names of the parts; `base` has the lines and the tooltip.
    """
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    bars = base.mark_bar(height=STEP - 3).encode(
        fill=alt.Fill(f"{field}:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        **order,
    )
    ink = alt.when(f"datum.{field} == '{list(colours)[1]}'")
    shown = (
        base.transform_calculate(shown=f"datum.share < {FEWEST_SHOWN} ? '' : "
                                 "format(datum.share, '.0%')")
        .mark_text(fontSize=9)
        .encode(
            x=alt.X("share:Q", stack="zero", bandPosition=0.5),
            text="shown:N",
            detail=f"{field}:N",
            color=ink.then(alt.value(DARK)).otherwise(alt.value("white")),
            **order,
        )
    )  # fmt: skip
    return alt.layer(bars, shown).properties(height=alt.Step(STEP))


def _band(base: Chart, low: str, high: str) -> Chart:
    """Return the range of 95 % of random metrics as a pale band behind each metric."""
    return base.mark_bar(color=GREY, opacity=0.25, height=STEP - 3).encode(
        x=f"{low}:Q", x2=f"{high}:Q", tooltip=["metric:N", *_numbers(low, high)]
    )


def _numbers(*fields: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:Q", format=".3f") for name in fields]


def side_by_side(*charts: Chart) -> Chart:
    """Return the charts side by side; the page stacks them where it is narrow."""
    return alt.hconcat(*charts, spacing=14).resolve_scale(color="shared", shape="shared")


def theme() -> dict[str, Any]:
    """Return the configuration of all charts; text and lines take the colour of the page's text."""
    text = {"labelColor": INK, "titleColor": INK, "labelFontSize": 11, "titleFontSize": 11}
    return {
        "aria": False,
        "background": None,
        "font": FONT,
        "view": {"stroke": None},
        "axis": {
            **text,
            "titleFontWeight": "normal",
            "gridColor": INK,
            "gridOpacity": 0.12,
            "tickColor": INK,
            "domainColor": INK,
            "domainOpacity": 0.4,
            "tickOpacity": 0.4,
        },
        "axisQuantitative": {
            "labelOverlap": "parity",
            "labelSeparation": 6,
            "labelFlush": False,
        },
        "legend": {**text, "symbolStrokeColor": INK},
        "header": text,
        "title": {"color": INK},
        "text": {"color": INK},
    }
