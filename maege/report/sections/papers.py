"""Comparison of numbers printed in papers with those of MAEGE."""

from collections import Counter
from itertools import groupby
from typing import Any

from maege.numbers import format_number
from maege.report import templates
from maege.report.exhibits import Row
from maege.report.marts import Marts

STATUSES = {
    "exact": {"sign": "●", "meaning": "equal at the printed digits"},
    "close": {"sign": "◐", "meaning": "inside a stated band"},
    "differs": {"sign": "✕", "meaning": "the note says why"},
    "not_reproducible": {"sign": "○", "meaning": "data or tool not available"},
}


def rows(marts: Marts, printed: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Return the recomputed numbers; mark those in the chart, and label the largest error."""
    recomputed = [row for row in printed if row["reproduced"] is not None]
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


def values(marts: Marts) -> dict[str, Any]:
    """Return the number of printed numbers by status, and the tables of the papers."""
    printed = marts.ask("replication")
    counts = Counter(row["status"] for row in printed)
    groups = groupby(printed, lambda row: (row["paper"], row["exhibit"]))
    tables = {names: list(group) for names, group in groups}
    return {
        "n": len(printed),
        "counts": {status: counts[status] for status in STATUSES if counts[status]},
        "statuses": STATUSES,
        "html": templates.html(
            "papers.html.j2", statuses=STATUSES, tables=tables, number_of=_number
        ),
    }


def _number(value: float) -> str:
    return format_number(value, 2 if abs(value) < 10 else 0)
