"""Batch files of LLM judges, in the format of OpenAI-compatible batch endpoints.

A request is a JSON line with `custom_id`, `method`, `url` and `body`. Answers have `custom_id`,
`response` (`status_code` and `body`) and `error`, in any order. The id is a hash of the request.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maege.analysis.metrics.judge.client import error_in, request_hash
from maege.analysis.metrics.judge.judge import Judge
from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.interface import Cost, Unavailable
from maege.ingest.findings import BadInputError, FaultError, Findings, quote
from maege.ingest.reading import parse_json, read_text
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.metric.scores import Requested
from maege.whole_files import written_whole

_OK = 200
_AS_GIVEN = "Load the file as the provider gave it."


@dataclass(frozen=True)
class WrittenBatch:
    """The number of requests in a file, how many of them an earlier file had, and their cost."""

    requests: int
    written_before: int
    cost: Cost


@dataclass(frozen=True)
class LoadedAnswers:
    """Numbers of answers, errors and unanswered requests, and an example of the errors."""

    answers: int
    errors: int
    example: str | None
    unanswered: int


def _judge_of(name: str, definition: OwnMetric) -> Judge:
    try:
        return Judge(**(definition.parameters | definition.settings))
    except (TypeError, ValueError) as error:
        raise WarehouseError(f"{name}: {error}") from None


def write_batch(warehouse: Warehouse, name: str, definition: OwnMetric, path: Path) -> WrittenBatch:
    """Write all requests that the next build would send to the judge; return their numbers.

    If there are none, no file is written. Raises WarehouseError if the judge's settings have a
    fault, nothing is built, or the requests would exceed the budget.
    """
    judge = _judge_of(name, definition)
    definition = definition.model_copy(update={"inputs": judge.reads})
    with open_build(warehouse, read_only=True) as connection:
        inputs = Requested(connection, definition).texts()
    try:
        requests, cost = judge.batch(**inputs)
    except Unavailable as error:
        raise WarehouseError(f"{name}: {error}") from None
    if not requests:
        return WrittenBatch(0, 0, cost)
    with written_whole(path) as copy:
        with copy.open("w", encoding="utf-8", newline="\n") as file:
            for request in requests:
                key = request_hash(judge.url, request)
                url = "/v1/chat/completions"
                line = {"custom_id": key, "method": "POST", "url": url, "body": request}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        n_before = judge.answers().note_written(judge.url, requests)
    return WrittenBatch(len(requests), n_before, cost)


def read_answers(name: str, definition: OwnMetric, paths: Sequence[Path]) -> LoadedAnswers:
    """Store the answers of all files like those of online requests; return their numbers.

    Errors of the provider are stored, too. A request that already has an answer keeps it. Raises
    BadInputError if a file has faults, and WarehouseError if no requests were written for this
    judge; nothing is stored then.
    """
    judge = _judge_of(name, definition)
    answers = judge.answers()
    written = answers.written(judge.url, judge.model)
    if not written:
        raise WarehouseError(
            f"No requests were written for {name} here. Run: maege metric batch {name} --out FILE"
        )
    model = next(iter(answers.snapshots(judge.url, judge.model)), None)
    new_answers = _read_files(paths, written.keys(), model)
    answers.keep_all(new_answers)
    errors = [error for answer in new_answers.values() if (error := error_in(answer))]
    unanswered = sum(not answered for answered in answers.written(judge.url, judge.model).values())
    n_answers = len(new_answers) - len(errors)
    return LoadedAnswers(n_answers, len(errors), next(iter(errors), None), unanswered)


def forget_errors(name: str, definition: OwnMetric) -> int:
    """Delete stored errors of the judge, so that the requests are sent again; return how many."""
    judge = _judge_of(name, definition)
    return judge.answers().forget_errors(judge.url, judge.model)


def _read_files(
    paths: Sequence[Path], written: Collection[str], model: str | None
) -> dict[str, dict[str, Any]]:
    """Return the answers and errors in some files by the ids of their requests.

    `written` are the ids of all requests written for this judge, and `model` is the name of the
    model in the answers stored so far. Raises BadInputError if a line is not the only answer to one
    of the requests, by one model.
    """
    findings = Findings()
    answers: dict[str, dict[str, Any]] = {}
    first: dict[str, str] = {}
    for path in paths:
        file = read_text(path, findings)
        for number, text in enumerate(file.lines if file else [], start=1):
            if not text.strip():
                continue
            try:
                request_id, answer = _answer_in(text, written)
                if request_id in first:
                    raise FaultError(
                        f"a second answer to {request_id}; the first is at {first[request_id]}",
                        "one answer to a request",
                        "Remove one of the two lines.",
                    )
                first[request_id] = f"{path}:{number}"
                model = model or answer.get("model")
                if answer.get("model") not in (None, model):
                    raise FaultError(
                        f"an answer of {quote(str(answer['model']))}",
                        f"an answer of {model}, as before",
                        "Add a judge of its own for each model.",
                    )
                answers[request_id] = answer
            except FaultError as error:
                findings.add(str(path), number, *error.fault)
    if len(findings):
        raise BadInputError(findings)
    return answers


def _answer_in(text: str, written: Collection[str]) -> tuple[str, dict[str, Any]]:
    """Return the id of the request and the answer or error in a line; raise FaultError."""
    try:
        line = parse_json(text, _refuse_constant)
    except ValueError:
        line = None
    if not isinstance(line, dict) or not isinstance(line.get("custom_id"), str):
        expected = 'an object such as {"custom_id": ..., "response": {...}, "error": null}'
        raise FaultError(quote(text), expected, _AS_GIVEN)
    request_id = line["custom_id"]
    if request_id not in written:
        raise FaultError(
            f"the custom_id {quote(request_id)}",
            "one of a file that maege metric batch wrote for this judge",
            "Name the judge that it was written for, in the warehouse where it was written.",
        )
    response = line.get("response")
    parts = response if isinstance(response, dict) else {}
    code, body = parts.get("status_code"), parts.get("body")
    if error := _error_message(line.get("error"), code, body):
        return request_id, {"error": {"message": error}, "line": line}
    if code != _OK or not isinstance(body, dict):
        raise FaultError(
            f"the response {quote(json.dumps(response))}",
            "a status_code with a body, which is an object, or an error",
            _AS_GIVEN,
        )
    return request_id, body


def _refuse_constant(constant: str) -> None:
    raise ValueError(constant)


def _error_message(error: object, code: object, body: object) -> str | None:
    is_failure = isinstance(code, int) and code != _OK
    body_error = body.get("error") if isinstance(body, dict) else None
    error_text = error or body_error or (body if is_failure else None)
    if not error_text and not is_failure:
        return None
    if isinstance(error_text, dict):
        parts = [str(error_text[key]) for key in ("code", "message") if error_text.get(key)]
        error_text = ": ".join(parts) or json.dumps(error_text, ensure_ascii=False)
    return f"HTTP {code}: {error_text}" if is_failure else str(error_text)
