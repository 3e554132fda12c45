"""Build the site (`make site`) from README, docs/ and reference pages generated from code.

Usage: python docs/site/build.py OUT [--warehouse FOLDER]
"""

import argparse
import re
import shutil
from pathlib import Path

from commands import commands_page
from leaderboards import leaderboards
from marts import marts_pages
from overview import results_page
from sphinx.cmd.build import build_main

REPOSITORY = Path(__file__).resolve().parents[2]
SITE = REPOSITORY / "docs" / "site"
# Files outside docs/ that pages link to.
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
LINKED = ("LICENSE", "maege/comparison/schema.json")
CONTENTS = """
```{toctree}
:hidden:
:caption: Tutorials
docs/tutorials/compare-my-systems
docs/tutorials/try-my-metric
docs/tutorials/run-a-shared-task
docs/tutorials/add-human-judgments
docs/tutorials/ask-the-warehouse
```
```{toctree}
:hidden:
:caption: How-to guides
docs/compare
docs/your-metric
docs/human-rankings
docs/across
docs/connect
docs/explore
docs/cluster
docs/scale
```
```{toctree}
:hidden:
:caption: Reference
reference/commands
docs/corpora
docs/marts
reference/marts
docs/reading-the-marts
docs/metrics
docs/report
docs/results
reference/results
reference/python
docs/marts-contract
docs/glossary
reference/leaderboards
```
```{toctree}
:hidden:
:caption: Explanation
docs/state-of-gec-metrics
docs/methods
docs/coverage
docs/published-runs
docs/imeasure
```
```{toctree}
:hidden:
:caption: Project
docs/architecture
docs/dependencies
CONTRIBUTING
SECURITY
CHANGELOG
```
"""
PYTHON_PAGE = """# Python

```{eval-rst}
.. automodule:: maege
   :no-members:

%s
```
"""


def build(out: Path, warehouse: Path | None, scratch: Path) -> int:
    """Write the site to `out`; return Sphinx's exit code, which is 0 without warnings.

    Args:
        out: the folder of the site; its pages need no server.
        warehouse: the warehouse for the leaderboards; None for a site without leaderboards.
        scratch: a folder for Sphinx's input pages; it is created again.

    """
    shutil.rmtree(scratch, ignore_errors=True)
    boards = leaderboards(warehouse)
    stage(scratch, boards.pop("leaderboards.md"))
    quiet = ["-q", "-n", "-W", "--keep-going"]
    code = build_main([*quiet, "-b", "html", "-c", str(SITE), str(scratch), str(out)])
    for name, page in boards.items():
        (out / "reference" / name).write_text(page, encoding="utf-8")
    return code


def stage(scratch: Path, boards: str) -> None:
    """Copy the pages to their paths in the repository, and write the generated pages."""
    ignored = shutil.ignore_patterns("site", "__pycache__")
    shutil.copytree(REPOSITORY / "docs", scratch / "docs", ignore=ignored)
    for name in (*PAGES, *LINKED):
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, scratch / name)
    (scratch / "index.md").write_text((REPOSITORY / "README.md").read_text() + CONTENTS)
    for page in scratch.rglob("*.md"):
        page.write_text(re.sub(r"\]\((\.\./)*README\.md", r"](\1index.md", page.read_text()))
    reference = scratch / "reference"
    reference.mkdir()
    (reference / "commands.md").write_text(commands_page())
    (reference / "python.md").write_text(python_page())
    (reference / "leaderboards.md").write_text(boards)
    (reference / "results.md").write_text(results_page())
    marts_pages(REPOSITORY, reference)


def python_page() -> str:
    """Return the reference of the Python interface, from its docstrings."""
    import maege

    names = sorted(maege.__all__)
    return PYTHON_PAGE % "\n".join(f".. autofunction:: maege.{name}" for name in names)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--warehouse", type=Path)
    given = parser.parse_args()
    raise SystemExit(build(given.out, given.warehouse, given.out.with_name("site-pages")))
