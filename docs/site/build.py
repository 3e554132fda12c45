"""Build the site (`make site`) from README, docs/ and reference pages generated from code.

Usage: python docs/site/build.py OUT [--warehouse FOLDER]
"""

import argparse
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import duckdb
import yaml
from sphinx.cmd.build import build_main
from typer.core import TyperGroup
from typer.main import get_command

import maege
from maege.cards.output import markdown
from maege.cli import app
from maege.comparison.leaderboard import leaderboard_page, read_leaderboard
from maege.comparison.pages.text import markdown_table
from maege.ingest.warehouse import Warehouse, open_marts
from maege.names import UnknownError
from maege.rows import records
from maege.shipped.command import overview
from maege.shipped.read import results
from maege.tables import markdown_text as escaped

LEADERBOARDS = """# Leaderboards

The corpora in the published results, each with its default references. `maege leaderboard CORPUS`
writes these pages, with other metrics and references, too. A rank of a metric holds only for the
texts that the metric was tested on.
"""
NONE = "\nNo marts were published when this site was built.\n"
METRIC_RANKS = """
    select
        metric, kendall_tau_a, ci_low, ci_high, verdict, rank_low, rank_high, tied_share
    from sentence_correlations
    where corpus = ? and experiment = 'random_source' and rank is not null
    order by rank, metric
"""


def leaderboards(warehouse: Path | None) -> dict[str, str]:
    """Return the overview as Markdown and a page for each corpus as HTML, by file name."""
    if warehouse is None:
        return {"leaderboards.md": LEADERBOARDS + NONE}
    pages = {}
    sections = [LEADERBOARDS]
    with open_marts(Warehouse(warehouse)) as marts:
        corpora = marts.execute("select corpus, title from corpora order by corpus").fetchall()
        for corpus, title in corpora:
            try:
                board = read_leaderboard(marts, corpus)
            except UnknownError:
                continue
            name = f"leaderboard-{corpus}.html"
            pages[name] = leaderboard_page(board)
            sections += [
                f"\n## {escaped(title)}: systems\n",
                f"{escaped(' '.join(board.verdict))}\n",
                f'<a href="{name}">All tests, error types, annotators and edits</a>\n',
                markdown_table(board.tables["ranking"]),
                *_metrics(marts, f"{title}: metrics by Kendall's tau", corpus),
            ]
    return {"leaderboards.md": "\n".join(sections), **pages}


def _metrics(marts: duckdb.DuckDBPyConnection, title: str, corpus: str) -> Iterator[str]:
    rows = records(marts.execute(METRIC_RANKS, [corpus]))
    if rows:
        yield f"\n## {escaped(title)}\n"
        yield f"| {' | '.join(rows[0])} |\n" + "|---" * len(rows[0]) + "|"
        yield from ("| " + " | ".join(map(_shown, row.values())) + " |" for row in rows)


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


COMMANDS = """# Commands

The help texts of `maege COMMAND --help`. Exit codes: 0 done, 1 something failed, 2 bad input or
usage. The warehouse is the folder that `MAEGE_WAREHOUSE` names, else `./warehouse`.
"""


def _command_sections(name: str, command: Any) -> Iterator[str]:  # noqa: ANN401 - private class
    if isinstance(command, TyperGroup):
        for word, subcommand in command.commands.items():
            yield from _command_sections(f"{name} {word}", subcommand)
    else:
        context = command.make_context(name, [], resilient_parsing=True)
        yield f"\n## {name}\n\n```text\n{command.get_help(context).strip()}\n```\n"


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

    Leaderboards need a warehouse. `scratch` is a folder for Sphinx's input pages.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    boards = leaderboards(warehouse)
    _stage(scratch, boards.pop("leaderboards.md"))
    quiet = ["-q", "-n", "-W", "--keep-going"]
    code = build_main([*quiet, "-b", "html", "-c", str(SITE), str(scratch), str(out)])
    for name, page in boards.items():
        (out / "reference" / name).write_text(page, encoding="utf-8")
    return code


def _stage(scratch: Path, boards: str) -> None:
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
    sections = _command_sections("maege", get_command(app))
    (reference / "commands.md").write_text(COMMANDS + "\n".join(sections))
    functions = "\n".join(f".. autofunction:: maege.{name}" for name in sorted(maege.__all__))
    (reference / "python.md").write_text(PYTHON_PAGE % functions)
    (reference / "leaderboards.md").write_text(boards)
    with results() as connection:
        title, *parts = markdown(overview(connection)).partition("\n")
    page = f"# Published results\n\n{title.removeprefix('# ')}\n{''.join(parts)}"
    (reference / "results.md").write_text(page)
    _write_marts_pages(reference)


# Folders of models/marts in reading order, with titles.
MART_GROUPS = {
    "contents": "Contents",
    "dimensions": "Dimensions",
    "validation": "Metrics against lattices",
    "lattices": "Lattices",
    "rankings": "Metrics against judges",
    "systems": "Systems",
    "coverage": "Coverage",
    "papers": "Papers",
}
MARTS_HEAD = """# Marts: keys and columns

The tables and columns of `marts.duckdb`, from the contracts that every build enforces.
`docs/marts.md` lists the purpose of each mart, and `docs/reading-the-marts.md` has queries.

{rows}

```{{toctree}}
:hidden:
{pages}
```
"""


# A table of the published file, as its YAML has it, with its group, its key, and `refers_to`: the
# dimensions with the columns that join.
Mart = dict[str, Any]


def _read_marts() -> list[Mart]:
    texts = {
        name: body.strip()
        for page in (REPOSITORY / "models").rglob("*.md")
        for name, body in re.findall(
            r"{% docs (\w+) %}(.*?){% enddocs %}", page.read_text(), re.DOTALL
        )
    }
    marts = []
    for path in sorted((REPOSITORY / "models" / "marts").rglob("*.yml")):
        if path.parent.name == "stored":  # the tables behind views
            continue
        for mart in yaml.safe_load(path.read_text())["models"]:
            tests = [test for test in mart.get("data_tests", []) if "keys" in test]
            keys = tests[0]["keys"]["arguments"] if tests else {"key": []}
            mart |= {"group": path.parent.name, "refers_to": {}, **keys}
            for part in (mart, *mart["columns"]):
                part["description"] = _resolved(part.get("description", ""), texts)
            marts.append(mart)
    _add_references(marts)
    return marts


def _write_marts_pages(folder: Path) -> None:
    groups: dict[str, list[Mart]] = defaultdict(list)
    for mart in _read_marts():
        groups[mart["group"]].append(mart)
    for group, marts in groups.items():
        (folder / f"marts-{group}.md").write_text(
            _marts_page(MART_GROUPS.get(group, group.title()), marts)
        )
    order = sorted(groups, key=lambda group: ([*list(MART_GROUPS), group]).index(group))
    rows = ["| group | marts |", "|---|---|"]
    for group in order:
        names = ", ".join(f"[`{m['name']}`](#mart-{m['name']})" for m in groups[group])
        rows.append(f"| [{MART_GROUPS.get(group, group)}](marts-{group}.md) | {names} |")
    pages = "\n".join(f"marts-{group}" for group in order)
    (folder / "marts.md").write_text(MARTS_HEAD.format(rows="\n".join(rows), pages=pages))


def _add_references(marts: list[Mart]) -> None:
    """Add references to other marts by equal column names, if the tests do not have them."""
    dimensions = {m["name"]: m["key"] for m in marts if m["group"] == "dimensions" and m["key"]}
    dimensions |= {m["name"]: m["key"] for m in marts if m["name"] in ("corpora", "metrics")}
    for mart in marts:
        near = {
            name: key
            for name, key in dimensions.items()
            if name != mart["name"] and set(key) <= set(mart["key"])
        }
        # `sentences` includes the corpus, so that the diagram needs no arrow to `corpora`.
        mart["refers_to"] = mart["refers_to"] or {
            name: key
            for name, key in near.items()
            if not any(set(key) < set(other) for other in near.values())
        }


def _resolved(text: str, texts: dict[str, str]) -> str:
    resolved = re.sub(r"{{\s*doc\(['\"](\w+)['\"]\)\s*}}", lambda name: texts[name[1]], text)
    return " ".join(resolved.split())


def _marts_page(title: str, marts: list[Mart]) -> str:
    lines = [f"# {title}", ""]
    if svg := diagram(title, marts):
        lines += ["```{raw} html", svg, "```", ""]
    for mart in marts:
        name = mart["name"]
        lines += [f"(mart-{name})=", f"## {name}", "", mart["description"], ""]
        if mart["key"]:
            lines += ["Key: " + ", ".join(f"`{name}`" for name in mart["key"]) + ".", ""]
        for name, columns in mart["refers_to"].items():
            using = ", ".join(f"`{column}`" for column in columns)
            lines += [f"Joins [`{name}`](#mart-{name}) using {using}.", ""]
        lines += ["| column | type | NULL | meaning |", "|---|---|---|---|"]
        for column in mart["columns"]:
            meaning = column["description"].replace("|", "\\|")
            null = "no" if {"type": "not_null"} in column.get("constraints", []) else "yes"
            lines.append(f"| `{column['name']}` | {column['data_type']} | {null} | {meaning} |")
        lines.append("")
    return "\n".join(lines)


def diagram(title: str, marts: list[Mart]) -> str:
    """Return an SVG: dimensions at the left, marts at the right, and lines between them."""
    dimensions = sorted({name for mart in marts for name in mart["refers_to"]})
    if not dimensions:
        return ""
    row, left, width = 22, 190, 640
    height = 12 + row * max(len(dimensions), len(marts))
    step = (height - 12) / len(dimensions)
    places = {name: 6 + step * (n + 0.5) for n, name in enumerate(dimensions)}
    label = f"{title}: " + "; ".join(
        f"{mart['name']} refers to {', '.join(mart['refers_to']) or 'no dimension'}"
        for mart in marts
    )
    parts = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}" '
        'font-size="12" fill="currentColor" style="max-width:100%;height:auto">'
    ]
    for name, y in places.items():
        parts.append(f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{name}</text>')
    for n, mart in enumerate(marts):
        y = 6 + row * (n + 0.5)
        parts += [
            f'<line x1="{left}" y1="{places[name]:.0f}" x2="{left + 130}" y2="{y:.0f}" '
            'stroke="currentColor" stroke-opacity=".45"/>'
            for name in mart["refers_to"]
        ]
        parts.append(f'<text x="{left + 136}" y="{y + 4:.0f}">{mart["name"]}</text>')
    return "".join([*parts, "</svg>"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--warehouse", type=Path)
    arguments = parser.parse_args()
    raise SystemExit(
        build(arguments.out, arguments.warehouse, arguments.out.with_name("site-pages"))
    )
