"""Scores that are computed elsewhere: files of inputs and scores, and batch files of LLM judges.

Requests of a judge have the format of OpenAI-compatible batch endpoints. A request is a JSON line
with `custom_id`, `method`, `url` and `body`. Answers have `custom_id`, `response` (`status_code`,
`body`) and `error`, in any order. The id is a hash of the request.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from maege.analysis.metrics.judge.answers import asked_id
from maege.analysis.metrics.judge.judge import Judge
from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.interface import Cost, Unavailable
from maege.ingest.findings import BadInputError, Findings, listing, quote
from maege.ingest.formats.scores import read_scores
from maege.ingest.raw_tables import record_change
from maege.ingest.reading import parse_json, read_text
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.metric.asked_inputs import AskedInputs, choice_of
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
        scored_ids = stored | {score.request_id for score in scores}
        lacking = [request_id for request_id in requested if request_id not in scored_ids]
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
    return Loaded(name, len(scores), len(scored_ids), len(requested))


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
        has_requests = _has_table(connection, "scores", "own_requests") and _count(
            connection,
            "select count(*) from scores.own_requests where metric = $name",
            {"name": name},
        )
        if not has_requests:
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


_URL = "/v1/chat/completions"
_OK = 200
_AS_GIVEN = "Load the file as the provider gave it."


@dataclass(frozen=True)
class WrittenBatch:
    """The number of requests in a file, how many of them an earlier file had, and their cost."""

    requests: int
    written_before: int
    cost: Cost


@dataclass(frozen=True)
class Kept:
    """Numbers of answers, errors and unanswered requests, and an example of the errors."""

    answers: int
    errors: int
    example: str | None
    unanswered: int


def judge_of(name: str, definition: OwnMetric) -> Judge:
    """Return the judge of metrics.yml; raise WarehouseError if its settings have a fault."""
    try:
        return Judge(**(definition.parameters | definition.settings))
    except (TypeError, ValueError) as error:
        raise WarehouseError(f"{name}: {error}") from None


def write_batch(warehouse: Warehouse, name: str, definition: OwnMetric, path: Path) -> WrittenBatch:
    """Write all requests that the next build would send to the judge; return their numbers.

    If there are none, no file is written. Raises WarehouseError if nothing is built, or if the
    requests would exceed the budget.
    """
    judge = judge_of(name, definition)
    with open_build(warehouse, read_only=True) as connection:
        inputs = AskedInputs(connection, choice_of(definition)).texts()
    try:
        requests, cost = judge.batch(**inputs)
    except Unavailable as error:
        raise WarehouseError(f"{name}: {error}") from None
    if not requests:
        return WrittenBatch(0, 0, cost)
    with written_whole(path) as copy:
        with copy.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(_line(asked_id(judge.url, request), request) for request in requests)
        n_before = judge.answers().note_written(judge.url, requests)
    return WrittenBatch(len(requests), n_before, cost)


def read_answers(name: str, definition: OwnMetric, paths: Sequence[Path]) -> Kept:
    """Store the answers of all files like those of online requests; return their numbers.

    Errors of the provider are stored, too. A request that already has an answer keeps it. Raises
    BadInputError if a file has faults, and WarehouseError if no requests were written for this
    judge; nothing is stored then.
    """
    judge = judge_of(name, definition)
    answers = judge.answers()
    written = answers.written(judge.url, judge.model)
    if not written:
        raise WarehouseError(
            f"No requests were written for {name} here. Run: maege metric batch {name} --out FILE"
        )
    findings = Findings()
    reader = _AnswerReader(written.keys(), answers.snapshots(judge.url, judge.model), findings)
    for path in paths:
        reader.read(path)
    if len(findings):
        raise BadInputError(findings)
    answers.keep_all(reader.answers | reader.errors)
    messages = [str(error["error"]["message"]) for error in reader.errors.values()]
    unanswered = sum(not answered for answered in answers.written(judge.url, judge.model).values())
    return Kept(len(reader.answers), len(messages), messages[0] if messages else None, unanswered)


def forget_errors(name: str, definition: OwnMetric) -> int:
    """Delete stored errors of the judge, so that the requests are sent again; return how many."""
    judge = judge_of(name, definition)
    return judge.answers().forget_errors(judge.url, judge.model)


class _AnswerReader:
    """Reads answers and errors by the ids of their requests, and collects faults of the lines.

    Args:
        written: the ids of all requests written for this judge.
        models: model names in the answers stored so far.
        findings: receives the faults.

    """

    def __init__(self, written: Collection[str], models: Sequence[str], findings: Findings) -> None:
        self.answers: dict[str, dict[str, Any]] = {}
        self.errors: dict[str, dict[str, Any]] = {}
        self._written = written
        self._model = models[0] if models else None
        self._findings = findings
        self._first: dict[str, str] = {}

    def read(self, path: Path) -> None:
        """Read one file."""
        file = read_text(path, self._findings)
        for number, text in enumerate(file.lines if file else [], start=1):
            if text.strip():
                self._read(str(path), number, text)

    def _read(self, file: str, number: int, text: str) -> None:
        line = _object(text)
        if line is None or not isinstance(line.get("custom_id"), str):
            expected = 'an object such as {"custom_id": ..., "response": {...}, "error": null}'
            self._findings.add(file, number, quote(text), expected, _AS_GIVEN)
            return
        request_id = line["custom_id"]
        if request_id not in self._written:
            self._findings.add(
                file,
                number,
                f"the custom_id {quote(request_id)}",
                "one of a file that maege metric batch wrote for this judge",
                "Name the judge that it was written for, in the warehouse where it was written.",
            )
        elif first := self._first.get(request_id):
            self._findings.add(
                file,
                number,
                f"a second answer to {request_id}; the first is at {first}",
                "one answer to a request",
                "Remove one of the two lines.",
            )
        else:
            self._first[request_id] = f"{file}:{number}"
            self._keep(file, number, request_id, line)

    def _keep(self, file: str, number: int, request_id: str, line: dict[str, Any]) -> None:
        response = line.get("response")
        code = response.get("status_code") if isinstance(response, dict) else None
        body = response.get("body") if isinstance(response, dict) else None
        if error := _error_message(line.get("error"), code, body):
            self.errors[request_id] = {"error": {"message": error}, "line": line}
        elif code != _OK or not isinstance(body, dict):
            self._findings.add(
                file,
                number,
                f"the response {quote(json.dumps(response))}",
                "a status_code with a body, which is an object, or an error",
                _AS_GIVEN,
            )
        else:
            self._model = self._model or body.get("model")
            if body.get("model") not in (None, self._model):
                self._findings.add(
                    file,
                    number,
                    f"an answer of {quote(str(body['model']))}",
                    f"an answer of {self._model}, as before",
                    "Add a judge of its own for each model.",
                )
            self.answers[request_id] = body


def _line(request_id: str, request: Mapping[str, Any]) -> str:
    line = {"custom_id": request_id, "method": "POST", "url": _URL, "body": request}
    return json.dumps(line, ensure_ascii=False) + "\n"


def _object(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a line; None if the line is not a JSON object."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        value = parse_json(text, refuse)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _error_message(error: object, code: object, body: object) -> str | None:
    """Return the error message of a provider; None if there is no error."""
    is_failure = isinstance(code, int) and code != _OK
    body_error = body.get("error") if isinstance(body, dict) else None
    error_text = error or body_error or (body if is_failure else None)
    if not error_text and not is_failure:
        return None
    if isinstance(error_text, dict):
        parts = [str(error_text[key]) for key in ("code", "message") if error_text.get(key)]
        error_text = ": ".join(parts) or json.dumps(error_text, ensure_ascii=False)
    return f"HTTP {code}: {error_text}" if is_failure else str(error_text)
