"""The cards of the metrics that the page shows in detail."""

import duckdb

from maege.cards.facts import card_of
from maege.cards.page import page
from maege.cards.parts import Lines, Part
from maege.names import UnknownError
from maege.report import templates
from maege.report.exhibits import Section
from maege.report.marts import Marts

PREFIX = "card-"


def sections(marts: Marts) -> list[Section]:
    """Return a section for every metric shown in detail, with a card for each corpus."""
    return [_section(marts, metric) for metric in marts.scope.metrics]


def _section(marts: Marts, metric: str) -> Section:
    cards = {corpus: _card(marts, metric, corpus) for corpus in marts.scope.corpora}
    html = templates.html("card.html.j2", cards=cards, first=marts.scope.first)
    return Section(f"{PREFIX}{metric}", f"What are the results for {metric}?", html=html)


def _card(marts: Marts, metric: str, corpus: str) -> list[Part]:
    try:
        card = card_of(marts.connection, metric, corpus)
    except UnknownError:
        try:
            card = card_of(marts.connection, metric, None)
        except UnknownError as error:
            return [Lines("", [f"{error}."])]
        if card.corpus is not None:
            return [Lines("", [f"{metric} has no scores at corrections of {corpus}."])]
    except duckdb.CatalogException:
        return [Lines("", ["These marts have no cards: an older version published them."])]
    return page(card)
