"""Generate leaderboards from the published marts: systems by metric, and metrics by lattices."""

from collections.abc import Iterator
from pathlib import Path

import duckdb

from maege.comparison.leaderboard import leaderboard_page, read_leaderboard
from maege.comparison.pages.markdown import markdown_table
from maege.ingest.warehouse import Warehouse, open_marts
from maege.tables import markdown_text as escaped
from maege.unknown import UnknownError

HEAD = """# Leaderboards

The corpora in the published results, each with its default references. `maege leaderboard CORPUS`
writes these pages, with other metrics and references, too. A rank of a metric holds only for the
texts that the metric was tested on.
"""
NONE = "\nNo marts were published when this site was built.\n"
METRICS = """
    select
        metric, kendall_tau_a, ci_low, ci_high, verdict, rank_low, rank_high, tied_share
    from sentence_correlations
    where corpus = ? and experiment = 'random_source' and rank is not null
    order by rank, metric
"""


def leaderboards(warehouse: Path | None) -> dict[str, str]:
    """Return the overview as Markdown and a page for each corpus as HTML, by file name.

    Without a warehouse, the overview has a note instead.
    """
    if warehouse is None:
        return {"leaderboards.md": HEAD + NONE}
    pages = {}
    sections = [HEAD]
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
    """Yield a section with the metrics; nothing if the corpus has none."""
    answer = marts.execute(METRICS, [corpus])
    names = [column[0] for column in answer.description]
    rows = answer.fetchall()
    if rows:
        yield f"\n## {escaped(title)}\n"
        yield f"| {' | '.join(names)} |\n" + "|---" * len(names) + "|"
        yield from ("| " + " | ".join(map(_shown, row)) + " |" for row in rows)


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
