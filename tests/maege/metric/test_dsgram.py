"""The judge of three criteria: its requests, and the scores from points and weights."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, chat_server

from maege.analysis.metrics.judge.judge import Judge
from maege.analysis.metrics.judge.prompts import points_in, weights_in
from maege.analysis.metrics.own.interface import NoScore

POINTS, WEIGHTS = "from 1 to 10", "judgment matrix"
EIGHT_FOUR_SIX = (
    'It says the same. One change is needless; "edit level": 9 would be too much.\n'
    '{"semantic coherence": 8, "edit level": 4, "fluency": 6}'
)
# Twice as important as edit level, four times as fluency: weights 4/7, 2/7, 1/7.
MATRIX = '{"semantic coherence": [1, 2, 4], "edit level": [0.5, 1, 2], "fluency": ["1/4", 0.5, 1]}'


def answer(written: str) -> dict[str, Any]:
    return {"choices": [{"message": {"content": written}}]}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server that returns 8, 4 and 6 points, and a warehouse folder for the responses."""
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path))
    with chat_server() as running:
        running.says = {POINTS: EIGHT_FOUR_SIX, WEIGHTS: MATRIX}
        yield running


def score(server: ChatServer) -> float | NoScore | None:
    judge = Judge("judge", server.url, "dsgram")
    (value,) = judge.score_batch(source=["He go ."], hypothesis=["He goes {source} ."])
    return value


def test_points_are_weighted_by_the_importance_of_their_criteria(server: ChatServer) -> None:
    # (4 * 8 + 2 * 4 + 1 * 6) / 7
    assert score(server) == pytest.approx(46 / 7)
    first, second = server.requests
    for request in (first, second):
        assert (request["temperature"], request["max_tokens"]) == (0, 512)
        assert "logprobs" not in request
        text = request["messages"][0]["content"]
        assert "# original sentence\nHe go .\n\n# corrected sentence\nHe goes {source} .\n" in text
    assert score(server) == pytest.approx(46 / 7)
    assert len(server.requests) == 2


def test_a_matrix_that_contradicts_itself_twice_weighs_all_criteria_alike(
    server: ChatServer,
) -> None:
    # The first is more important than the second, that than the third, and that than the first.
    server.says[WEIGHTS] = (
        '{"semantic coherence": [1, 5, 0.2], "edit level": [0.2, 1, 5], "fluency": [5, 0.2, 1]}'
    )
    assert score(server) == pytest.approx((8 + 4 + 6) / 3)
    again = server.requests[2]["response_format"]["json_schema"]["schema"]
    assert again["required"] == ["semantic coherence", "edit level", "fluency"]
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ('```{"Semantic Coherence": "8.5", "Edit Level": 4, "Fluency": 10}```', (8.5, 4, 10)),
        ('{"semantic coherence": 11, "edit level": 4, "fluency": 6}', None),
        ('{"semantic coherence": 0, "edit level": 4, "fluency": 6}', None),
        ("semantic coherence 8, edit level 4, fluency 6", None),
    ],
)
def test_points_are_from_1_to_10_and_of_all_criteria(
    written: str, points: tuple[float, ...] | None
) -> None:
    assert points_in(answer(written)) == points


@pytest.mark.parametrize(
    "rows",
    [
        ("[1, 1, 1]", "[1, 1, 1]"),
        ("[1, 2, 4]", "[0.5, 1]", "[0.25, 0.5, 1]"),
        ("[1, 2, 0]", "[0.5, 1, 2]", "[0.25, 0.5, 1]"),
        ("[1, 2, -4]", "[0.5, 1, 2]", "[0.25, 0.5, 1]"),
        ("[1, 2, 1/0]", "[0.5, 1, 2]", "[0.25, 0.5, 1]"),
        # An inconsistent matrix: the largest eigenvalue is 2.6.
        ("[1, 0.333, 0.5]", "[1, 1, 1]", "[1, 0.7, 1]"),
    ],
)
def test_invalid_judgment_matrix_has_no_weights(rows: tuple[str, ...]) -> None:
    names = ("semantic coherence", "edit level", "fluency")
    parts = ", ".join(f'"{name}": {row}' for name, row in zip(names, rows, strict=False))
    assert weights_in(answer(f"{{{parts}}}")) is None


def test_weights_are_those_of_saatys_method() -> None:
    # Geometric means of the rows, which are the eigenvector where there are three criteria:
    # 15^(1/3), 1, (1/15)^(1/3).
    matrix = '{"semantic coherence": [1, 3, 5], "edit level": [0.3333333, 1, 3], '
    matrix += '"fluency": [0.2, 0.3333333, 1]}'
    means = (15 ** (1 / 3), 1.0, (1 / 15) ** (1 / 3))
    expected = [mean / sum(means) for mean in means]
    assert weights_in(answer(matrix)) == pytest.approx(expected, abs=1e-6)
