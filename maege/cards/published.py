"""The published results of the corpora that a user metric is evaluated on, next to its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from maege.building.publish import variables_of
from maege.ingest.findings import listing
from maege.names import in_a_sentence
from maege.rows import Row, records
from maege.shipped.read import has_results, read_provenance, results

# Variables that change no number of a corpus.
_OTHER_VARIABLES = {"metrics", "workers", "scheduler", "replication", "replicated_metrics"}
_TASKS = """
    select level, corpus, judgment_set, metric, estimate, ci_low, ci_high, in_best_set
    from best_metrics
    where estimate is not null
"""
_FILES = """
    select corpus, sha256, any_value(path), any_value(role)
    from corpus_files
    where role <> 'manifest'
    group by all
"""


@dataclass(frozen=True)
class Published:
    """Published results of the corpora of a card.

    `tasks` are rows of `best_metrics` for corpora with the same data files, without the metrics
    whose signatures differ. `differences` says in sentences which data files, signatures and
    variables differ from those of the warehouse.
    """

    date: str
    tasks: Sequence[Row]
    differences: Sequence[str]


def read_published(
    marts: duckdb.DuckDBPyConnection, tasks: Sequence[Row], metric: str
) -> Published | None:
    """Return the published results of the tasks' corpora.

    `marts` are those of the user's warehouse, and `tasks` their rows of `best_metrics`. None if the
    metric is a built-in one, or the results have none of the corpora.
    """
    own = {row["corpus"] for row in tasks if row["metric"] == metric}
    if not own or not has_results():
        return None
    with results() as published:
        if metric in _signatures(published):
            return None
        published_files = _files(published)
        corpora = sorted(own & published_files.keys())
        if not corpora:
            return None
        own_files = _files(marts)
        by_corpus = {
            corpus: _data_difference(corpus, own_files.get(corpus, {}), published_files[corpus])
            for corpus in corpora
        }
        changed_metrics = _other_signatures(_signatures(marts), _signatures(published))
        rows = records(published.execute(_TASKS))
    differences = [text for text in by_corpus.values() if text]
    if changed_metrics:
        differences.append(f"The signatures of {listing(changed_metrics)} differ.")
    if changed := _other_variables(marts):
        differences.append(f"These variables differ: {in_a_sentence(changed)}.")
    equal = {corpus for corpus, difference in by_corpus.items() if not difference}
    shown = [row for row in rows if row["corpus"] in equal and row["metric"] not in changed_metrics]
    return Published(read_provenance()["date"], shown, differences)


def _files(marts: duckdb.DuckDBPyConnection) -> dict[str, dict[str, tuple[str, str]]]:
    """Return path and role of each data file by corpus and SHA-256."""
    files: dict[str, dict[str, tuple[str, str]]] = {}
    for corpus, digest, path, role in marts.execute(_FILES).fetchall():
        files.setdefault(corpus, {})[digest] = (path, role)
    return files


def _data_difference(
    corpus: str, own_files: dict[str, tuple[str, str]], published_files: dict[str, tuple[str, str]]
) -> str:
    """Return which data files differ; a warehouse may lack sets of judgments."""
    changed = [path for digest, (path, _) in own_files.items() if digest not in published_files]
    missing = [
        path
        for digest, (path, role) in published_files.items()
        if digest not in own_files and role != "judgments"
    ]
    files = sorted({*changed, *missing})
    if not files:
        return ""
    return (
        f"The published results of {corpus} were computed from other data files: {listing(files)}."
    )


def _signatures(marts: duckdb.DuckDBPyConnection) -> dict[str, set[str]]:
    """Return the parts of each metric's signature: one for each way to extract edits."""
    rows = marts.execute("select metric, signature from metrics").fetchall()
    return {metric: {*str(signature).split("; ")} for metric, signature in rows}


def _other_signatures(own: dict[str, set[str]], published: dict[str, set[str]]) -> list[str]:
    """Return the metrics of both whose signatures here are not among the published ones."""
    return sorted(
        name for name in own.keys() & published.keys() if not own[name] <= published[name]
    )


def _other_variables(marts: duckdb.DuckDBPyConnection) -> list[str]:
    published = read_provenance()["variables"]
    own = variables_of(marts.execute("from publication").fetchall())
    return sorted(
        name
        for name in own.keys() & published.keys() - _OTHER_VARIABLES
        if own[name] != published[name]
    )
