"""The report of CoNLL-2014 and all human rankings: its size, and its view in a browser."""

from pathlib import Path

import pytest
from axe_rules import INSTALL, SCRIPT, broken_rules
from browser import WITH_CHROMIUM, browser
from building import run

DRAWN = "Promise.all([...drawn.values()].map(exhibit => exhibit.update()))"


@pytest.fixture(scope="module")
def report(conll14_marts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("conll14_report")
    run("maege", conll14_marts, "report", "--out", folder)
    return folder / "index.html"


def test_page_is_small_and_has_every_section(report: Path) -> None:
    assert report.stat().st_size < 5_000_000

    text = report.read_text(encoding="utf-8")
    for name in ("trust", "sentence-level", "corpus-level", "systems", "human-rankings", "clusters",
                 "adversarial", "replication", "worst-pairs"):  # fmt: skip
        assert f'data-name="{name}"' in text, name


@pytest.mark.extended
@WITH_CHROMIUM
@pytest.mark.skipif(not SCRIPT.exists(), reason=f"axe-core is not installed: {INSTALL}")
def test_page_asks_for_nothing_and_is_legible_on_screens_and_on_paper(
    report: Path, tmp_path: Path
) -> None:
    with browser(tmp_path) as tab:
        for width, dark, medium in (
            (1280, False, "screen"),
            (1280, True, "screen"),
            (390, False, "screen"),
            (1280, False, "print"),
        ):
            tab.open(report, width, dark=dark)
            tab.value(DRAWN)
            tab.ask("Emulation.setEmulatedMedia", media=medium)
            assert tab.faults() == {}, (width, medium)
        tab.open(report, 1280)
        tab.value(DRAWN)
        assert broken_rules(tab) == []
        pictures = "[...document.querySelectorAll('.picture:not([hidden])')]"
        assert tab.value(f"{pictures}.filter(each => !(each.ariaLabel.length > 40)).length") == 0
        assert set(tab.requests) == {report.as_uri()}
        assert tab.complaints == []
