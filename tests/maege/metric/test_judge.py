"""A model as a judge: its requests, parsing of responses, and errors of the server."""

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, chat_server

from maege.analysis.metrics.judge import client as client_module
from maege.analysis.metrics.judge.client import is_loopback, problem_with
from maege.analysis.metrics.judge.judge import Judge
from maege.analysis.metrics.judge.prompts import prompt_of
from maege.analysis.metrics.own.family import own_families
from maege.analysis.metrics.own.interface import NoScore, Unavailable
from maege.metric.file import JUDGE

KEY = "sk-very-secret"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server, and a warehouse folder for the responses."""
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(client_module, "_FIRST_WAIT", 0.001)
    with chat_server() as running:
        yield running


def scores(server: ChatServer, *hypotheses: str, **parameters: str) -> list[Any]:
    judge = Judge("judge", server.url, threads="4", **parameters)
    return judge.score_batch(source=["s"] * len(hypotheses), hypothesis=list(hypotheses))


def score_in(answer: dict[str, Any]) -> float | None:
    (question,) = prompt_of("kobayashi-s").questions({"source": "s", "hypothesis": "h"})
    points = question.read(answer)
    return points[0] if points else None


def test_distinct_inputs_are_scored_once_and_replays_never(server: ChatServer) -> None:
    assert scores(server, "a", "bb", "a") == [2, 3, 2]
    assert len(server.requests) == 2
    server.first = [500] * 100
    # Stored responses are sufficient for another way of parsing.
    assert scores(server, "bb", "a") == [3, 2]
    assert len(server.requests) == 2


def test_judge_scores_one_target_at_temperature_0(server: ChatServer) -> None:
    scores(server, "He goes .")
    (request,) = server.requests
    assert (request["model"], request["temperature"], request["seed"]) == ("judge", 0, 777)
    assert (request["logprobs"], request["top_logprobs"]) == (True, 20)
    (message,) = request["messages"]
    assert "# source\ns\n\n# target\nHe goes .\n" in message["content"]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_response_without_score_is_requested_once_more_as_json(server: ChatServer) -> None:
    results = scores(server, "MAYBE", "NEVER")
    assert results == [1, NoScore("""no score in the answer: '{"score": 100}'""")]
    formats = ["response_format" in request for request in server.requests]
    assert sorted(formats) == [False, False, True, True]


def test_errors_that_pass_are_waited_for_and_a_text_fails_alone(server: ChatServer) -> None:
    server.first = [429, 503, 500]
    judge = Judge("judge", server.url)
    assert judge.score_batch(source=["s"], hypothesis=["a"]) == [2]
    assert len(server.requests) == 4
    (failed,) = judge.score_batch(source=["s"], hypothesis=["TOOLONG"])
    assert isinstance(failed, NoScore)
    assert failed.reason.startswith("HTTP 400")


@pytest.mark.parametrize(("code", "n_requests"), [(401, 1), (302, 1), (503, 3)])
def test_unavailable_server_stops_the_judge_and_hides_the_key(
    code: int, n_requests: int, server: ChatServer
) -> None:
    server.first = [code] * 100
    with pytest.raises(Unavailable) as error:
        scores(server, "a", tries="3")
    assert f"HTTP {code}" in str(error.value)
    assert KEY not in str(error.value)
    assert len(server.requests) == n_requests


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("STALL", "timed out"),
        ("NOJSON", "Expecting value"),
        ("DROP", "RemoteDisconnected"),
    ],
)
def test_a_server_that_misbehaves_stops_the_judge(
    text: str, message: str, server: ChatServer
) -> None:
    with pytest.raises(Unavailable, match=message):
        scores(server, text, tries="2", timeout="0.3" if text == "STALL" else "30")
    assert len(server.requests) == 2


def test_no_requests_follow_a_spent_budget(server: ChatServer) -> None:
    # A dollar per thousand tokens: 110 tokens per response.
    paid = {"price": "1000,1000", "budget": "0.2"}
    assert scores(server, "a", **paid) == [2]
    assert scores(server, "bb", **paid) == [3]
    with pytest.raises(Unavailable, match=r"0\.22 of 0\.20 US dollars are spent"):
        scores(server, "ccc", **paid)


def test_costs_count_only_new_requests(server: ChatServer) -> None:
    judge = Judge("judge", server.url, price="0.15,0.60")
    scores(server, "a")
    assert judge.estimate(source=["s", "s"], hypothesis=["a", "a"]).usd == 0
    cost = judge.estimate(source=["s"] * 3, hypothesis=["a", "bb", "bb"])
    assert cost.completion_tokens == 8
    assert cost.usd == pytest.approx((cost.prompt_tokens * 0.15 + 8 * 0.60) / 1e6)


def test_two_models_under_one_name_are_not_mixed(server: ChatServer) -> None:
    scores(server, "a")
    server.model = "judge-2026-02-02"
    with pytest.raises(Unavailable, match="judge-2026-01-01 and by judge-2026-02-02"):
        scores(server, "bb")


def test_prompt_and_parsing_are_in_the_signature(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("{source} became {edits}. {hypothesis} {0}")
    url = "http://localhost:1/v1"
    signatures = [Judge("m", url).signature(), Judge("m", url, "kobayashi-e").signature()]
    signatures += [Judge("m", url, str(file), scale).signature() for scale in ("1-5", "0-9")]
    file.write_text("Rate {hypothesis}")
    signatures.append(Judge("m", url, str(file)).signature())
    assert len(set(signatures)) == 5
    assert Judge("m", url, str(file)).reads == ("hypothesis",)


def preference_in(content: str, tokens: list[dict[str, Any]] | None = None) -> float | None:
    inputs = {"source": "s", "hypothesis": "h", "other": "o"}
    (question,) = prompt_of("compare").questions(inputs)
    choice = {"message": {"content": content}, "logprobs": {"content": tokens}}
    preference = question.read({"choices": [choice]})
    return preference[0] if preference else None


@pytest.mark.parametrize(
    ("written", "preference"),
    [
        ('{"better": "A"}', 1),
        ('A is short. {"better": "B"}', -1),
        ('{"better": "C"}', 0),
        (" B.", -1),
        ("Tie", 0),
        ('{"better": "Aha"}', None),
        ("", None),
    ],
)
def test_preferences_are_read_of_answers(written: str, preference: float | None) -> None:
    assert preference_in(written) == preference


def test_probabilities_of_the_letters_make_the_expected_preference() -> None:
    shares = {"A": 0.5, " B": 0.125, "C": 0.175, "The": 0.2}
    top = [{"token": letter, "logprob": math.log(share)} for letter, share in shares.items()]
    tokens: list[dict[str, Any]] = [
        {"token": '{"better": "'},
        {"token": "A", "top_logprobs": top},
        {"token": '"}'},
    ]
    # (.5 - .125) / (.5 + .125 + .175)
    assert preference_in('{"better": "A"}', tokens) == pytest.approx(0.46875)


def test_a_judge_that_compares_is_shown_the_hypothesis_as_a(server: ChatServer) -> None:
    server.says = {
        "# A\nlong\n\n# B\nshort\n": '{"better": "A"}',
        "# A\nshort\n\n# B\nlong\n": "I like both.",
    }
    judge = Judge("judge", server.url, "compare")
    assert judge.reads == ("source", "hypothesis", "other")
    results = judge.score_batch(
        source=["s", "s"], hypothesis=["long", "short"], other=["short", "long"]
    )
    assert results == [1, NoScore("no score in the answer: 'I like both.'")]
    (constrained,) = (request for request in server.requests if "response_format" in request)
    schema = constrained["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {"better": {"type": "string", "enum": ["A", "B", "C"]}}


def test_a_file_with_another_text_in_it_compares(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("{hypothesis} (A) or {other} (B)?")
    prompt = prompt_of(str(file))
    assert prompt.reads == ("hypothesis", "other")
    (question,) = prompt.questions({"hypothesis": "{other}", "other": "b"})
    assert question.text == "{other} (A) or b (B)?"
    assert prompt.name != prompt_of("compare").name
    for text in ("{other}?", "{hypothesis} {other} {edits}", "{hypothesis} {other} {references}"):
        file.write_text(text)
        with pytest.raises(ValueError, match=r"expected \{hypothesis\} and \{other\}"):
            prompt_of(str(file))


@pytest.mark.parametrize(
    ("written", "score"),
    [
        ('{"score": 4}', 4.0),
        ('```json\n{"score": 2}\n```', 2.0),
        ('{"score": 1} no: {"score": 5}', 5.0),
        (" 3 ", 3.0),
        ('{"score": 0}', None),
        ("", None),
        (None, None),
    ],
)
def test_scores_are_read_of_answers(written: str | None, score: float | None) -> None:
    message = None if written is None else {"content": written}
    assert score_in({"choices": [{"message": message}]}) == score
    assert score_in({"choices": []}) is None


def test_a_probability_is_of_the_digit_that_was_written() -> None:
    def token(text: str, **alternatives: float) -> dict[str, Any]:
        return {
            "token": text,
            "top_logprobs": [{"token": t, "logprob": math.log(p)} for t, p in alternatives.items()],
        }

    tokens = [token("3", **{"3": 1.0}), token(' {"score": '), token("4", **{"4": 0.6, "5": 0.2})]
    content = "".join(part["token"] for part in tokens) + "}"
    answer = {"choices": [{"message": {"content": content}, "logprobs": {"content": tokens}}]}
    # (4 * .6 + 5 * .2) / .8
    assert score_in(answer) == pytest.approx(4.25)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://127.0.0.1:8000/v1", None),
        ("http://[::1]:8000/v1", None),
        ("https://api.example.org/v1", None),
        ("http://api.example.org/v1", "would be sent in the clear"),
        ("https://me:word@api.example.org/v1", "no user, password or query"),
        ("file:///etc/passwd", "expected http://HOST:PORT/v1"),
        ("https://api.example.org:port/v1", "Port could not be cast"),
    ],
)
def test_key_is_sent_only_over_safe_connections(
    url: str, problem: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    message = problem_with(url, "OPENAI_API_KEY")
    assert (message is None) if problem is None else (problem in str(message))
    if problem is None:
        assert is_loopback(url) == ("example" not in url)


def test_judge_needs_only_the_standard_library() -> None:
    code = (
        "import sys, maege.analysis.metrics.judge.judge;"
        "print([name for name in ('numpy', 'pyarrow', 'duckdb', 'yaml') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_remote_judge_needs_a_budget_and_warns_of_upload() -> None:
    url = "https://api.example.org/v1"
    with pytest.raises(ValueError, match="expected a limit in US dollars or the word unlimited"):
        Judge("large", url)
    with pytest.raises(ValueError, match="expected a price as well"):
        Judge("large", url, budget="5")
    for paid in ({"price": "0.15,0.60", "budget": "5"}, {"budget": "unlimited"}):
        assert Judge("large", url, **paid).notice() == f"texts are sent to {url}"


def test_edits_are_shown_in_their_sentence() -> None:
    inputs = {"source": "He go to {hypothesis} today", "hypothesis": "He went to the b"}
    (question,) = prompt_of("kobayashi-e").questions(inputs)
    assert "He [go->went] to [{hypothesis} today->the b]" in question.text


def test_settings_are_not_in_the_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAEGE_METRICS", str(tmp_path / "metrics.yml"))
    signatures = []
    for threads in ("1", "2"):
        entry = {
            "metric_class": JUDGE,
            "parameters": {"model": "m", "base_url": "http://127.0.0.1:9/v1"},
            "settings": {"threads": threads},
        }
        (tmp_path / "metrics.yml").write_text(json.dumps({"metrics": {"judge": entry}}))
        (family,) = own_families()
        assert family.definition.inputs == ("source", "hypothesis")
        signatures.append(family.signature())
    assert signatures[0] == signatures[1]
    assert "|base_url:http://127.0.0.1:9/v1|model:m|made:prompt " in signatures[0]
    assert '"temperature":0,"seed":777' in signatures[0]
