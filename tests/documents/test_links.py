"""Every link and every file name in README and docs/ exists."""

import re
from pathlib import Path

import pytest
from documents import PAGES, REPOSITORY, anchors, links

# Files of the checkout, written as `docs/...` or `maege/...`.
ROOMS = "analysis|benchmarks|bi|corpora|docs|ingest|macros|maege|models|seeds|tests"
NAMED = re.compile(rf"`((?:{ROOMS})/[\w/.-]+\.(?:md|py|sql|yml|java|ipynb|csv))`", re.IGNORECASE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_what_a_page_links_to_and_names_is_there(page: Path) -> None:
    lost = set()
    for address in links(page):
        if re.match(r"\w+:", address):
            continue
        path, _, anchor = address.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.add(address)
    assert lost == set()
    # The change log says what was. Files that the reader of a tutorial creates do not exist yet.
    if page.name != "CHANGELOG.md":
        named = NAMED.findall(re.sub(r"Save as `[^`]+`", "", page.read_text()))
        assert {path for path in named if not (REPOSITORY / path).exists()} == set()
