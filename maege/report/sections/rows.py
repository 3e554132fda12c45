"""Rows of exhibits that differ from the rows of their queries, and values of templates."""

from collections import Counter
from itertools import groupby
from typing import Any

from maege.cards.page import shortened, word_changes
from maege.numbers import format_number, format_score
from maege.page_texts import without_folders
from maege.report.exhibits import Row
from maege.report.marts import Marts
from maege.report.templates import html, marked_changes

ADVERSARIAL = {
    "source": "the source copied",
    "empty": "nothing at all",
    "constant": "one constant sentence",
    "shuffled": "words shuffled",
    "doubled_word": "a word doubled",
    "injected_prompt": "a prompt injected",
    "other_reference": "another's reference",
}
STATUSES = {
    "exact": {"sign": "●", "meaning": "equal at the printed digits"},
    "close": {"sign": "◐", "meaning": "inside a stated band"},
    "differs": {"sign": "✕", "meaning": "the note says why"},
    "not_reproducible": {"sign": "○", "meaning": "data or tool not available"},
}
# Share of the height of the chart of coverage that a line of text takes.
LINE = 13 / 240


def _key(row: Row) -> tuple[str, str]:
    return row["corpus"], row["metric"]


def corpus_level(marts: Marts, rows: list[Row]) -> list[Row]:
    """Add all draws; without them, the first draw."""
    draws = {_key(row): row["draws"] for row in marts.ask("corpus_draws")}
    return [row | {"draws": draws.get(_key(row), [row["rho_of_first_draw"]])} for row in rows]


def error_types(marts: Marts, rows: list[Row]) -> list[Row]:
    """Add the line of each metric: by name, with chance last."""
    lines = sorted(
        {row["metric"] for row in rows},
        key=lambda metric: (marts.group(metric) == "chance", metric),
    )
    return [row | {"line": lines.index(row["metric"])} for row in rows]


def error_types_of_a_metric(marts: Marts, rows: list[Row]) -> list[Row]:
    """Select the metrics that the page shows in detail, if they have rows."""
    for order, row in enumerate(rows):
        row["order"] = order
    return marts.dwell(rows) or rows


def number_of_edits(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Mark the first and the last point of each metric."""
    for _, group in groupby(rows, _key):
        points = list(group)
        for row in points:
            row["end"] = "last" if row is points[-1] else "first" if row is points[0] else None
    return rows


def systems(marts: Marts, rows: list[Row]) -> list[Row]:
    """Select the metrics that the page shows in detail; add the score as text."""
    return [row | {"shown": format_score(row["corpus_score"], 3)} for row in marts.dwell(rows)]


def adversarial(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Add the order of the artificial outputs and their names for readers."""
    order = list(ADVERSARIAL)
    for row in rows:
        system = row["system"]
        row["made"] = ADVERSARIAL.get(system, system)
        row["order"] = order.index(system) if system in order else len(order)
    return rows


def first_references(marts: Marts) -> dict[str, str]:
    """Return the judgment set and reference set that the first screen shows."""
    shown = [row for row in marts.ask("verdict") if row["judgment_set"] is not None]
    shown.sort(key=lambda row: row["corpus"] != marts.scope.first)
    row = next(iter(shown), {})
    return {name: row.get(name) or "" for name in ("judgment_set", "reference_set")}


def with_first_references(marts: Marts, rows: list[Row]) -> list[Row]:
    """Return rows with one reference set per judgment set: that of the first screen, if possible.

    Nine reference sets would double the size of the page; the marts have all of them.
    """
    first = first_references(marts)["reference_set"]
    chosen: dict[tuple[str, str], str] = {}
    for row in sorted(rows, key=lambda row: row["reference_set"] != first):
        chosen.setdefault((row["corpus"], row["judgment_set"]), row["reference_set"])
    return [
        row for row in rows if row["reference_set"] == chosen[row["corpus"], row["judgment_set"]]
    ]


def coverage(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Set the heights of the numbers at the ends of curves, so that they do not overlap."""
    ends: dict[tuple[str, str, str], Row] = {}
    for row in sorted(rows, key=lambda row: -int(row["n_references"])):
        row["label_height"] = None
        ends.setdefault((row["corpus"], row["measure"], row["estimator"]), row)
    below: dict[tuple[str, str], float] = {}
    for row in sorted(ends.values(), key=lambda row: float(row["expected_share"])):
        curves = row["corpus"], row["measure"]
        lowest = below.get(curves, -1) + LINE
        row["label_height"] = below[curves] = max(row["expected_share"], lowest)
    return rows


def worst_pairs(marts: Marts, rows: list[Row]) -> list[Row]:
    """Select the metrics that the page shows in detail; add the marked changes."""
    return [
        row
        | {
            "edits": marked_changes(shortened(word_changes(row["lower_text"], row["upper_text"]))),
            "about": row["error_type"] or f"{row['n_edits_between']} edits",
        }
        for row in marts.dwell(rows)
    ]


def corpora(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Rename the corpus, because the filter for corpora does not apply; format the time."""
    for row in rows:
        row["name"] = row.pop("corpus")
        # The published results have no times of ingests.
        row["ingested"] = f"{at:%Y-%m-%d %H:%M}" if (at := row["ingested_at"]) else None
    return rows


def missing(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Remove the folders of this machine."""
    for row in rows:
        row |= {name: without_folders(row[name] or "") for name in ("reason", "remedy")}
    return rows


def sources(marts: Marts) -> dict[str, object]:
    """Return when and with which programs the marts were built."""
    facts = {str(row["fact"]): str(row["value"]) for row in marts.ask("publication")}
    named = {name: facts.pop(name) for name in ("built_at", "published_at", "marts_version")}
    ((engine,),) = marts.connection.execute("select version()").fetchall()
    return {**named, "programs": facts, "engine": str(engine).removeprefix("v")}


def replication(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Select the recomputed numbers; mark those in the chart, and label the largest error."""
    recomputed = [row for row in rows if row["reproduced"] is not None]
    for paper, group in groupby(recomputed, lambda row: row["paper"]):
        paper_rows = list(group)
        # Only numbers up to 1 for most papers, as counts would hide them.
        small = [row for row in paper_rows if _largest(row) <= 1]
        most = 1 if 2 * len(small) >= len(paper_rows) else 100
        points = [row for row in paper_rows if _largest(row) <= most]
        n_exact = sum(row["status"] == "exact" for row in points)
        worst = max(points, key=lambda row: abs(row["reproduced"] - row["published"]))
        for row in paper_rows:
            row["status_name"] = row["status"].replace("_", " ")
            row["place"] = f"{row['exhibit']}, {row['row_label']}, {row['column_label']}"
            row["is_drawn"] = _largest(row) <= most
            row["panel"] = f"{paper}: {n_exact} of {len(points)} exact"
            row["label"] = None
        if worst["status"] != "exact":
            worst["label"] = f"{worst['published_text']} → {_number(worst['reproduced'])}"
    return recomputed


def _largest(row: Row) -> float:
    return float(max(abs(row["published"]), abs(row["reproduced"])))


def replication_values(marts: Marts) -> dict[str, Any]:
    """Return the number of printed numbers by status, and the tables of the papers."""
    printed = marts.ask("replication")
    counts = Counter(row["status"] for row in printed)
    groups = groupby(printed, lambda row: (row["paper"], row["exhibit"]))
    tables = {names: list(group) for names, group in groups}
    return {
        "n": len(printed),
        "counts": {status: counts[status] for status in STATUSES if counts[status]},
        "statuses": STATUSES,
        "html": html("papers.html.j2", statuses=STATUSES, tables=tables, number_of=_number),
    }


def _number(value: float) -> str:
    return format_number(value, 2 if abs(value) < 10 else 0)
