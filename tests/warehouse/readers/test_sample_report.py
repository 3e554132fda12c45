"""The report of the sample corpus, as a reader opens it."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_rules import INSTALL, SCRIPT, broken_rules
from browser import browser, chromium
from building import run

from maege.cards.facts import read_card
from maege.cards.page import page
from maege.cards.parts import Differences, Lines, Part
from maege.ingest.warehouse import Warehouse
from maege.report.build import read_report

DRAWN = "Promise.all([...drawn.values()].map(exhibit => exhibit.update()))"


@pytest.fixture(scope="module")
def report(published_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the published sample."""
    folder = tmp_path_factory.mktemp("report")
    run("maege", published_sample, "report", "--out", folder)
    return folder / "index.html"


def test_page_of_a_metric_has_all_that_its_card_has(published_sample: Path) -> None:
    warehouse = Warehouse(published_sample)
    section, *_ = read_report(warehouse, "sample", ("m2",), lambda _: None).sections
    assert section.name == "card-m2"
    # The page has a minus sign where the card has a hyphen.
    words = html.unescape(re.sub(r"<[^>]+>", "", section.html)).replace("−", "-")
    card_texts = list(texts(page(read_card(warehouse, "m2", None))))
    assert len(card_texts) > 100
    assert [text for text in card_texts if text.replace("−", "-") not in words] == []


def test_recomputed_numbers_of_papers_are_a_section(replicated_sample: Path) -> None:
    sections = read_report(Warehouse(replicated_sample), "sample", (), lambda _: None).sections
    assert {section.name for section in sections if section.exhibits} >= {"replication", "weights"}


def texts(parts: list[Part]) -> Iterator[str]:
    """Yield all texts of a card."""
    for part in parts:
        yield part.title.strip()
        if isinstance(part, Lines):
            yield from part.lines
        elif isinstance(part, Differences):
            yield from part.captions
            for changes in part.texts:
                yield " ".join(words for _, words in changes)
            yield part.note
        else:
            yield from (name.strip() for name in part.columns)
            yield from (cell.strip() for row in part.rows for cell in row)
            yield part.note


@pytest.mark.extended
@pytest.mark.skipif(chromium() is None, reason="there is no Chromium to open the report in")
@pytest.mark.skipif(not SCRIPT.exists(), reason=f"axe-core is not installed: {INSTALL}")
def test_page_keeps_the_rules_of_accessibility(report: Path, tmp_path: Path) -> None:
    with browser(tmp_path) as tab:
        tab.open(report, 1280)
        tab.value(DRAWN)
        assert broken_rules(tab) == []
        pictures = "[...document.querySelectorAll('.picture:not([hidden])')]"
        assert tab.value(f"{pictures}.filter(each => !(each.ariaLabel.length > 40)).length") == 0
