"""A language model that scores corrections, as a metric with a set-up.

Each whole answer is stored before its score is read, so a new way of reading scores needs no new
requests.
"""

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from maege.analysis.metrics.judge.client import (
    Answers,
    Client,
    RefusedError,
    error_in,
    is_loopback,
    problem_with,
)
from maege.analysis.metrics.judge.prompts import Answer, Question, Values, answer_text, prompt_of
from maege.analysis.metrics.own.interface import Cost, Metric, NoScore, Unavailable

# Characters per token of English with the tokenizers of large models, for cost estimates only.
_CHARACTERS_A_TOKEN = 4
_SEED = 777


class Judge(Metric):
    """A model behind a server with an OpenAI-compatible API; docs/your-metric.md has the settings.

    Raises ValueError for a setting that is not as expected.
    """

    batch_size = 64
    # Each request has its own timeout.
    seconds = 86_400.0

    def __init__(
        self,
        model: str,
        base_url: str,
        prompt: str = "kobayashi-s",
        scale: str = "1-5",
        max_tokens: str = "",
        logprobs: str = "yes",
        price: str = "",
        budget: str = "",
        threads: str = "8",
        per_minute: str = "6000",
        timeout: str = "60",
        tries: str = "6",
        key_variable: str = "OPENAI_API_KEY",
    ) -> None:
        self.model, self.url = model, base_url.rstrip("/")
        if problem := problem_with(self.url, key_variable):
            raise ValueError(problem)
        self._prompt = prompt_of(prompt, scale)
        self.reads = self._prompt.reads
        self._settings: dict[str, Any] = {
            "temperature": 0,
            "seed": _SEED,
            "max_tokens": int(max_tokens or self._prompt.most_answered),
        }
        if logprobs == "yes" and self._prompt.reads_probabilities:
            self._settings |= {"logprobs": True, "top_logprobs": 20}
        self._price = _prices(price)
        self._budget = float(budget) if budget not in ("", "unlimited") else None
        if self._budget is not None and not price:
            raise ValueError("budget: expected a price as well, such as 0.15,0.60")
        if not (budget or is_loopback(self.url)):
            raise ValueError(
                f"budget: expected a limit in US dollars or the word unlimited, because {self.url} "
                "may cost money"
            )
        self._threads = int(threads)
        self._client = Client(self.url, key_variable, float(timeout), int(tries), float(per_minute))
        self._has_schemas = True

    def signature(self) -> str:
        return f"{self._prompt.name} {json.dumps(self._settings, separators=(',', ':'))}"

    def notice(self) -> str:
        return "" if is_loopback(self.url) else f"texts are sent to {self.url}"

    def score_batch(self, **inputs: Sequence[Any]) -> list[float | NoScore | None]:
        answers = self.answers()
        question_sets = self._questions(inputs)
        if self._open(answers, question_sets):
            self._check_budget(answers)
        distinct = {_texts(questions): questions for questions in question_sets}
        with ThreadPoolExecutor(self._threads) as pool:
            results = pool.map(partial(self._scored, answers), distinct.values())
            scores = dict(zip(distinct, results, strict=True))
        self._check_snapshot(answers)
        return [scores[_texts(questions)] for questions in question_sets]

    def estimate(self, **inputs: Sequence[Any]) -> Cost:
        return self._cost(self._open(self.answers(), self._questions(inputs)))

    def batch(self, **inputs: Sequence[Any]) -> tuple[list[dict[str, Any]], Cost]:
        """Return the request bodies that these inputs lack, and their cost.

        Raises Unavailable if the cost exceeds the budget.
        """
        answers = self.answers()
        open_requests = self._open(answers, self._questions(inputs), with_errors=True)
        cost = self._cost(open_requests)
        if open_requests:
            self._check_budget(answers, cost.usd)
        return [request for _, request in open_requests], cost

    def _questions(self, inputs: Mapping[str, Sequence[Any]]) -> list[tuple[Question, ...]]:
        rows = zip(*inputs.values(), strict=True)
        return [self._prompt.questions(dict(zip(inputs, row, strict=True))) for row in rows]

    def _open(
        self,
        answers: Answers,
        question_sets: Sequence[tuple[Question, ...]],
        *,
        with_errors: bool = False,
    ) -> list[tuple[Question, dict[str, Any]]]:
        open_requests = []
        for question in {
            question.text: question for questions in question_sets for question in questions
        }.values():
            request = self._request(question)
            answer = answers.get(self.url, request)
            if answer is not None and error_in(answer) is None and question.read(answer) is None:
                request = self._constrained(question)
                answer = answers.get(self.url, request)
            if answer is None or (with_errors and error_in(answer) is not None):
                open_requests.append((question, request))
        return open_requests

    def _cost(self, open_requests: Sequence[tuple[Question, Mapping[str, Any]]]) -> Cost:
        sent = sum(len(question.text) for question, _ in open_requests) / _CHARACTERS_A_TOKEN
        answered = sum(question.tokens for question, _ in open_requests)
        return Cost(sent, answered, self._dollars(sent, answered))

    def _scored(self, answers: Answers, questions: tuple[Question, ...]) -> float | NoScore:
        try:
            return self._prompt.score(
                tuple(self._values(answers, question) for question in questions)
            )
        except RefusedError as error:
            return NoScore(str(error))

    def _values(self, answers: Answers, question: Question) -> Values:
        answer = self._answer(answers, self._request(question))
        values = question.read(answer)
        if values is None and self._has_schemas:
            again = self._again(answers, question)
            answer = answer if again is None else again
            values = question.read(answer)
        values = question.otherwise if values is None else values
        if values is None:
            raise RefusedError(f"no score in the answer: {answer_text(answer)!r}")
        return values

    def _again(self, answers: Answers, question: Question) -> Answer | None:
        constrained = self._constrained(question)
        try:
            return self._answer(answers, constrained, may_refuse=True)
        except RefusedError:
            # A stored error concerns only this text.
            self._has_schemas = answers.get(self.url, constrained) is not None
            return None

    def _answer(
        self, answers: Answers, request: Mapping[str, Any], *, may_refuse: bool = False
    ) -> Answer:
        answer = answers.get(self.url, request)
        if answer is None:
            answer = self._client.ask(request, may_refuse=may_refuse)
            answers.put(self.url, request, answer)
        if error := error_in(answer):
            raise RefusedError(error)
        return answer

    def _request(self, question: Question) -> dict[str, Any]:
        message = {"role": "user", "content": question.text}
        return {"model": self.model, "messages": [message], **self._settings}

    def _constrained(self, question: Question) -> dict[str, Any]:
        return self._request(question) | {"response_format": question.response_format()}

    def _check_budget(self, answers: Answers, usd: float = 0) -> None:
        """Raise Unavailable if the rest of the budget is zero or smaller than `usd` US dollars."""
        if self._budget is None:
            return
        spent = self._dollars(*answers.tokens(self.url, self.model))
        if spent >= self._budget or spent + usd > self._budget:
            about = f", and this would take {usd:.2f}" if usd else ""
            raise Unavailable(
                f"{spent:.2f} of {self._budget:.2f} US dollars are spent{about}: raise the budget "
                "in metrics.yml (settings), then repeat the command"
            )

    def _check_snapshot(self, answers: Answers) -> None:
        """Raise Unavailable if two snapshots, whose scores differ, answered for one model."""
        snapshots = answers.snapshots(self.url, self.model)
        if len(snapshots) > 1:
            raise Unavailable(
                f"{self.model} has answers by {' and by '.join(snapshots)}: declare one of these "
                "snapshots as the model"
            )

    def _dollars(self, sent: float, answered: float) -> float:
        return (sent * self._price[0] + answered * self._price[1]) / 1e6

    @staticmethod
    def answers() -> Answers:
        warehouse = Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")
        return Answers(warehouse / "judge_answers.sqlite")


def _texts(questions: tuple[Question, ...]) -> tuple[str, ...]:
    return tuple(question.text for question in questions)


def _prices(written_price: str) -> tuple[float, float]:
    if not written_price:
        return 0.0, 0.0
    try:
        sent, answered = map(float, written_price.split(","))
    except ValueError:
        raise ValueError(
            f"price: found {written_price}; expected US dollars for a million tokens sent and "
            "answered, as in 0.15,0.60"
        ) from None
    return sent, answered
