"""Inputs of user metrics as the last build requests them, and scores computed elsewhere."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from maege.analysis.metrics.families import is_among
from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.interface import Inputs
from maege.ingest.findings import BadInputError, Findings, listing
from maege.ingest.formats.scores import read_scores
from maege.ingest.raw_tables import record_change
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.rows import column_names, records
from maege.whole_files import written_whole

FORMATS = {
    ".parquet": "(format parquet)",
    ".jsonl": "(format json, array false)",
    ".csv": "(format csv, header)",
}
# The key of each input and its text, given the tables of _JOINS. The other text of a metric that
# compares two texts is stored as a list with one reference.
_KEYS = {
    "source": "requests.source_text_id",
    "hypothesis": "requests.hypothesis_text_id",
    "other": "requests.references_key",
    "references": "requests.references_key",
}
_TEXTS = {
    "source": "sources.text",
    "hypothesis": "hypotheses.text",
    "other": "reference_texts.texts[1]",
    "references": "coalesce(reference_texts.texts, [])",
}
_REFERENCES = """left join (
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
) as reference_texts on requests.references_key = reference_texts.references_key"""
_JOINS = {
    "source": "inner join pairs.texts as sources on requests.source_text_id = sources.text_id",
    "hypothesis": "inner join pairs.texts as hypotheses "
    "on requests.hypothesis_text_id = hypotheses.text_id",
    "other": _REFERENCES,
    "references": _REFERENCES,
}


def _with_texts(inputs: Sequence[str]) -> tuple[str, str]:
    """Return the columns of these inputs, and the joins with `requests` that they need."""
    columns = ", ".join(f'{_TEXTS[name]} as "{name}"' for name in inputs)
    return columns, " ".join(_JOINS[name] for name in inputs)


# --- Inputs of classes and functions, before they are scored ---

# Metrics that compare two texts score steps of lattices, which are the same in every draw.
_STEPS = "(select *, 0 as first_draw from pairs.compared_steps)"
# Each distinct input once. A shared input counts for one corpus only.
_REQUESTED = """
    create or replace temporary table requested as
    select
        {keys},
        min(requests.corpus) as corpus,
        min(requests.sentence_id) as sentence_id,
        any_value(requests.hypothesis_text_id) as text,
        bool_or(coalesce(requests.first_draw < $draws, true)) as is_first
    from {inputs} as requests
    inner join caches.sentence_order as sentences
        on requests.corpus = sentences.corpus and requests.sentence_id = sentences.sentence_id
    where list_contains($corpora, requests.corpus)
        and coalesce(sentences.place <= $sentences, true)
    group by {keys}
"""


class NotBuiltError(WarehouseError):
    """No build has stored inputs yet, or only one of an older version."""


class Requested:
    """The inputs that a metric has to score, from an open build database; NotBuiltError if none."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, metric: OwnMetric) -> None:
        self._connection = connection
        self._inputs = metric.inputs
        self._keys = ", ".join(dict.fromkeys(_KEYS[name] for name in metric.inputs))
        languages = frozenset(metric.languages) or None
        inputs = _STEPS if metric.compares else "caches.scoring_inputs"
        try:
            corpora = connection.execute("select corpus, language from raw.corpora").fetchall()
            (n_edit_draws,) = connection.execute(
                "select max(n_draws) from corpora.metric_registry where reads_gold"
            ).fetchall()[0]
            connection.execute(
                _REQUESTED.format(keys=self._keys, inputs=inputs),
                {
                    "corpora": [name for name, tag in corpora if is_among(tag, languages)],
                    "sentences": metric.sample_sentences,
                    "draws": None if metric.asks_all_draws else metric.draws or n_edit_draws,
                },
            )
        except (duckdb.CatalogException, duckdb.BinderException):
            raise NotBuiltError(
                "Nothing is built here, or not since maege was upgraded. Run: maege build"
            ) from None

    def corpora(self) -> list[dict[str, Any]]:
        """Return the numbers of inputs of each corpus, of all draws and of the first draws."""
        query = (
            "select corpus, count(distinct sentence_id) as n_sentences, count(*) as n_inputs, "
            "count(distinct text) as n_hypotheses, "
            "count(*) filter (where is_first) as n_inputs_first_draws "
            "from requested group by corpus order by corpus"
        )
        return records(self._connection.execute(query))

    def texts(self, most: int | None = None, corpus: str | None = None) -> Inputs:
        """Return the texts of the inputs of the first draws, by the name of the input.

        They are in the order of sentences; `most` of them are selected by a hash, and so the same
        each time. With `corpus`, they are those that count for this corpus.
        """
        columns, joins = _with_texts(self._inputs)
        order = "requests.corpus, requests.sentence_id" if most is None else f"hash({self._keys})"
        result = self._connection.execute(
            f"select {columns} from (select * from requested as requests where is_first "  # noqa: S608 - our own names
            f"and coalesce(corpus = $corpus, true) order by {order}, {self._keys} limit $most) "
            f"as requests {joins} order by {order}, {self._keys}",
            {"most": most, "corpus": corpus},
        )
        rows = result.fetchall()
        return {name: [row[n] for row in rows] for n, name in enumerate(column_names(result))}


# --- Scores by file ---


@dataclass(frozen=True)
class Loaded:
    """The number of loaded scores, and how many of the metric's inputs now have a score."""

    metric: str
    loaded: int
    scored: int
    requested: int


def write_requests(warehouse: Warehouse, name: str, metric: OwnMetric, path: Path) -> int:
    """Write the inputs without a score, ordered by id; return their number.

    Columns: id, then the texts that the metric reads. `references` is a list, a JSON list in CSV.
    Raises WarehouseError if the last build did not have the metric.
    """
    columns, joins = _with_texts(metric.inputs)
    if path.suffix == ".csv":
        columns = columns.replace(_TEXTS["references"], f"({_TEXTS['references']})::json::varchar")
    with _opened(warehouse, name, read_only=True) as connection, written_whole(path) as copy:
        return _number(
            connection,
            f"copy (select requests.request_id as id, {columns} "  # noqa: S608 - our own names
            f"from scores.own_requests as requests {joins} where requests.metric = $metric "
            "and requests.request_id not in "
            "(select request_id from raw.metric_scores where metric = $metric) order by id) "
            f"to $path {FORMATS[path.suffix]}",
            {"metric": name, "path": str(copy)},
        )


def load_scores(warehouse: Warehouse, name: str, path: Path, *, partial: bool) -> Loaded:
    """Load the scores of a file, which replace stored ones; return what was loaded.

    Raises BadInputError if the file has faults, or if inputs remain without a score and `partial`
    is false; and WarehouseError if the last build did not have the metric. Nothing is loaded then.
    """
    findings = Findings()
    with _opened(warehouse, name, read_only=False) as connection:
        rows = connection.execute(
            "select request_id, request_id in "
            "(select request_id from raw.metric_scores where metric = $metric) "
            "from scores.own_requests where metric = $metric order by request_id",
            {"metric": name},
        )
        is_scored = dict(rows.fetchall())
        scores = read_scores(path, is_scored.keys(), findings)
        is_scored |= {score.request_id: True for score in scores}
        lacking = [request_id for request_id, scored in is_scored.items() if not scored]
        # The id of a line with a fault is not reported as missing in addition.
        if lacking and not partial and not len(findings):
            found = (
                f"no score for {len(lacking):,} of {len(is_scored):,} inputs: {listing(lacking)}"
            )
            remedy = "Score the missing inputs, or accept an incomplete file with --partial."
            findings.add(str(path), 0, found, "a score for each input", remedy)
        if len(findings):
            raise BadInputError(findings)
        kinds = {"request_id": "object", "score": "float64", "line": "int64"}
        columns = {n: np.array([getattr(s, n) for s in scores], kind) for n, kind in kinds.items()}
        connection.register("new_scores", columns)
        connection.begin()
        connection.execute(
            "delete from raw.metric_scores where metric = $metric "
            "and request_id in (select request_id::varchar from new_scores)",
            {"metric": name},
        )
        connection.execute(
            "insert into raw.metric_scores by name select $metric as metric, "
            "request_id::varchar as request_id, score, $path as path, line from new_scores",
            {"metric": name, "path": str(path)},
        )
        record_change(connection)
        connection.commit()
    return Loaded(name, len(scores), len(is_scored) - len(lacking), len(is_scored))


def forget_scores(warehouse: Warehouse, name: str) -> int:
    """Delete the loaded scores of a metric; return how many there were."""
    with _opened(warehouse, name, read_only=False) as connection:
        connection.begin()
        n_scores = _number(
            connection, "delete from raw.metric_scores where metric = $name", {"name": name}
        )
        record_change(connection)
        connection.commit()
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
        if paths and _number(
            connection,
            f"select count(*) from read_parquet($paths) anti join {cached} using ({keys})",  # noqa: S608
            {"paths": paths},
        ):
            raise WarehouseError(
                "The last build was stopped before it had stored all scores. Run: maege build, "
                "then repeat the command."
            )
        # These files are already in the table. If they remained, they would restore the failures.
        for path in spool:
            path.unlink()
        n_failures = _number(
            connection,
            f"delete from {cached} where family = $family and failure is not null",  # noqa: S608
            {"family": f"own:{name}"},
        )
        record_change(connection)
    return n_failures


def ingested_metrics(warehouse: Warehouse) -> dict[str, str]:
    """Return the metrics whose sentence scores are part of a corpus, with the corpus."""
    if not warehouse.build.is_file():
        return {}
    with open_build(warehouse, read_only=True) as connection, suppress(duckdb.CatalogException):
        rows = connection.execute("select distinct metric, corpus from raw.sentence_scores")
        return dict(rows.fetchall())
    return {}


@contextmanager
def _opened(
    warehouse: Warehouse, name: str, *, read_only: bool
) -> Iterator[duckdb.DuckDBPyConnection]:
    if not warehouse.build.is_file():
        read_only = True  # says what is missing, and creates nothing
    with open_build(warehouse, read_only=read_only) as connection:
        n_requests = 0
        with suppress(duckdb.CatalogException):
            sql = "select count(*) from scores.own_requests where metric = $name"
            n_requests = _number(connection, sql, {"name": name})
        if not n_requests:
            raise WarehouseError(
                f"The last build did not have the metric {name}, or had no inputs for it. "
                "Run: maege build"
            )
        yield connection


def _number(connection: duckdb.DuckDBPyConnection, sql: str, values: dict[str, Any]) -> int:
    """Return the number that a query returns, or the number of rows that it writes or deletes."""
    return int(connection.execute(sql, values).fetchall()[0][0])
