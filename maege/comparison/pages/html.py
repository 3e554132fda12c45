"""A comparison as one HTML file, which asks nothing of any host: scores, types, every edit.

Tables stand in the page; sentences are data of it, which its script draws as they are asked for, so
that thirteen systems are still a file that one can send.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from maege.analysis.compare.results import GoldEdit, Interval, OutputEdit, Result, Sentence, System
from maege.comparison.numbers import made_with, title
from maege.comparison.pages.tables import (
    Cell,
    Table,
    ordered,
    pairs,
    remarks,
    score_table,
    totals_table,
    type_table,
)
from maege.comparison.verdict import verdict
from maege.page_texts import with_minus

PAGE = files("maege.comparison.pages")
CLASSES = {"none": "", "best": "best", "like_best": "like", "quiet": "quiet"}
OUTCOMES = ("right", "disputed", "false")
# Of a picture, in its own units.
BAR_WIDTH, ROW_HEIGHT, NAME_ROOM = 560.0, 26, 150
SCROLLED = '<div class="picture" tabindex="0" role="region" aria-label="Picture">'


def as_html(result: Result) -> str:
    """Return the whole page."""
    names = [system.name for system in result.systems]
    heading = " and ".join(names) if len(names) <= 2 else f"{len(names)} systems"
    return Template(_part("compare.html")).substitute(
        title=escape(f"{heading}: a comparison"),
        verdict="".join(f"<p>{escape(with_minus(sentence))}</p>\n" for sentence in verdict(result)),
        lead=escape(score_table(result).caption),
        style=_part("compare.css"),
        remarks="".join(f"<li>{escape(with_minus(remark))}</li>\n" for remark in remarks(result)),
        intervals=_intervals(result),
        scores=_table(replace(score_table(result), caption="Scores and ranks"), "scores"),
        totals=_optional(totals_table(result)),
        types="".join(_types(result)),
        data=_data(result),
        script=_part("compare.js"),
        colophon=escape(made_with(result)),
    )


def _part(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def _optional(table: Table | None) -> str:
    return "" if table is None else _table(table, "totals")


def _table(table: Table, name: str) -> str:
    head = "".join(
        f'<th scope="col"{_class("n" if place >= table.n_words else "")}>'
        f"{escape(_head(column))}</th>"
        for place, column in enumerate(table.columns)
    )
    body = "".join(f"<tr>{''.join(_cells(row, table.n_words))}</tr>\n" for row in table.rows)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="Table: {escape(name)}">'
        f"<table><caption>{escape(table.caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}</tbody></table></div>\n"
    )


def _cells(row: Sequence[Cell], n_words: int) -> Iterator[str]:
    for place, cell in enumerate(row):
        classes = " ".join(
            name for name in ("n" if place >= n_words else "", CLASSES[cell.emphasis]) if name
        )
        text = with_minus(cell.text) if place >= n_words else cell.text
        text = escape(f"{text} {cell.mark}".strip())
        tag = 'th scope="row"' if place == 0 else "td"
        yield f"<{tag}{_class(classes)}>{text}</{tag.split()[0]}>"


def _head(column: str) -> str:
    """Return a column's name; a column "- base" is a difference."""
    return f"− {column[2:]}" if column.startswith("- ") else column


def _class(names: str) -> str:
    return f' class="{names}"' if names else ""


def _intervals(result: Result) -> str:
    """Return a picture of the first metric's scores with their intervals, the best first."""
    metric = result.metrics[0]
    rows = [(system, system.scores[metric]) for system in ordered(result)]
    high = max((s.ci.high if s.ci else s.value or 0.0 for _, s in rows), default=0.0) or 1.0
    scale = BAR_WIDTH / high
    height = ROW_HEIGHT * len(rows)
    name = title(metric, result.signature.beta)
    bars = "".join(
        _bar(system, score.value or 0.0, score.ci, scale, place * ROW_HEIGHT)
        for place, (system, score) in enumerate(rows)
    )
    said = "; ".join(f"{system.name} {score.value or 0.0:.3f}" for system, score in rows)
    return (
        f'{SCROLLED}<svg class="bars" role="img" aria-label="{escape(f"{name}: {said}")}" '
        f'viewBox="0 0 {NAME_ROOM + BAR_WIDTH + 20:g} {height}">{bars}</svg></div>\n'
    )


def _bar(system: System, value: float, ci: Interval | None, scale: float, top: int) -> str:
    middle = top + ROW_HEIGHT / 2
    shown = system.name if len(system.name) <= 18 else f"{system.name[:17]}…"
    whiskers = ""
    if ci is not None:
        low, high = NAME_ROOM + ci.low * scale, NAME_ROOM + ci.high * scale
        whiskers = (
            f'<path class="ci" d="M{low:.1f} {middle:g}H{high:.1f}'
            f'M{low:.1f} {middle - 5:g}v10M{high:.1f} {middle - 5:g}v10"/>'
        )
    return (
        f'<text x="{NAME_ROOM - 8}" y="{middle + 4:g}">{escape(shown)}</text>'
        f'<rect x="{NAME_ROOM}" y="{top + 6}" width="{value * scale:.1f}" '
        f'height="{ROW_HEIGHT - 12}"/>{whiskers}'
    )


def _types(result: Result) -> Iterator[str]:
    """Yield the table of types of each pair, the first of them open."""
    for place, (a, b) in enumerate(pairs(result)):
        table = type_table(result, a, b)
        if table is not None:
            name = escape(f"{b} against {a}")
            body = _type_bars(result, a, b) + _table(table, f"types, {b} against {a}")
            state = " open" if place == 0 else ""
            yield f"<details{state}><summary>{name}</summary>\n{body}</details>\n"


def _type_bars(result: Result, a: str, b: str, most: int = 20) -> str:
    """Return a picture of the differences by type with their intervals, from the tested ones."""
    rows = [row for row in result.types_of(a, b) if row.is_tested and row.ci is not None][:most]
    if not rows:
        return ""
    far = max(max(abs(row.ci.low), abs(row.ci.high)) for row in rows if row.ci) or 1.0
    middle, scale = NAME_ROOM + BAR_WIDTH / 2, BAR_WIDTH / 2 / far
    parts = [f'<path class="zero" d="M{middle:g} 0V{ROW_HEIGHT * len(rows)}"/>']
    for place, row in enumerate(rows):
        at, ci = place * ROW_HEIGHT + ROW_HEIGHT / 2, row.ci
        if ci is None:
            continue
        parts.append(
            f'<text x="{NAME_ROOM - 8}" y="{at + 4:g}">{escape(row.type)}</text>'
            f'<path class="ci" d="M{middle + ci.low * scale:.1f} {at:g}'
            f'H{middle + ci.high * scale:.1f}"/>'
            f'<circle cx="{middle + row.difference * scale:.1f}" cy="{at:g}" r="4"/>'
        )
    label = f"Differences in F by error type, {b} against {a}, with 95 % intervals"
    return (
        f'<figure>{SCROLLED}<svg class="bars" role="img" aria-label="{escape(label)}" viewBox="0 0 '
        f'{NAME_ROOM + BAR_WIDTH + 20:g} {ROW_HEIGHT * len(rows)}">{"".join(parts)}</svg></div>'
        f"<figcaption>{escape(label)}; right of the line {escape(b)} is better.</figcaption>"
        "</figure>\n"
    )


def _data(result: Result) -> str:
    """Return what the script reads, as JSON that cannot end the element that it stands in."""
    record = {
        "systems": [system.name for system in result.systems],
        "annotators": [annotator.id for annotator in result.gold.annotators],
        "sentences": [_sentence(sentence) for sentence in result.sentences],
    }
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _sentence(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence: g are the gold's edits, o those of each system, w whom it is scored by."""
    gold = {edit: place for place, edit in enumerate(sentence.gold)}
    return {
        "i": sentence.id,
        "s": sentence.source,
        "a": list(sentence.annotators),
        "g": [_gold_edit(edit) for edit in sentence.gold],
        "o": [[_output_edit(edit) for edit in system.edits] for system in sentence.systems],
        "m": [[gold[edit] for edit in system.missed] for system in sentence.systems],
        "w": [system.annotator for system in sentence.systems],
    }


def _gold_edit(edit: GoldEdit) -> list[Any]:
    return [edit.start, edit.end, edit.correction, edit.type, list(edit.annotators)]


def _output_edit(edit: OutputEdit) -> list[Any]:
    outcome = OUTCOMES.index(edit.outcome)
    return [
        edit.start,
        edit.end,
        edit.correction,
        edit.type,
        edit.have,
        edit.of,
        outcome,
        int(edit.is_counted),
    ]
