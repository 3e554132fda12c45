"""Convert charts to Vega-Lite for the page, and to SVG, PDF or PNG without a browser."""

import json
import re
from functools import cache
from math import isfinite
from string import Template
from typing import Any

import vl_convert
import yaml

from maege.report.exhibits import Exhibit, Row
from maege.report.templates import page_file

Spec = dict[str, Any]
# The text colour of the page.
INK = "currentColor"
# Width of an A4 page in pixels, and the widths of a letter, of an axis and of a number on it.
WIDTH = 680
LETTER = 5.7
NUMBERS = 56
GAP = 18
# The column of numbers to the right of a chart, which has this encoding in charts.yml.
NUMBERS_RIGHT = 34
AT_RIGHT = '"x": {"value": "width"}'
TICK = 60
WIDER = 0.18
DIGITS = 5
# A field with its type and format in charts.yml, such as `score:Q .2f`.
_FIELD = re.compile(r"(\w+):([QNO])(?: (\S+))?")
_KINDS = {"Q": "quantitative", "N": "nominal", "O": "ordinal"}


@cache
def _declared() -> Spec:
    declared: Spec = yaml.safe_load(page_file("charts.yml"))
    return declared


def chart_of(name: str) -> Spec | None:
    """Return the chart of an exhibit in Vega-Lite, without data and theme; None without a chart."""
    chart = _declared()["charts"].get(name)
    # A copy without the aliases of YAML.
    return None if chart is None else _expanded(json.loads(json.dumps(chart)))


def _expanded(value: Any) -> Any:  # noqa: ANN401 - any part of a chart
    """Replace the shorthands for fields and estimates."""
    if isinstance(value, dict):
        parts = {name: _expanded(part) for name, part in value.items()}
        return parts | _estimates(**parts.pop("estimates")) if "estimates" in parts else parts
    if isinstance(value, list):
        return [_expanded(part) for part in value]
    if isinstance(value, str) and (field := _FIELD.fullmatch(value)):
        name, kind, form = field.groups()
        return {"field": name, "type": _KINDS[kind]} | ({"format": form} if form else {})
    return value


def _estimates(
    *,
    chance: float | list[str] = 0,
    labels: bool = True,
    faint: str = "false",
    **fields: str,
) -> Spec:
    """Return a dot with an interval for every metric; rows for which `faint` is true are pale.

    Chance is a dashed line at a value, or a band between two fields for each metric.
    """
    low, high = chance if isinstance(chance, list) else ("", "")
    text = Template(json.dumps(_declared()["estimates"])).substitute(
        fields, faint=faint, chance_low=low, chance_high=high
    )
    chart: Spec = json.loads(text.replace('"labels": true', f'"labels": {json.dumps(labels)}'))
    line, band, dots = chart["layer"]
    line["encoding"]["x"]["datum"] = chance
    expanded: Spec = _expanded(chart | {"layer": [band if low else line, dots]})
    return expanded


def spec_of(exhibit: Exhibit, ink: str = INK) -> Spec:
    """Return the chart without its rows."""
    chart = {"data": {"name": "rows"}, **(exhibit.chart or {}), "config": _declared()["theme"]}
    spec: Spec = json.loads(json.dumps(chart).replace(INK, ink))
    return spec


def _with_rows(exhibit: Exhibit, spec: Spec, rows: list[Row]) -> Spec:
    """Return the chart with the rows in it, as wide as a page."""
    sized: Spec = json.loads(json.dumps(spec))
    parts = [sized]
    if "hconcat" in sized:
        parts = sized["hconcat"] = _panels_with_data(sized["hconcat"], rows)
    width = (WIDTH - label_width(exhibit)) // len(parts) - margin_of(spec)
    for part in parts:
        if "facet" not in part:
            part["width"] = width
    sized["config"]["axisXQuantitative"] = {"tickCount": max(3, width // TICK)}
    fields = fields_of(exhibit, spec)
    values = [dict(zip(fields, row, strict=True)) for row in compact(rows, fields)]
    sized["datasets"] = {"rows": values}
    return sized


def _panels_with_data(panels: list[Spec], rows: list[Row]) -> list[Spec]:
    """Return the panels whose field, the name of the panel, has a value in a row."""
    first, *following = (
        panel
        for panel in panels
        if "name" not in panel or any(row[panel["name"]] is not None for row in rows)
    )
    return [json.loads(json.dumps(first).replace('"labels": false', '"labels": true')), *following]


def padded(exhibit: Exhibit, spec: Spec, rows: list[Row]) -> Spec:
    """Return the chart with its rows, and with enough space for labels in the reader's font."""
    sized = _with_rows(exhibit, spec, rows)
    # The reader's font may be wider than the one that is measured here.
    left, slanted = round(label_width(exhibit) * WIDER), 18 if exhibit.across else 0
    named = 40 if exhibit.panel else 0
    sized["padding"] = {"left": 5 + left, "right": 5 + named, "top": 5, "bottom": 5 + slanted}
    return sized


def combinable_svg(exhibit: Exhibit, svg: str) -> str:
    """Return the picture as SVG that can be combined with others in one page."""
    # Vega numbers clips and gradients per process or from 0 in every picture.
    for number, name in enumerate(dict.fromkeys(re.findall(r'\bid="([^"]+)"', svg))):
        svg = svg.replace(f'id="{name}"', f'id="{exhibit.name}-part-{number}"')
        svg = svg.replace(f"url(#{name})", f"url(#{exhibit.name}-part-{number})")
    # The element around the picture has a description of the whole picture.
    svg = re.sub(r' (?:class|role|aria-[a-z]+)="[^"]*"', "", svg)
    svg = svg.replace("<svg ", '<svg aria-hidden="true" ', 1)
    svg = re.sub(r"(\d+\.\d{2})\d+", r"\1", svg)
    return svg.replace('xmlns:xlink="http://www.w3.org/1999/xlink" ', "")


def picture(exhibit: Exhibit, rows: list[Row], kind: str) -> bytes:
    """Return the picture as a file, in black on white: `svg`, `pdf`, `png`."""
    spec = _with_rows(exhibit, spec_of(exhibit, "#1c2126"), rows)
    spec["config"] |= {"background": "white", "font": "Liberation Sans, Arial, sans-serif"}
    if kind == "svg":
        return str(vl_convert.vegalite_to_svg(spec)).encode()
    if kind == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec))
    return bytes(vl_convert.vegalite_to_png(spec, scale=2))


def label_width(exhibit: Exhibit) -> int:
    """Return the pixels that the labels at the left take."""
    if exhibit.chart is None or not exhibit.labels:
        return NUMBERS
    longest = max((len(str(row[exhibit.labels])) for row in exhibit.rows), default=0)
    return round(longest * LETTER) + 12


def margin_of(spec: Spec) -> int:
    """Return the pixels to the right of the chart, or of each of its parts."""
    return GAP + (NUMBERS_RIGHT if AT_RIGHT in json.dumps(spec) else 0)


def fields_of(exhibit: Exhibit, spec: Spec) -> tuple[str, ...]:
    """Return the fields of the rows that the chart and the filters read."""
    text = json.dumps(spec)
    read = set(re.findall(r"\w+", text)) | set(exhibit.keys)
    return tuple(name for name in (exhibit.rows[0] if exhibit.rows else {}) if name in read)


def compact(rows: list[Row], fields: tuple[str, ...]) -> list[list[Any]]:
    """Return the fields of each row; numbers are rounded to the precision of a picture."""
    return [[_short(row[name]) for name in fields] for row in rows]


def _short(value: Any) -> Any:  # noqa: ANN401 - a cell of any type
    if isinstance(value, list):
        return [_short(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if isfinite(value) else None
    return value
