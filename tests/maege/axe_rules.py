"""Accessibility rules (axe-core) for a page in Chromium."""

from pathlib import Path
from typing import Any

from browser import Page

SCRIPT = Path(__file__).parents[1] / "axe" / "node_modules" / "axe-core" / "axe.min.js"
INSTALL = "npm ci --ignore-scripts --prefix tests/axe"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """
axe.run(document, {resultTypes: ['violations'], runOnly: %s}).then(found =>
  found.violations.map(each => [each.id, each.nodes.length, each.nodes[0].html.slice(0, 120)]))
"""


def broken_rules(page: Page) -> list[Any]:
    """Return for each broken rule its name, the number of elements, and the first element."""
    page.value(SCRIPT.read_text() + "; 0")
    return list(page.value(RUN % RULES))


def overflows(page: Page) -> bool:
    return bool(page.value("document.documentElement.scrollWidth > innerWidth + 1"))
