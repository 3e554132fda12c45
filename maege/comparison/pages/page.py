"""A page about systems as one HTML file, which loads nothing: sections of tables and charts.

Tables are HTML. Sentences are stored as JSON and a script shows them on request, so that a page
with thirteen systems is small enough for e-mail.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from maege.comparison.pages.tables import Cell, Table

PAGE = files("maege.comparison.pages")
CLASSES = {"none": "", "best": "best", "like_best": "like", "quiet": "quiet"}
EDITS = "edits"


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
    """Return the whole page, without sections that have no content.

    `edits` are the systems' edits in their sentences, as `edits.js` reads them.
    """
    shown = [section for section in sections if section.html]
    scripts = [part("tables.js")]
    if edits is not None:
        shown.append(PageSection(EDITS, "Edits in their sentences", "Edits", part("edits.html")))
        scripts.append(part("edits.js"))
    return Template(part("page.html")).substitute(
        title=escape(title),
        verdict=paragraphs(verdict),
        lead=escape(lead),
        style=part("page.css") + part("tables.css"),
        nav="".join(
            f'<li><a href="#{section.name}">{escape(section.short)}</a></li>' for section in shown
        ),
        sections="".join(map(_section, shown)),
        data="" if edits is None else _data(edits),
        scripts="".join(f"<script>\n{script}</script>\n" for script in scripts),
        colophon=escape(colophon),
    )


def outcome(have: int, of: int) -> int:
    """Return whether all (0), some (1) or none (2) of the annotators have an edit."""
    return 2 if not have else 0 if have >= of else 1


def part(name: str) -> str:
    """Return a part of the page: its style, a script, or HTML."""
    return (PAGE / name).read_text(encoding="utf-8")


def paragraphs(sentences: Sequence[str]) -> str:
    """Return each sentence as a paragraph."""
    return "".join(f"<p>{escape(sentence)}</p>\n" for sentence in sentences)


def _section(section: PageSection) -> str:
    return (
        f'<section id="{section.name}" aria-labelledby="{section.name}-title">\n'
        f'<h2 id="{section.name}-title">{escape(section.title)}</h2>\n{section.html}</section>\n'
    )


def _data(edits: dict[str, Any]) -> str:
    """Return the edits as JSON that cannot end the element that it is in."""
    text = json.dumps(edits, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return f'<script type="application/json" id="data">{text}</script>\n'


def table_html(table: Table, name: str) -> str:
    """Return the table in a frame that scrolls; `name` is what a screen reader calls it."""
    head = "".join(
        f'<th scope="col"{_class("n" if place >= table.n_words else "")}>{escape(column)}</th>'
        for place, column in enumerate(table.columns)
    )
    body = "".join(
        f"<tr{_class('break' if place in table.breaks else '')}>"
        f"{''.join(_cells(row, table.n_words))}</tr>\n"
        for place, row in enumerate(table.rows)
    )
    return (
        f'<p class="key">{escape(table.caption)}</p>\n'
        f'<div class="wide" tabindex="0" role="region" aria-label="Table: {escape(name)}">'
        f"<table>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}</tbody></table></div>\n"
    )


def _cells(row: Sequence[Cell], n_words: int) -> Iterator[str]:
    for place, cell in enumerate(row):
        classes = " ".join(
            name for name in ("n" if place >= n_words else "", CLASSES[cell.emphasis]) if name
        )
        text = escape(f"{cell.text} {cell.mark}".strip())
        if cell.type:
            text = f'<a href="#edits" data-type="{escape(cell.type)}">{text}</a>'
        tag = 'th scope="row"' if place == 0 else "td"
        yield f"<{tag}{_class(classes)}>{text}</{tag.split()[0]}>"


def _class(names: str) -> str:
    return f' class="{names}"' if names else ""
