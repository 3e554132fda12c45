"""Questions for a judge about one correction, and how numbers are read from its answers."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

INPUT = re.compile(r"\{(source|hypothesis|other|edits|references)\}")

Answer = Mapping[str, Any]
Values = tuple[float, ...]


@dataclass(frozen=True)
class Question:
    """One question to the judge.

    Attributes:
        text: text of the question.
        read: returns the numbers in an answer, or None if it has none.
        properties: JSON schema of each property of an answer in JSON, by name.
        tokens: approximate number of tokens in an answer.
        otherwise: numbers to use if no answer has any; None gives the input no score.

    """

    text: str
    read: Callable[[Answer], Values | None]
    properties: Mapping[str, Any]
    tokens: int
    otherwise: Values | None = None

    def response_format(self) -> dict[str, Any]:
        """Return the request field that makes the server answer in JSON."""
        schema = {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.properties),
            "additionalProperties": False,
        }
        return {"type": "json_schema", "json_schema": {"name": "score", "schema": schema}}


def filled(template: str, values: Mapping[str, str]) -> str:
    """Fill values into the {names} of a template. Braces within values are not replaced."""
    return INPUT.sub(lambda place: values[place[1]], template)


def answer_text(answer: Answer) -> str:
    """Return the text of an answer, empty if it has none."""
    try:
        return str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError):
        return ""


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the last match, because an answer may give reasons first."""
    last = None
    for match in pattern.finditer(text):
        last = match
    return last


def expected(answer: Answer, at: int, worth: Mapping[str, float]) -> float | None:
    """Return the probability-weighted mean value of the tokens at a position of the answer.

    None if the answer has no probabilities, or none for these tokens.

    Args:
        answer: the answer.
        at: the position in its text.
        worth: value of each token that counts, without blanks.
    """
    for start, token in _tokens(answer):
        if not start <= at < start + len(token["token"]):
            continue
        total, weighted = 0.0, 0.0
        for candidate in token.get("top_logprobs") or ():
            value = worth.get(str(candidate["token"]).strip())
            if value is not None:
                share = math.exp(min(0.0, float(candidate["logprob"])))
                total += share
                weighted += value * share
        return weighted / total if total else None
    return None


def _tokens(answer: Answer) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the start of each token in the text, with its data from the answer."""
    try:
        tokens: Sequence[Mapping[str, Any]] = answer["choices"][0]["logprobs"]["content"] or ()
        start = 0
        for token in tokens:
            yield start, token
            start += len(token["token"])
    except (KeyError, IndexError, TypeError):
        return


def canonical(request: Mapping[str, Any]) -> str:
    """Return a request as text that does not depend on the order of its keys."""
    return json.dumps(request, sort_keys=True, ensure_ascii=False)
