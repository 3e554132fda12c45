"""Charts of scores and differences in HTML: readable at any width, without a script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10

from maege.numbers import MINUS

ROW_HEIGHT = 26
MOST_TICKS = 5
FEW_TICKS = 4
MINOR = ' class="minor"'


@dataclass(frozen=True)
class Mark:
    """A line of a chart: a name, its value with an interval, and the number as people read it.

    `data` are names and values that `edits.js` reads when the line is clicked; without them the
    line is no link.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    shown: str
    data: Mapping[str, str] = field(default_factory=dict)


def chart(marks: Sequence[Mark], unit: str, description: str, *, bars: bool) -> str:
    """Return a chart with an axis: bars from zero, or points around a line at zero.

    `unit` is the title of the axis, and `description` the text for people who do not see the chart.
    """
    ends = [end for mark in marks for end in (mark.value, mark.low, mark.high) if end is not None]
    ticks = axis_ticks(min([0.0, *ends]), max([0.0, *ends]))
    grid = "".join(
        f'<line class="{"zero" if tick == 0 else "grid"}" x1="{_at(tick, ticks)}" '
        f'x2="{_at(tick, ticks)}" y1="0" y2="{ROW_HEIGHT}"></line>'
        for tick in ticks
    )
    rows = "".join(_row(mark, ticks, grid, bars=bars) for mark in marks)
    return (
        f'<div class="picture chart" role="group" aria-label="{escape(description)}">\n'
        f'{rows}<div class="row"><span></span><svg height="18" aria-hidden="true">'
        f"{_labels(ticks)}</svg><span></span></div>\n"
        f'<div class="row unit"><span></span><span>{escape(unit)}</span><span></span></div></div>\n'
    )


def figure(
    marks: Sequence[Mark], unit: str, description: str, caption: str, *, bars: bool = True
) -> str:
    """Return a chart with its caption, which is HTML; for the rest, see `chart`."""
    return (
        f"<figure>{chart(marks, unit, description, bars=bars)}"
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def score_figure(marks: Sequence[Mark], name: str, caption: str) -> str:
    """Return the bars of systems' scores; `name` is that of the metric."""
    scores = "; ".join(f"{mark.name} {mark.shown}" for mark in marks)
    return figure(marks, name, f"{name}: {scores}", caption)


def axis_ticks(low: float, high: float) -> list[float]:
    """Return round numbers at equal distances, the first up to `low`, the last from `high`."""
    if high <= low:
        high = low + 1
    rough = (high - low) / MOST_TICKS
    power = 10.0 ** floor(log10(rough))
    step = power * next(factor for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _at(value: float, ticks: Sequence[float]) -> str:
    """Return where a value is between the ends of the axis."""
    return f"{100 * (value - ticks[0]) / (ticks[-1] - ticks[0]):.2f}%"


def _row(mark: Mark, ticks: Sequence[float], grid: str, *, bars: bool) -> str:
    middle = ROW_HEIGHT // 2
    parts = [grid]
    if bars:
        width = 100 * abs(mark.value) / (ticks[-1] - ticks[0])
        parts.append(
            f'<rect x="{_at(min(0.0, mark.value), ticks)}" y="6" width="{width:.2f}%" '
            f'height="{ROW_HEIGHT - 12}"/>'
        )
    if mark.low is not None and mark.high is not None:
        low, high = _at(mark.low, ticks), _at(mark.high, ticks)
        parts.append(f'<line class="ci" x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"></line>')
        parts += [
            f'<line class="ci" x1="{end}" x2="{end}" y1="{middle - 5}" y2="{middle + 5}"></line>'
            for end in (low, high)
        ]
    if not bars:
        parts.append(f'<circle cx="{_at(mark.value, ticks)}" cy="{middle}" r="4"/>')
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in mark.data.items())
    tag = f'a href="#edits"{data}' if data else "div"
    return (
        f'<{tag} class="row"><span title="{escape(mark.name)}">{escape(mark.name)}</span>'
        f'<svg height="{ROW_HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>'
        f"<span>{escape(mark.shown)}</span></{tag.split()[0]}>\n"
    )


def _labels(ticks: Sequence[float]) -> str:
    """Return the numbers of the axis; those at its ends stay within the picture.

    Of many every second one, counted from 0, is minor: narrow pages do not show it.
    """
    anchors = {0: "start", len(ticks) - 1: "end"}
    zero = ticks.index(0)
    return "".join(
        f'<text x="{_at(tick, ticks)}" y="13" text-anchor="{anchors.get(place, "middle")}"'
        f"{MINOR if len(ticks) > FEW_TICKS and (place - zero) % 2 else ''}>"
        f"{f'{tick:g}'.replace('-', MINUS)}</text>"
        for place, tick in enumerate(ticks)
    )
