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

    `tasks` are rows of `best_metrics`, without corpora whose data files and metrics whose
    signatures differ from those of the warehouse. `differences` are sentences about these.
    """

    date: str
    tasks: Sequence[Row]
    differences: Sequence[str]


def read_published(
    marts: duckdb.DuckDBPyConnection, tasks: Sequence[Row], metric: str
) -> Published | None:
    """Return the published results of the tasks' corpora; None without, or for a built-in metric.

    `marts` are those of the user's warehouse, and `tasks` their rows of `best_metrics`.
    """
    own_corpora = {row["corpus"] for row in tasks if row["metric"] == metric}
    if not own_corpora or not has_results():
        return None
    with results() as published:
        published_signatures, published_files = _signatures(published), _files(published)
        rows = records(published.execute(_TASKS))
    corpora = sorted(own_corpora & published_files.keys())
    if metric in published_signatures or not corpora:
        return None
    signatures, files = _signatures(marts), _files(marts)
    differences, equal_corpora = [], set()
    for corpus in corpora:
        if changed := _changed_files(files.get(corpus, {}), published_files[corpus]):
            differences.append(
                f"The published results of {corpus} were computed from other data files: "
                f"{listing(changed)}."
            )
        else:
            equal_corpora.add(corpus)
    changed_metrics = sorted(
        name
        for name in signatures.keys() & published_signatures.keys()
        if not signatures[name] <= published_signatures[name]
    )
    if changed_metrics:
        differences.append(f"The signatures of {listing(changed_metrics)} differ.")
    provenance = read_provenance()
    variables = variables_of(marts.execute("from publication").fetchall())
    changed_variables = sorted(
        name
        for name in variables.keys() & provenance["variables"].keys() - _OTHER_VARIABLES
        if variables[name] != provenance["variables"][name]
    )
    if changed_variables:
        differences.append(f"These variables differ: {in_a_sentence(changed_variables)}.")
    shown = [
        row
        for row in rows
        if row["corpus"] in equal_corpora and row["metric"] not in changed_metrics
    ]
    return Published(provenance["date"], shown, differences)


def _files(marts: duckdb.DuckDBPyConnection) -> dict[str, dict[str, tuple[str, str]]]:
    """Return path and role of each data file by corpus and SHA-256."""
    files: dict[str, dict[str, tuple[str, str]]] = {}
    for corpus, digest, path, role in marts.execute(_FILES).fetchall():
        files.setdefault(corpus, {})[digest] = (path, role)
    return files


def _changed_files(
    files: dict[str, tuple[str, str]], published_files: dict[str, tuple[str, str]]
) -> list[str]:
    """Return which data files differ; a warehouse may lack sets of judgments."""
    other = {path for digest, (path, _) in files.items() if digest not in published_files}
    missing = {
        path
        for digest, (path, role) in published_files.items()
        if digest not in files and role != "judgments"
    }
    return sorted(other | missing)


def _signatures(marts: duckdb.DuckDBPyConnection) -> dict[str, set[str]]:
    """Return the parts of each metric's signature: one for each way to extract edits."""
    rows = marts.execute("select metric, signature from metrics").fetchall()
    return {metric: {*str(signature).split("; ")} for metric, signature in rows}
