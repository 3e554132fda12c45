"""Leaderboards of what is published: systems by metric, and metrics by their lattices."""

from pathlib import Path

import duckdb

from maege.ingest.warehouse import Warehouse, open_marts

HEAD = """# Leaderboards

Of the corpora that the marts of this build hold, with 95 % intervals. A rank is a range where the
data do not tell systems apart: `rank_low` to `rank_high`. No rank of a metric speaks of other texts
than those that it was tested on.
"""
NONE = "\nNo marts were published when this site was built.\n"
SYSTEMS = """
    select reference_set, system, corpus_score, ci_low, ci_high, rank_low, rank_high
    from system_scores
    where corpus = ? and metric = ? and rank is not null
    order by reference_set, rank, system
"""
METRICS = """
    select
        metric, kendall_tau_a, ci_low, ci_high, verdict, rank_low, rank_high, tied_share
    from sentence_correlations
    where corpus = ? and experiment = 'random_source' and rank is not null
    order by rank, metric
"""
# One that reads edits, one that reads texts; in the order of the sections.
SHOWN = ("errant", "gleu")


def leaderboards_page(warehouse: Path | None) -> str:
    """Return the page; without a warehouse it says so."""
    if warehouse is None:
        return HEAD + NONE
    with open_marts(Warehouse(warehouse)) as marts:
        corpora = marts.execute("select corpus, title from corpora order by corpus").fetchall()
        sections = [HEAD]
        for corpus, title in corpora:
            for metric in SHOWN:
                sections += _table(marts, f"{title}: systems by {metric}", SYSTEMS, corpus, metric)
            sections += _table(marts, f"{title}: metrics by Kendall's tau", METRICS, corpus)
    return "\n".join(sections)


def _table(marts: duckdb.DuckDBPyConnection, title: str, query: str, *values: str) -> list[str]:
    """Return a section with the rows of the query, nothing where there are none."""
    answer = marts.execute(query, values)
    names = [column[0] for column in answer.description]
    rows = answer.fetchall()
    if not rows:
        return []
    lines = [f"\n## {title}\n", f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    lines += ["| " + " | ".join(map(_shown, row)) + " |" for row in rows]
    return lines


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
