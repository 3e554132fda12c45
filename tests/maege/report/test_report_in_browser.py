"""The report in a browser: on a screen, in dark mode, on a phone and on paper."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import WITH_CHROMIUM, Page, browser
from small_marts import publish, rendered

from maege.ingest.warehouse import Warehouse
from maege.report.build import read_report

DRAWN = "Promise.all([...drawn.values()].map(exhibit => exhibit.update()))"

pytestmark = [pytest.mark.slow, WITH_CHROMIUM]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of marts made by hand."""
    folder = tmp_path_factory.mktemp("browser")
    contents = read_report(Warehouse(publish(folder / "warehouse")), None, (), lambda _: None)
    (folder / "index.html").write_text(rendered(contents), encoding="utf-8")
    return folder / "index.html"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A tab of a browser without a window."""
    with browser(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


def test_text_is_legible_in_dark_mode_and_nothing_is_loaded(report: Path, page: Page) -> None:
    page.requests.clear()
    page.complaints.clear()
    page.open(report, 1280, dark=True)
    page.value(DRAWN)
    page.value("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    assert page.faults() == {}
    assert page.requests == [report.as_uri()]
    assert page.complaints == []
    texts = page.value("[...document.querySelectorAll('svg text')].map(text => text.textContent)")
    assert len(texts) > 20
    assert "null" not in texts


def test_filters_change_words_tables_and_pictures(report: Path, page: Page) -> None:
    page.open(report, 1280)
    page.value(DRAWN)

    def seen() -> tuple[int, str, str]:
        return (
            page.value("document.querySelectorAll('#trust tbody tr:not([hidden])').length"),
            page.value("document.querySelector('#trust .live svg').textContent"),
            page.value("document.querySelector('#verdict div:not([hidden]) p').textContent"),
        )

    def choose(form: str, name: str, value: str) -> None:
        page.value(
            f"(() => {{ const select = document.querySelector('{form} [name={name}]');"
            f"select.value = '{value}';"
            "select.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )
        page.value(DRAWN)

    rows, labels, words = seen()
    assert rows == 6
    choose(".filters", "metric_group", "edits")
    # M2 and two rows of chance, which are shown in every group.
    assert seen()[0] == 3
    assert "gleu" in labels
    assert "gleu" not in seen()[1]
    choose(".filters", "metric_group", "all")
    choose(".filters", "corpus", "two")
    assert seen()[0] == 5
    assert seen()[2] != words
    choose(".filters", "corpus", "one")
    assert seen() == (rows, labels, words)
    choose("#systems-picture", "metric", "m2")
    shown = "[...document.querySelectorAll('#systems-picture tbody tr:not([hidden])')]"
    assert page.value(f"{shown}.every(row => row.cells[5].textContent === 'm2')")


def test_a_click_on_a_metric_shows_its_sentences(report: Path, page: Page) -> None:
    page.open(report, 1280)
    page.value(DRAWN)
    chosen = "document.querySelector('#worst-pairs [name=metric]').value"
    first = page.value(chosen)
    link = "[...document.querySelectorAll('.shares a[data-metric]')]"
    other_names = f"{link}.map(each => each.dataset.metric).filter(name => name !== '{first}')"
    (other, *_) = page.value(other_names)
    page.value(f"{link}.find(each => each.dataset.metric === '{other}').click()")
    assert page.value(chosen) == other
    rows = "[...document.querySelectorAll('#worst-pairs tbody tr:not([hidden])')]"
    assert page.value(f"{rows}.every(row => row.cells[5].textContent === '{other}')")


def test_sections_without_data_are_hidden_and_listed(report: Path, page: Page) -> None:
    page.open(report, 1280)
    assert page.value("document.querySelector('#clusters').checkVisibility()")
    page.value(
        "(() => { const select = document.querySelector('.filters [name=corpus]');"
        "select.value = 'two'; select.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )
    page.value(DRAWN)
    assert not page.value("document.querySelector('#clusters').checkVisibility()")
    assert page.value("document.querySelector('#trust').checkVisibility()")
    listed = page.value("document.getElementById('absent').textContent")
    assert "Judges" in listed
    assert "Verdict" not in listed
    assert not page.value(
        "document.querySelector('nav a[href=\"#human-rankings\"]').checkVisibility()"
    )


def test_paper_has_still_pictures_and_open_tables_in_black_on_white(
    report: Path, page: Page, tmp_path: Path
) -> None:
    page.open(report, 1280, dark=True)
    page.value(DRAWN)
    page.value("document.querySelector('#trust details').open = true")
    page.ask("Emulation.setEmulatedMedia", media="print")
    seen = "document.querySelector('{}').checkVisibility()"
    assert page.value(seen.format("#trust .still"))
    assert not page.value(seen.format("#trust .live"))
    assert not page.value(seen.format("nav"))
    assert page.value(seen.format("#trust table"))
    assert not page.value(seen.format("#sentence-level table"))
    assert page.value("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert not {"cut", "over"} & page.faults().keys()
    page.print(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_without_scripts_the_first_choice_is_there(report: Path, page: Page) -> None:
    page.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(report, 1280)
        assert page.value("document.querySelector('#trust .still svg').checkVisibility()")
        assert page.value("document.querySelectorAll('#trust tr:not([hidden])').length") == 7
    finally:
        page.ask("Emulation.setScriptExecutionDisabled", value=False)
