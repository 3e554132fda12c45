"""Requests of a judge as a batch file for a provider, and the responses in a file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from chat_server import ChatServer, chat_server
from small_corpus import maege
from typer.testing import Result

from maege.analysis.metrics.judge.judge import Judge
from maege.analysis.metrics.own.interface import NoScore
from maege.metric.batches import forget_errors
from maege.metric.file import JUDGE, find_metric

KEY = "sk-very-secret"
FAR = "https://api.example.org/v1"


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build with three inputs in English, one of them only for later draws, and one in German."""
    monkeypatch.setenv("MAEGE_METRICS", str(tmp_path / "metrics.yml"))
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(tmp_path / "build.duckdb") as connection:
        connection.execute("""
            create schema raw; create schema pairs; create schema caches; create schema corpora;
            create table corpora.metric_registry as select 1 as n_draws, true as reads_gold;
            create table raw.corpora as
                from (values ('x', 'en-GB'), ('y', 'de')) as t (corpus, language);
            create table pairs.texts as from (values
                (1, 'He go .'), (2, 'He goes .'), (3, 'He went .'), (4, 'Gone .'), (5, 'Er geht .')
            ) as t (text_id, text);
            create table pairs.reference_contents (references_key bigint, text_ids bigint[]);
            create table caches.sentence_order as from (values
                ('x', 0, 2), ('x', 7, 1), ('y', 0, 1)
            ) as t (corpus, sentence_id, place);
            create table caches.scoring_inputs as from (values
                ('x', 0, 1, 2, 9, 0), ('x', 0, 1, 2, 8, 0), ('x', 0, 1, 3, 9, 0),
                ('x', 0, 1, 4, 9, 1), ('x', 7, 2, 2, 9, 0), ('y', 0, 5, 5, 9, 0)
            ) as t (corpus, sentence_id, source_text_id, hypothesis_text_id, references_key,
                first_draw);
        """)
    return tmp_path


def declare(warehouse: Path, url: str = FAR, *, budget: str = "unlimited", **more: Any) -> None:
    entry = {
        "metric_class": JUDGE,
        "parameters": {"model": "large", "base_url": url},
        "settings": {"price": "1000,1000", "budget": budget},
        "languages": ["en"],
        **more,
    }
    (warehouse / "metrics.yml").write_text(json.dumps({"metrics": {"judge": entry}}))


def batch(warehouse: Path, *more: str) -> tuple[Result, list[dict[str, Any]]]:
    out = warehouse / "requests.jsonl"
    out.unlink(missing_ok=True)
    result = maege(warehouse, "metric", "batch", "judge", "--out", str(out), *more)
    return result, [json.loads(line) for line in out.open()] if out.exists() else []


def answered(request: dict[str, Any], written: str, model: str = "large-1") -> dict[str, Any]:
    body = {
        "model": model,
        "choices": [{"message": {"role": "assistant", "content": written}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    }
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": "b", "custom_id": request["custom_id"], "response": response, "error": None}


def load(warehouse: Path, *lines: dict[str, Any] | str) -> Result:
    file = warehouse / "answers.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts) + "\n")
    return maege(warehouse, "metric", "answers", "judge", str(file))


def scored(hypothesis: str, url: str = FAR) -> Any:
    judge = Judge("large", url, tries="1", timeout="1", budget="unlimited")
    return judge.score_batch(source=["He go ."], hypothesis=[hypothesis])[0]


def test_a_file_has_each_request_that_a_build_would_send(warehouse: Path) -> None:
    declare(warehouse)
    result, lines = batch(warehouse)
    assert result.exit_code == 0, result.stderr
    # Two inputs of sentence 0, whatever the references; none of later draws, none in German.
    pairs = [("He go .", "He goes ."), ("He go .", "He went ."), ("He goes .", "He goes .")]
    for line, (source, target) in zip(lines, pairs, strict=True):
        assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
        assert (line["body"]["model"], line["body"]["temperature"]) == ("large", 0)
        text = line["body"]["messages"][0]["content"]
        assert f"# source\n{source}\n\n# target\n{target}\n" in text
    assert len({line["custom_id"] for line in lines}) == 3
    assert "requests.jsonl: 3, of which 0 were written before;" in result.stdout
    assert KEY not in (warehouse / "requests.jsonl").read_text()
    again, same = batch(warehouse)
    assert "requests.jsonl: 3, of which 3 were written before;" in again.stdout
    assert same == lines


@pytest.fixture
def server(warehouse: Path) -> Iterator[ChatServer]:
    """A server that must receive no request."""
    del warehouse
    with chat_server() as running:
        yield running


def test_answers_of_a_file_are_as_those_of_a_server(warehouse: Path, server: ChatServer) -> None:
    declare(warehouse, server.url)
    _, lines = batch(warehouse)
    # In another order.
    scores = [answered(line, f'{{"score": {n}}}') for n, line in enumerate(lines, start=2)]
    loaded = load(warehouse, *reversed(scores))
    assert loaded.exit_code == 0, loaded.stderr
    assert "answers stored: 3; errors: 0; requests without an answer: 0." in loaded.stdout
    assert [scored("He goes .", server.url), scored("He went .", server.url)] == [2, 3]
    assert server.requests == []
    nothing, lines = batch(warehouse)
    assert "all requests have answers" in nothing.stdout
    assert lines == []
    # Existing responses do not change.
    assert load(warehouse, *[answered(json.loads("{}") | s, "5") for s in scores]).exit_code == 0
    assert scored("He goes .", server.url) == 2


def test_unscored_requests_are_written_again_as_json(warehouse: Path) -> None:
    declare(warehouse, sample_sentences=1)
    _, (line,) = batch(warehouse)
    assert load(warehouse, answered(line, "A good sentence.")).exit_code == 0
    _, (again,) = batch(warehouse)
    assert again["custom_id"] != line["custom_id"]
    assert again["body"]["response_format"]["type"] == "json_schema"
    assert load(warehouse, answered(again, "Still good.")).exit_code == 0
    result, lines = batch(warehouse)
    assert (result.exit_code, lines) == (0, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            {"response": {"status_code": 400, "body": {"error": {"message": "too long"}}}},
            "HTTP 400: too long",
        ),
        ({"error": {"code": "expired", "message": "Too late."}}, "expired: Too late."),
        ({"response": {"status_code": 500, "body": None}}, "HTTP 500: None"),
        ({"response": {"status_code": 200, "body": {"error": "no credit"}}}, "no credit"),
    ],
)
def test_failed_request_has_no_score_and_is_retried(
    line: dict[str, Any], reason: str, warehouse: Path
) -> None:
    declare(warehouse)
    _, (first, second, third) = batch(warehouse)
    failed = {"custom_id": first["custom_id"], **line}
    loaded = load(warehouse, failed, answered(second, "3"))
    counts = f"stored: 1; errors: 1, such as {reason}; requests without an answer: 2."
    assert counts in loaded.stdout
    assert scored("He goes .") == NoScore(reason)
    assert scored("He went .") == 3
    _, left = batch(warehouse)
    assert left == [first, third]
    assert load(warehouse, answered(first, "4")).exit_code == 0
    assert scored("He goes .") == 4
    # A second file with the error comes late.
    assert load(warehouse, failed).exit_code == 0
    assert scored("He goes .") == 4


def test_failures_are_retried_on_request(warehouse: Path) -> None:
    declare(warehouse)
    _, (first, *_) = batch(warehouse)
    failed = {"custom_id": first["custom_id"], "error": {"message": "gone"}}
    load(warehouse, failed)
    definition = find_metric("judge", "judge")
    assert forget_errors("judge", definition) == 1
    assert load(warehouse, failed).exit_code == 0
    assert forget_errors("judge", definition) == 1


def test_invalid_response_lines_are_listed_and_nothing_stored(warehouse: Path) -> None:
    declare(warehouse)
    nothing = load(warehouse, "{}")
    assert nothing.exit_code == 1
    assert "Run: maege metric batch judge" in nothing.stderr
    _, (first, second, third) = batch(warehouse)
    loaded = load(
        warehouse,
        answered(first, "3"),
        "not JSON",
        '["a list"]',
        answered({"custom_id": "request-1"}, "3"),
        answered(first, "4"),
        {"custom_id": second["custom_id"], "response": {"status_code": 200, "body": []}},
        answered(third, "4", model="large-2"),
        json.dumps(answered(second, "3")).replace("100", "NaN"),
    )
    assert loaded.exit_code == 2
    for place in (2, 3, 4, 5, 6, 7, 8):
        assert f"answers.jsonl:{place}\n" in loaded.stderr
    shown = " ".join(loaded.stderr.split())
    assert 'found an answer of "large-2" expected an answer of large-1' in shown
    assert "a second answer to" in shown
    assert "7 findings. The stored answers are unchanged." in shown
    assert len(batch(warehouse)[1]) == 3


def test_a_file_that_costs_more_than_the_budget_is_not_written(warehouse: Path) -> None:
    declare(warehouse, budget="0.2")
    refused, lines = batch(warehouse)
    assert refused.exit_code == 1
    assert "0.00 of 0.20 US dollars are spent, and this would take 0." in refused.stderr
    assert lines == []


def test_other_metrics_have_no_batches(warehouse: Path) -> None:
    (warehouse / "metrics.yml").write_text("metrics: {judge: {inputs: [hypothesis]}}\n")
    refused, _ = batch(warehouse)
    assert refused.exit_code == 2
    assert "the metric judge, scored by file" in " ".join(refused.stderr.split())
