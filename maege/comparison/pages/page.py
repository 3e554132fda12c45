"""A page about systems as one HTML file, which loads nothing: sections of tables and charts.

Tables are HTML. Sentences are stored as JSON and a script shows them on request, so that a page
with thirteen systems is small enough for e-mail.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import ceil, floor, log10
from typing import Any

import jinja2

from maege.comparison.pages.tables import Table

MOST_TICKS = 5


def part(name: str) -> str:
    return (files("maege.comparison.pages") / name).read_text(encoding="utf-8")


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(part),
    )
    environment.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False,
        "separators": (",", ":"),
        "allow_nan": False,
    }
    return environment.get_template(name)


@dataclass(frozen=True)
class PageSection:
    """A section: its name in addresses, its title, a short title, and its content as HTML."""

    name: str
    title: str
    short: str
    html: str


def page(
    title: str,
    verdict: Sequence[str],
    lead: str,
    sections: Sequence[PageSection],
    edits: dict[str, Any] | None,
    colophon: str,
) -> str:
    """Return the page, without sections that have no content; `edits.js` reads `edits`."""
    return _template("page.html").render(
        title=title,
        verdict=verdict,
        lead=lead,
        sections=[section for section in sections if section.html],
        edits=edits,
        colophon=colophon,
    )


def outcome(have: int, of: int) -> int:
    """Return whether all (0), some (1) or none (2) of the annotators have an edit."""
    return 2 if not have else 0 if have >= of else 1


def _macros() -> Any:  # noqa: ANN401 - jinja2 knows its macros by name
    return _template("parts.html").module


def table_html(table: Table, name: str) -> str:
    """Return the table in a frame that scrolls; `name` is what a screen reader calls it."""
    return str(_macros().table(table, name))


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


def figure(
    marks: Sequence[Mark], unit: str, description: str, caption: str, *, bars: bool = True
) -> str:
    """Return a chart with an axis: bars from zero, or points around a line at zero."""
    ends = [end for mark in marks for end in (mark.value, mark.low, mark.high) if end is not None]
    ticks = _axis_ticks(min([0.0, *ends]), max([0.0, *ends]))

    def position(value: float) -> str:
        return f"{100 * (value - ticks[0]) / (ticks[-1] - ticks[0]):.2f}"

    return str(_macros().figure(marks, ticks, position, unit, description, caption, bars))


def score_figure(marks: Sequence[Mark], name: str, caption: str) -> str:
    scores = "; ".join(f"{mark.name} {mark.shown}" for mark in marks)
    return figure(marks, name, f"{name}: {scores}", caption)


def _axis_ticks(low: float, high: float) -> list[float]:
    """Return round numbers at equal distances, the first up to `low`, the last from `high`."""
    if high <= low:
        high = low + 1
    rough = (high - low) / MOST_TICKS
    power = 10.0 ** floor(log10(rough))
    step = power * next(factor for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]
