"""Scores computed elsewhere: export the inputs without a score, and load the scores."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from maege.analysis.metrics.own.declared import OwnMetric
from maege.ingest.findings import BadInputError, Findings, listing
from maege.ingest.formats.scores import read_scores
from maege.ingest.raw_tables import record_change
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.whole_files import written_whole

_OPTIONS = {
    ".parquet": "(format parquet)",
    ".jsonl": "(format json, array false)",
    ".csv": "(format csv, header)",
}
FORMATS = tuple(_OPTIONS)

_REFERENCE_TEXTS = """
    select listed.references_key, list(texts.text order by listed.position) as texts
    from (
        select
            references_key,
            unnest(text_ids) as text_id,
            generate_subscripts(text_ids, 1) as position
        from pairs.reference_contents
    ) as listed
    inner join pairs.texts on listed.text_id = texts.text_id
    group by listed.references_key
"""
_COLUMNS = {
    "source": "sources.text as source",
    "hypothesis": "hypotheses.text as hypothesis",
    "references": "reference_texts.texts as references",
}
_JOINS = {
    "source": "inner join pairs.texts as sources on requests.source_text_id = sources.text_id",
    "hypothesis": "inner join pairs.texts as hypotheses "
    "on requests.hypothesis_text_id = hypotheses.text_id",
    "references": f"inner join ({_REFERENCE_TEXTS}) as reference_texts "
    "on requests.references_key = reference_texts.references_key",
}
_LACKING = """
    from scores.own_requests as requests {joins}
    where requests.metric = $metric and requests.request_id not in (
        select request_id from raw.metric_scores where metric = $metric
    )
"""


@dataclass(frozen=True)
class Loaded:
    """The number of loaded scores, and how many of the metric's inputs now have a score."""

    metric: str
    loaded: int
    scored: int
    requested: int


def write_requests(warehouse: Warehouse, name: str, metric: OwnMetric, path: Path) -> int:
    """Write the inputs without a score, ordered by id; return their number.

    Columns: id, then the texts that the metric reads. `references` is a list; in CSV it is a JSON
    list. The format follows from the suffix of the path. Raises WarehouseError if the last build
    did not have the metric.
    """
    columns = ", ".join(["requests.request_id as id", *(_COLUMNS[i] for i in metric.inputs)])
    joins = " ".join(_JOINS[i] for i in metric.inputs)
    is_csv = path.suffix == ".csv" and "references" in metric.inputs
    lists_as_text = 'replace ("references"::json::varchar as "references")' if is_csv else ""
    rows = f"select {columns} {_LACKING.format(joins=joins)} order by id"
    with _opened(warehouse, name, read_only=True) as connection, written_whole(path) as copy:
        query = f"copy (select * {lists_as_text} from ({rows})) to $path {_OPTIONS[path.suffix]}"  # noqa: S608
        return _count(connection, query, {"metric": name, "path": str(copy)})


def load_scores(warehouse: Warehouse, name: str, path: Path, *, partial: bool) -> Loaded:
    """Load the scores of a file, which replace stored ones; return what was loaded.

    Raises BadInputError if the file has faults, or if inputs remain without a score and `partial`
    is false; and WarehouseError if the last build did not have the metric. Nothing is loaded then.
    """
    findings = Findings()
    with _opened(warehouse, name, read_only=False) as connection:
        requested = dict.fromkeys(
            row[0]
            for row in connection.execute(
                "select request_id from scores.own_requests where metric = $metric "
                "order by request_id",
                {"metric": name},
            ).fetchall()
        )
        scores = read_scores(path, requested, findings)
        stored = _stored(connection, name) & requested.keys()
        given = stored | {score.request_id for score in scores}
        lacking = [request_id for request_id in requested if request_id not in given]
        # The id of a line with a fault is not reported as missing in addition.
        if lacking and not partial and not len(findings):
            findings.add(
                str(path),
                0,
                f"no score for {len(lacking):,} of {len(requested):,} inputs: {listing(lacking)}",
                "a score for each input",
                "Score the missing inputs, or accept an incomplete file with --partial.",
            )
        if len(findings):
            raise BadInputError(findings)
        rows = pa.table(
            {
                "metric": pa.array([name] * len(scores), pa.string()),
                "request_id": pa.array([score.request_id for score in scores], pa.string()),
                "score": pa.array([score.score for score in scores], pa.float64()),
                "path": pa.array([str(path)] * len(scores), pa.string()),
                "line": pa.array([score.line for score in scores], pa.int64()),
            }
        )
        _replace(connection, rows)
    return Loaded(name, len(scores), len(given), len(requested))


def forget_scores(warehouse: Warehouse, name: str) -> int:
    """Delete the stored scores of a metric; return how many there were."""
    if not warehouse.build.is_file():
        return 0
    with open_build(warehouse, read_only=False) as connection:
        if not _has_table(connection, "raw", "metric_scores"):
            return 0
        n_scores = len(_stored(connection, name))
        connection.execute("delete from raw.metric_scores where metric = $name", {"name": name})
        record_change(connection)
    return n_scores


def forget_failures(warehouse: Warehouse, name: str) -> int:
    """Delete the failures of a function, so that the next build retries them; return how many.

    After a build was killed, failures may not be in the cache yet: then WarehouseError is raised.
    """
    with _opened(warehouse, name, read_only=False) as connection:
        cached = "caches.metric_statistics"
        keys = "family, signature_key, source_text_id, hypothesis_text_id, references_key"
        spool = sorted((warehouse.folder / "spool" / "metric_statistics").glob("*.parquet"))
        paths = [str(path) for path in spool]
        if paths and _count(
            connection,
            f"select count(*) from read_parquet($paths) anti join {cached} using ({keys})",  # noqa: S608
            {"paths": paths},
        ):
            raise WarehouseError(
                "The last build was stopped before it had stored all scores. Run: maege build, "
                "then repeat the command."
            )
        n_failures = _count(
            connection,
            f"select count(*) from {cached} where family = $family and failure is not null",  # noqa: S608
            {"family": f"own:{name}"},
        )
        # These files are already in the table. If they remained, they would restore the failures.
        for path in spool:
            path.unlink()
        connection.execute(
            f"delete from {cached} where family = $family and failure is not null",  # noqa: S608
            {"family": f"own:{name}"},
        )
        record_change(connection)
    return n_failures


def ingested_metrics(warehouse: Warehouse) -> dict[str, str]:
    """Return the metrics whose sentence scores are part of a corpus, with the corpus."""
    if not warehouse.build.is_file():
        return {}
    with open_build(warehouse, read_only=True) as connection:
        if not _has_table(connection, "raw", "sentence_scores"):
            return {}
        rows = connection.execute("select distinct metric, corpus from raw.sentence_scores")
        return dict(rows.fetchall())


@contextmanager
def _opened(
    warehouse: Warehouse, name: str, *, read_only: bool
) -> Iterator[duckdb.DuckDBPyConnection]:
    if not warehouse.build.is_file():
        read_only = True  # says what is missing, and creates nothing
    with open_build(warehouse, read_only=read_only) as connection:
        known = _has_table(connection, "scores", "own_requests") and _count(
            connection,
            "select count(*) from scores.own_requests where metric = $name",
            {"name": name},
        )
        if not known:
            raise WarehouseError(
                f"The last build did not have the metric {name}, or had no inputs for it. "
                "Run: maege build"
            )
        yield connection


def _has_table(connection: duckdb.DuckDBPyConnection, schema: str, table: str) -> bool:
    sql = "select count(*) from duckdb_tables() where schema_name = $schema and table_name = $table"
    return _count(connection, sql, {"schema": schema, "table": table}) > 0


def _count(connection: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Any]) -> int:
    row = connection.execute(sql, dict(values)).fetchone()
    return int(row[0]) if row else 0


def _stored(connection: duckdb.DuckDBPyConnection, name: str) -> set[str]:
    rows = connection.execute(
        "select request_id from raw.metric_scores where metric = $name", {"name": name}
    )
    return {request_id for (request_id,) in rows.fetchall()}


def _replace(connection: duckdb.DuckDBPyConnection, rows: pa.Table) -> None:
    connection.register("new_scores", rows)
    connection.begin()
    try:
        connection.execute(
            "delete from raw.metric_scores using new_scores "
            "where metric_scores.metric = new_scores.metric "
            "and metric_scores.request_id = new_scores.request_id"
        )
        connection.execute("insert into raw.metric_scores by name from new_scores")
        record_change(connection)
    except BaseException:
        connection.rollback()
        raise
    connection.commit()
