"""The report of the sample corpus, as a reader opens it."""

from pathlib import Path

import pytest
from browser import browser, chromium
from building import copy_of, run

CHECKS = (Path(__file__).parent.parent / "maege" / "browser_checks.js").read_text()
DRAWN = "Promise.all([...drawn.values()].map(exhibit => exhibit.update()))"


@pytest.fixture(scope="module")
def report(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a published copy of the sample."""
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("report") / "warehouse")
    run("maege", warehouse, "publish")
    run("maege", warehouse, "report")
    return warehouse / "report" / "index.html"


def test_page_is_small_enough_to_mail(report: Path) -> None:
    assert report.stat().st_size < 5_000_000


@pytest.mark.skipif(
    chromium() is None,
    reason="there is no Chromium to open the report in: sudo apt-get install chromium",
)
@pytest.mark.parametrize("width", [1280, 390])
def test_page_asks_for_nothing_and_is_legible(report: Path, tmp_path: Path, width: int) -> None:
    with browser(tmp_path) as page:
        page.open(report, width)
        page.value(DRAWN)
        said = page.value(CHECKS)
        assert page.requests == [report.as_uri()]
        assert page.complaints == []
    assert {kind: found for kind, found in said.items() if found} == {}
