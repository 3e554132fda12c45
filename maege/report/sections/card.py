"""The cards of the metrics that the page shows in detail."""

from html import escape

import duckdb

from maege.cards.facts import card_of
from maege.cards.page import page
from maege.cards.parts import Differences, Lines, Part, Table
from maege.names import UnknownError
from maege.page_texts import without_folders
from maege.report.exhibits import Section
from maege.report.marts import Marts
from maege.report.sections.validation import html_of

PREFIX = "card-"


def sections(marts: Marts) -> list[Section]:
    """Return a section for every metric shown in detail, with a card for each corpus."""
    return [_section(marts, metric) for metric in marts.scope.metrics]


def _section(marts: Marts, metric: str) -> Section:
    parts = []
    for corpus in marts.scope.corpora:
        hidden = "" if corpus == marts.scope.first else " hidden"
        card = _card(marts, metric, corpus)
        parts.append(f'<div data-corpus="{escape(corpus)}"{hidden}>{card}</div>')
    return Section(
        f"{PREFIX}{metric}", f"What are the results for {metric}?", html="\n".join(parts)
    )


def _card(marts: Marts, metric: str, corpus: str) -> str:
    try:
        card = card_of(marts.connection, metric, corpus)
    except UnknownError:
        try:
            card = card_of(marts.connection, metric, None)
        except UnknownError as error:
            return f"<p>{escape(str(error))}.</p>"
        if card.corpus is not None:
            return f"<p>{escape(metric)} has no scores at corrections of {escape(corpus)}.</p>"
    except duckdb.CatalogException:
        return "<p>These marts have no cards: an older version published them.</p>"
    return "\n".join(map(_part, page(card)))


def _part(part: Part) -> str:
    if isinstance(part, Lines):
        lines = (without_folders(line) for line in part.lines)
        body = "".join(f"<p>{escape(line)}</p>" for line in lines)
    elif isinstance(part, Differences):
        body = _differences(part)
    else:
        body = _table(part)
    note = "" if isinstance(part, Lines) else f'<p class="measure">{escape(part.note)}</p>'
    return f"<h3>{escape(part.title.strip())}</h3>{body}{note}"


def _differences(part: Differences) -> str:
    return "".join(
        f'<div class="pair"><p class="measure">{escape(caption)}</p><p>{html_of(changes)}</p></div>'
        for caption, changes in zip(part.captions, part.texts, strict=True)
    )


def _table(part: Table) -> str:
    kinds = [' class="n"' if name.startswith(" ") else "" for name in part.columns]
    head = "".join(
        f'<th scope="col"{kind}>{escape(name.strip())}</th>' if name.strip() else "<td></td>"
        for name, kind in zip(part.columns, kinds, strict=True)
    )
    body = "".join(
        "<tr>"
        + f'<th scope="row"{_indent(row[0])}>{escape(row[0].strip())}</th>'
        + "".join(
            f"<td{kind}>{escape(cell.strip())}</td>"
            for cell, kind in zip(row[1:], kinds[1:], strict=True)
        )
        + "</tr>"
        for row in part.rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    label = escape(part.title.strip())
    return f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def _indent(cell: str) -> str:
    return ' class="within"' if cell.startswith(" ") else ""
