"""Generate the reference of the marts from their dbt YAML files, with a diagram of their keys."""

import re
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import yaml

# Folders of models/marts in reading order, with titles. `stored` has the tables of the views.
GROUPS = {
    "contents": "Contents",
    "dimensions": "Dimensions",
    "validation": "Metrics against lattices",
    "lattices": "Lattices",
    "rankings": "Metrics against judges",
    "systems": "Systems",
    "coverage": "Coverage",
    "papers": "Papers",
}
HIDDEN = {"stored"}
HEAD = """# Marts: keys and columns

The tables and columns of `marts.duckdb`, from the contracts that every build enforces.
`docs/marts.md` lists the purpose of each mart, and `docs/reading-the-marts.md` has queries.

{rows}

```{{toctree}}
:hidden:
{pages}
```
"""


@dataclass(frozen=True)
class Column:
    """A column of a mart."""

    name: str
    kind: str
    may_be_null: bool
    meaning: str


@dataclass(frozen=True)
class Mart:
    """A table of the published file; `refers_to` has dimensions with the columns that join."""

    name: str
    group: str
    meaning: str
    key: tuple[str, ...]
    refers_to: dict[str, tuple[str, ...]]
    columns: tuple[Column, ...]


def read_marts(repository: Path) -> list[Mart]:
    """Return all marts, as their contracts have them."""
    texts = {
        name: body.strip()
        for page in (repository / "models").rglob("*.md")
        for name, body in re.findall(
            r"{% docs (\w+) %}(.*?){% enddocs %}", page.read_text(), re.DOTALL
        )
    }
    found = []
    for path in sorted((repository / "models" / "marts").rglob("*.yml")):
        if path.parent.name not in HIDDEN:
            models = yaml.safe_load(path.read_text())["models"]
            found += [_mart(model, path.parent.name, texts) for model in models]
    return _joined(found)


def marts_pages(repository: Path, folder: Path) -> None:
    """Write a page for each group of marts, and one that lists them."""
    groups: dict[str, list[Mart]] = defaultdict(list)
    for mart in read_marts(repository):
        groups[mart.group].append(mart)
    for group, marts in groups.items():
        (folder / f"marts-{group}.md").write_text(_page(GROUPS.get(group, group.title()), marts))
    order = sorted(groups, key=lambda group: ([*list(GROUPS), group]).index(group))
    rows = ["| group | marts |", "|---|---|"]
    for group in order:
        names = ", ".join(f"[`{m.name}`](#mart-{m.name})" for m in groups[group])
        rows.append(f"| [{GROUPS.get(group, group)}](marts-{group}.md) | {names} |")
    pages = "\n".join(f"marts-{group}" for group in order)
    (folder / "marts.md").write_text(HEAD.format(rows="\n".join(rows), pages=pages))


def _mart(model: dict[str, Any], group: str, texts: dict[str, str]) -> Mart:
    key, refers_to = _keys(model)
    columns = tuple(
        Column(
            column["name"],
            column.get("data_type", ""),
            not any(each["type"] == "not_null" for each in column.get("constraints", [])),
            _resolved(column.get("description", ""), texts),
        )
        for column in model.get("columns", [])
    )
    meaning = _resolved(model.get("description", ""), texts)
    return Mart(model["name"], group, meaning, key, refers_to, columns)


def _keys(model: dict[str, Any]) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return the key of a mart and its references to other marts, from its tests."""
    for test in model.get("data_tests", []):
        if isinstance(test, dict) and "keys" in test:
            said = test["keys"]["arguments"]
            refers = {name: tuple(columns) for name, columns in said.get("refers_to", {}).items()}
            return tuple(said["key"]), refers
    return (), {}


def _joined(marts: list[Mart]) -> list[Mart]:
    """Add references to other marts by equal column names, if the tests do not have them."""
    dimensions = {m.name: m.key for m in marts if m.group == "dimensions" and m.key}
    dimensions |= {m.name: m.key for m in marts if m.name in ("corpora", "metrics")}
    joined = []
    for mart in marts:
        refers = dict(mart.refers_to)
        if not refers:
            near = {
                name: key
                for name, key in dimensions.items()
                if name != mart.name and set(key) <= set(mart.key)
            }
            # `sentences` includes the corpus, so that the diagram needs no arrow to `corpora`.
            refers = {
                name: key
                for name, key in near.items()
                if not any(set(key) < set(other) for other in near.values())
            }
        joined.append(Mart(mart.name, mart.group, mart.meaning, mart.key, refers, mart.columns))
    return joined


def _resolved(text: str, texts: dict[str, str]) -> str:
    found = re.sub(r"{{\s*doc\(['\"](\w+)['\"]\)\s*}}", lambda name: texts[name[1]], text)
    return " ".join(found.split())


def _page(title: str, marts: list[Mart]) -> str:
    lines = [f"# {title}", ""]
    if drawn := diagram(title, marts):
        lines += ["```{raw} html", drawn, "```", ""]
    for mart in marts:
        lines += [f"(mart-{mart.name})=", f"## {mart.name}", "", mart.meaning, ""]
        if mart.key:
            lines += ["Key: " + ", ".join(f"`{name}`" for name in mart.key) + ".", ""]
        for name, columns in mart.refers_to.items():
            using = ", ".join(f"`{column}`" for column in columns)
            lines += [f"Joins [`{name}`](#mart-{name}) using {using}.", ""]
        lines += ["| column | type | NULL | meaning |", "|---|---|---|---|"]
        for column in mart.columns:
            meaning = column.meaning.replace("|", "\\|")
            null = "yes" if column.may_be_null else "no"
            lines.append(f"| `{column.name}` | {column.kind} | {null} | {meaning} |")
        lines.append("")
    return "\n".join(lines)


def diagram(title: str, marts: list[Mart]) -> str:
    """Return an SVG: dimensions at the left, marts at the right, and lines between them."""
    dimensions = sorted({name for mart in marts for name in mart.refers_to})
    if not dimensions:
        return ""
    row, left, width = 22, 190, 640
    height = 12 + row * max(len(dimensions), len(marts))
    step = (height - 12) / len(dimensions)
    places = {name: 6 + step * (n + 0.5) for n, name in enumerate(dimensions)}
    said = f"{title}: " + "; ".join(
        f"{mart.name} refers to {', '.join(mart.refers_to) or 'no dimension'}" for mart in marts
    )
    parts = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(said)}" '
        'font-size="12" fill="currentColor" style="max-width:100%;height:auto">'
    ]
    for name, y in places.items():
        parts.append(f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{name}</text>')
    for n, mart in enumerate(marts):
        y = 6 + row * (n + 0.5)
        parts += [
            f'<line x1="{left}" y1="{places[name]:.0f}" x2="{left + 130}" y2="{y:.0f}" '
            'stroke="currentColor" stroke-opacity=".45"/>'
            for name in mart.refers_to
        ]
        parts.append(f'<text x="{left + 136}" y="{y + 4:.0f}">{mart.name}</text>')
    return "".join([*parts, "</svg>"])
