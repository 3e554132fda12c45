"""The site builds without a warning; its links work, and it contacts no other host."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from axe_rules import INSTALL, SCRIPT, broken_rules, overflows
from browser import WITH_CHROMIUM, browser
from building import REPOSITORY

PAGES = ("index", "docs/corpora", "reference/commands", "reference/marts-systems")
HREF = re.compile(r'(?:href|src)="([^"]+)"')
ELSEWHERE = re.compile(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//')


@pytest.fixture(scope="module")
def site(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("sphinx") is None:
        pytest.skip("there is no Sphinx: pip install --no-deps -r requirements-site.lock")
    out = tmp_path_factory.mktemp("site") / "out"
    line = [sys.executable, "docs/site/build.py", str(out), "--warehouse", str(sample_warehouse)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    built = subprocess.run(
        line, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )
    assert (built.returncode, built.stderr) == (0, "")
    return out


def test_every_link_leads_to_a_page_and_a_place_on_it(site: Path) -> None:
    texts = {path: path.read_text() for path in site.rglob("*.html")}
    lost = []
    for page, text in texts.items():
        for address in set(HREF.findall(text)):
            path, _, place = address.partition("#")
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            if re.match(r"\w+:", address):
                continue
            exists = target.exists() and (not place or f'id="{place}"' in texts.get(target, ""))
            if not exists:
                lost.append((page.name, address))
    assert len(texts) > 30
    assert lost == []


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    loading = [path.name for path in site.rglob("*.html") if ELSEWHERE.search(path.read_text())]
    assert loading == []


def test_leaderboards_have_intervals_and_marts_their_keys(site: Path) -> None:
    boards = (site / "reference" / "leaderboards.html").read_text()
    assert "thorough is best" in boards
    assert "rank range" in boards
    page = (site / "reference" / "leaderboard-sample.html").read_text()
    assert "<h1>Learner sentences written for this project</h1>" in page
    marts = (site / "reference" / "marts-systems.html").read_text()
    assert "edit_chunks refers to sentences, systems, reference_sets" in marts


@WITH_CHROMIUM
@pytest.mark.skipif(not SCRIPT.exists(), reason=f"axe-core is not installed: {INSTALL}")
def test_pages_keep_the_rules_of_accessibility_on_a_screen_and_a_telephone(
    site: Path, tmp_path: Path
) -> None:
    with browser(tmp_path) as tab:
        for name in PAGES:
            for width in (1280, 390):
                tab.open(site / f"{name}.html", width)
                assert broken_rules(tab) == [], (name, width)
                assert not overflows(tab), (name, width)
        assert [address for address in tab.requests if address.startswith("http")] == []
