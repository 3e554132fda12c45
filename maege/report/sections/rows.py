"""Rows of exhibits that differ from the rows of their queries, and values of templates."""

from itertools import groupby

from maege.cards.page import shortened, word_changes
from maege.numbers import format_score
from maege.page_texts import without_folders
from maege.report.exhibits import Row
from maege.report.marts import Marts
from maege.report.templates import marked_changes

ADVERSARIAL = {
    "source": "the source copied",
    "empty": "nothing at all",
    "constant": "one constant sentence",
    "shuffled": "words shuffled",
    "doubled_word": "a word doubled",
    "injected_prompt": "a prompt injected",
    "other_reference": "another's reference",
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
    order = {system: number for number, system in enumerate(ADVERSARIAL)}
    return [
        row
        | {
            "made": ADVERSARIAL.get(row["system"], row["system"]),
            "order": order.get(row["system"], len(order)),
        }
        for row in rows
    ]


def first_references(marts: Marts) -> dict[str, str]:
    """Return the judgment set and reference set that the first screen shows."""
    shown = [row for row in marts.ask("verdict") if row["judgment_set"] is not None]
    first = next((row for row in shown if row["corpus"] == marts.scope.first), None)
    row = first or (shown[0] if shown else {})
    return {name: row.get(name) or "" for name in ("judgment_set", "reference_set")}


def with_first_references(marts: Marts, rows: list[Row]) -> list[Row]:
    """Return rows with one reference set per judgment set: that of the first screen, if possible.

    Nine reference sets would double the size of the page; the marts have all of them.
    """
    first = first_references(marts)["reference_set"]
    chosen: dict[tuple[str, str], str] = {}
    for row in rows:
        key, name = (row["corpus"], row["judgment_set"]), row["reference_set"]
        if key not in chosen or name == first:
            chosen[key] = name
    return [
        row for row in rows if row["reference_set"] == chosen[row["corpus"], row["judgment_set"]]
    ]


def coverage(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Set the heights of the numbers at the ends of curves, so that they do not overlap."""
    ends: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        row["label_height"] = None
        key = row["corpus"], row["measure"], row["estimator"]
        if key not in ends or row["n_references"] > ends[key]["n_references"]:
            ends[key] = row
    below: dict[tuple[str, str], float] = {}
    for row in sorted(ends.values(), key=lambda row: float(row["expected_share"])):
        curves = row["corpus"], row["measure"]
        lowest = below.get(curves, -1) + LINE
        row["label_height"] = below[curves] = max(row["expected_share"], lowest)
    return rows


def weights(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Select weights in steps of 0.05, and the published ones."""
    return [
        row
        for row in rows
        if row["is_published"]
        or all(round(row[name] * 100) % 5 == 0 for name in ("fluency_weight", "meaning_weight"))
    ]


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
    names = ("reason", "remedy")
    return [row | {name: without_folders(row[name] or "") for name in names} for row in rows]


def sources(marts: Marts) -> dict[str, object]:
    """Return when and with which programs the marts were built."""
    facts = {str(row["fact"]): str(row["value"]) for row in marts.ask("publication")}
    named = {name: facts.pop(name) for name in ("built_at", "published_at", "marts_version")}
    ((engine,),) = marts.connection.execute("select version()").fetchall()
    return {**named, "programs": facts, "engine": str(engine).removeprefix("v")}
