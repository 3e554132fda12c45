"""Write the requests of an LLM judge for a provider's batch endpoint, and read the answers.

The format is that of OpenAI-compatible endpoints. A request is a JSON line with `custom_id`,
`method`, `url` and `body`. Answers have `custom_id`, `response` (`status_code`, `body`) and
`error`, in any order. The id is a hash of the request.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maege.analysis.metrics.judge.answers import asked_id
from maege.analysis.metrics.judge.judge import Judge
from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.interface import Cost, Unavailable
from maege.ingest.findings import BadInputError, Findings, quote
from maege.ingest.reading import parse_json, read_text
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.metric.asked_inputs import AskedInputs, choice_of
from maege.whole_files import written_whole

_URL = "/v1/chat/completions"
_OK = 200
_AS_GIVEN = "Load the file as the provider gave it."


@dataclass(frozen=True)
class Written:
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


def write_batch(warehouse: Warehouse, name: str, definition: OwnMetric, path: Path) -> Written:
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
        return Written(0, 0, cost)
    with written_whole(path) as copy:
        with copy.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(_line(asked_id(judge.url, request), request) for request in requests)
        n_before = judge.answers().note_written(judge.url, requests)
    return Written(len(requests), n_before, cost)


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
    reader = _Reader(written.keys(), answers.snapshots(judge.url, judge.model), findings)
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


class _Reader:
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
        asked = line["custom_id"]
        if asked not in self._written:
            self._findings.add(
                file,
                number,
                f"the custom_id {quote(asked)}",
                "one of a file that maege metric batch wrote for this judge",
                "Name the judge that it was written for, in the warehouse where it was written.",
            )
        elif first := self._first.get(asked):
            self._findings.add(
                file,
                number,
                f"a second answer to {asked}; the first is at {first}",
                "one answer to a request",
                "Remove one of the two lines.",
            )
        else:
            self._first[asked] = f"{file}:{number}"
            self._keep(file, number, asked, line)

    def _keep(self, file: str, number: int, asked: str, line: dict[str, Any]) -> None:
        response = line.get("response")
        code = response.get("status_code") if isinstance(response, dict) else None
        body = response.get("body") if isinstance(response, dict) else None
        if error := _error_message(line.get("error"), code, body):
            self.errors[asked] = {"error": {"message": error}, "line": line}
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
            self.answers[asked] = body


def _line(asked: str, request: Mapping[str, Any]) -> str:
    line = {"custom_id": asked, "method": "POST", "url": _URL, "body": request}
    return json.dumps(line, ensure_ascii=False) + "\n"


def _object(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a line; None if the line is not a JSON object."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        found = parse_json(text, refuse)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


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
