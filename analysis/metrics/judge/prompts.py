"""Prompts for a judge that scores or compares corrections, and parsing of its answers.

The named prompts follow the protocols of Kobayashi, Mita and Komachi (BEA 2024, arXiv 2403.17540),
with newly written wording: a score from 1 to 5 for whole sentences (-s), for whole sentences with a
focus on fluency, or for a sentence with its edits (-e). The paper lists up to five targets with
three sentences of context. Here a prompt has one target and no context, so scores are not expected
to equal published numbers.

In a comparison of two corrections, the hypothesis is A, and C means neither. Judges prefer texts in
one of the two positions (Zheng et al., NeurIPS 2023), so the warehouse requests each pair in both
orders.

`dsgram` is based on DSGram (Xie, Li, Yin and Wan, AAAI 2025, arXiv 2412.12832; code in the
repository jxtse/GEC-Metrics-DSGram), with newly written prompts. One question requests 1 to 10
points for three criteria, another their relative importance, as a judgment matrix of the Analytic
Hierarchy Process. The score is

    sum of weight(criterion) * points(criterion),   1 to 10,

with the weights from the matrix's principal eigenvector. An inconsistent matrix is requested once
more. If it is inconsistent again, the weights are equal.
"""

import difflib
import hashlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from maege.analysis.metrics.own.interface import INPUTS

INPUT = re.compile(r"\{(source|hypothesis|other|edits|references)\}")
COMPARED = {"source", "hypothesis", "other"}
# Increase this if the same answer is parsed differently.
PARSER = "1"

Answer = Mapping[str, Any]
Values = tuple[float, ...]


@dataclass(frozen=True)
class Question:
    """One question to the judge.

    `read` returns the numbers in an answer, or None. `properties` has the JSON schema of each
    property of an answer in JSON. `tokens` is the approximate number of tokens in an answer.
    `otherwise` are numbers to use if no answer has any; None gives the input no score.
    """

    text: str
    read: Callable[[Answer], Values | None]
    properties: Mapping[str, Any]
    tokens: int
    otherwise: Values | None = None

    def response_format(self) -> dict[str, Any]:
        schema = {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.properties),
            "additionalProperties": False,
        }
        return {"type": "json_schema", "json_schema": {"name": "score", "schema": schema}}


def filled(template: str, values: Mapping[str, str]) -> str:
    return INPUT.sub(lambda place: values[place[1]], template)


def answer_text(answer: Answer) -> str:
    try:
        return str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError):
        return ""


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    # An answer may give reasons first.
    return next(reversed([*pattern.finditer(text)]), None)


def _likely_value(
    answer: Answer, match: re.Match[str], worth: Mapping[str, float], written: float
) -> Values:
    """Return the mean `worth` of the tokens at the match's first group, weighted by probability.

    Return the written value if it has no worth, or if the answer has no probabilities.
    """
    stop = 0
    try:
        for token in answer["choices"][0]["logprobs"]["content"] or ():
            stop += len(token["token"])
            if match.start(1) < stop and match[1] in worth:
                shares = [
                    (worth[text], math.exp(min(0.0, float(candidate["logprob"]))))
                    for candidate in token.get("top_logprobs") or ()
                    if (text := str(candidate["token"]).strip()) in worth
                ]
                total = sum(share for _, share in shares)
                return (sum(value * share for value, share in shares) / total,)
    except (KeyError, IndexError, TypeError, ZeroDivisionError):
        pass
    return (written,)


# --- One score, or one preference ---

_COMPARISON = """\
Below are a source sentence, written by a learner of a language, and two corrections of it. Which
correction is better?

# source
{source}

# A
{hypothesis}

# B
{other}

# output format
JSON and nothing else: {"better": "A"}, or "B", or "C" if neither is better
"""
_WORTH = {"A": 1.0, "B": -1.0, "C": 0.0}
_BETTER = re.compile(r'"better"\s*:\s*"?(A|B|C|(?i:tie))\b')
_BARE_LETTER = re.compile(r"\W*(A|B|C|(?i:tie))\W*")
_TASK = """\
Below are a source sentence, written by a learner of a language, and a target, which corrects it.
Give the target a score from a minimum of 1 point to a maximum of 5 points{focus}.

# source
{{source}}

# target
{{{target}}}

# output format
JSON and nothing else: {{"score": <integer from 1 to 5>}}
"""
_PROMPTS = {
    "kobayashi-s": ("hypothesis", " for the quality of the sentence as a correction"),
    "kobayashi-s-fluency": (
        "hypothesis",
        " for the quality of the sentence as a correction, with a focus on its fluency",
    ),
    "kobayashi-e": (
        "edits",
        " for the quality of its edits, which stand in it as [source words->target words]",
    ),
}
_SCORE = re.compile(r'"score"\s*:\s*"?(-?\d+(?:\.\d+)?)')
_BARE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True)
class Prompt:
    """A prompt with one question. Without a scale, it compares {hypothesis} with {other}."""

    template: str
    scale: tuple[int, int] | None = (1, 5)
    most_answered: int = 64
    reads_probabilities: bool = True

    @property
    def reads(self) -> tuple[str, ...]:
        inputs = set(INPUT.findall(self.template))
        if "edits" in inputs:
            inputs |= {"source", "hypothesis"}
        return tuple(name for name in INPUTS if name in inputs)

    @property
    def name(self) -> str:
        kind, text = "compare", self.template
        if self.scale:
            kind, text = "prompt", f"{self.scale[0]} {self.scale[1]} {self.template}"
        return f"{kind} {hashlib.sha256(text.encode()).hexdigest()[:12]} parser {PARSER}"

    def questions(self, inputs: Mapping[str, Any]) -> tuple[Question, ...]:
        values = {name: str(inputs.get(name)) for name in COMPARED}
        values["references"] = "\n".join(inputs.get("references", ()))
        if "{edits}" in self.template:
            values["edits"] = with_edits(inputs["source"], inputs["hypothesis"])
        text = filled(self.template, values)
        if self.scale is None:
            better = {"type": "string", "enum": list(_WORTH)}
            return (Question(text, self._read, {"better": better}, tokens=8),)
        score = {"type": "integer", "minimum": self.scale[0], "maximum": self.scale[1]}
        return (Question(text, self._read, {"score": score}, tokens=8),)

    def score(self, values: tuple[Values, ...]) -> float:
        ((score,),) = values
        return score

    def _read(self, answer: Answer) -> Values | None:
        """Return the score or preference in an answer, None if there is none on the scale."""
        text = answer_text(answer)
        if self.scale is None:
            match = last_match(_BETTER, text) or _BARE_LETTER.fullmatch(text)
            return match and _likely_value(answer, match, _WORTH, _WORTH.get(match[1], 0.0))
        lowest, highest = self.scale
        match = last_match(_SCORE, text) or _BARE.fullmatch(text)
        if match is None or not lowest <= float(match[1]) <= highest:
            return None
        scores = range(lowest, highest + 1) if highest <= 9 else ()
        digits = {str(digit): float(digit) for digit in scores}
        return _likely_value(answer, match, digits, float(match[1]))


def prompt_of(name: str, scale: str = "1-5") -> "Prompt | DSGram":
    if name == "dsgram":
        return DSGram()
    if name == "compare":
        return Prompt(_COMPARISON, None)
    if name in _PROMPTS:
        target, focus = _PROMPTS[name]
        return Prompt(_TASK.format(target=target, focus=focus))
    file = Path(name).expanduser()
    if not file.is_file():
        named = ", ".join([*_PROMPTS, "dsgram", "compare"])
        raise ValueError(f"prompt: found {name}; expected a file, or one of {named}")
    bounds = re.fullmatch(r"(\d+)-(\d+)", scale)
    if bounds is None or int(bounds[1]) >= int(bounds[2]):
        raise ValueError(f"scale: found {scale}; expected the lowest and highest score, as in 1-5")
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"prompt: {file}: {error}") from None
    inputs = set(INPUT.findall(text))
    if "other" in inputs:
        if not {"hypothesis", "other"} <= inputs <= COMPARED:
            raise ValueError(
                f"prompt: {file}: expected {{hypothesis}} and {{other}}, and no "
                "{edits} or {references}"
            )
        return Prompt(text, None)
    if not inputs & {"hypothesis", "edits"}:
        raise ValueError(f"prompt: {file}: expected {{hypothesis}} or {{edits}} in the text")
    return Prompt(text, (int(bounds[1]), int(bounds[2])))


def with_edits(source: str, hypothesis: str) -> str:
    source_words, hypothesis_words = source.split(), hypothesis.split()
    parts: list[str] = []
    matcher = difflib.SequenceMatcher(None, source_words, hypothesis_words, autojunk=False)
    for kind, old_start, old_stop, new_start, new_stop in matcher.get_opcodes():
        words = " ".join(hypothesis_words[new_start:new_stop])
        replaced = " ".join(source_words[old_start:old_stop])
        parts.append(words if kind == "equal" else f"[{replaced}->{words}]")
    return " ".join(parts)


# --- Three criteria with weights ---

CRITERIA = ("semantic coherence", "edit level", "fluency")
_LOWEST, _HIGHEST = 1, 10
# Saaty 1977: the mean consistency index of random 3 x 3 matrices, and the maximum share of it for a
# consistent matrix. The published code uses .90, the index of 4 x 4 matrices.
_RANDOM_INDEX = 0.58
_MOST_INCONSISTENT = 0.1
_STEPS = 100

_POINTS = """\
A sentence was corrected. Judge the correction by three criteria, each for itself, from 1 to 10
points. Use the whole scale.

- semantic coherence: does the corrected sentence mean what the original one means?
  10: it says all of it and nothing else; 5: some of it is lost, but the intention can be made
  out; 1: it says something else.
- edit level: was each change needed?
  10: nothing was changed without need; 5: several changes were not needed, though the sentence
  stays clear; 1: needless changes spoil the sentence.
- fluency: is the corrected sentence grammatical, and does it read as if a native speaker wrote it?
  10: without a fault; 5: errors that are left make it clumsy; 1: errors make it hardly readable.

# original sentence
{source}

# corrected sentence
{hypothesis}

# output format
For each criterion the reason of its points, in a sentence. Then, on the last line, JSON:
{"semantic coherence": <integer>, "edit level": <integer>, "fluency": <integer>}
"""
_WEIGHTS = """\
A correction of a sentence will be judged by three criteria. Say how important each is beside each
other one for this pair of sentences, as a judgment matrix of the Analytic Hierarchy Process.

- semantic coherence: that the corrected sentence means what the original one means
- edit level: that nothing is changed without need
- fluency: that the corrected sentence is grammatical and reads well

A number says how much more important the criterion of its row is than that of its column:
1 as important, 3 a little more, 5 clearly more, 7 much more, 9 extremely more; 2, 4, 6 and 8 lie
between. Where the row's criterion is less important it is 1 divided by that, as a decimal.

# original sentence
{source}

# corrected sentence
{hypothesis}

# output format
JSON and nothing else, with the columns in the order of the rows:
{"semantic coherence": [1, <number>, <number>], "edit level": [<number>, 1, <number>],
"fluency": [<number>, <number>, 1]}
"""


@dataclass(frozen=True)
class DSGram:
    reads: tuple[str, ...] = ("source", "hypothesis")
    # The published code's limit, which leaves space for reasons.
    most_answered: int = 512
    reads_probabilities: bool = False

    @property
    def name(self) -> str:
        digest = hashlib.sha256((_POINTS + _WEIGHTS).encode()).hexdigest()[:12]
        return f"dsgram {digest} parser {PARSER}"

    def questions(self, inputs: Mapping[str, Any]) -> tuple[Question, ...]:
        point = {"type": "integer", "minimum": _LOWEST, "maximum": _HIGHEST}
        row = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
        points = {"reasons": {"type": "string"}} | dict.fromkeys(CRITERIA, point)
        return (
            Question(filled(_POINTS, inputs), points_in, points, tokens=150),
            Question(
                filled(_WEIGHTS, inputs),
                weights_in,
                dict.fromkeys(CRITERIA, row),
                tokens=50,
                otherwise=(1 / 3, 1 / 3, 1 / 3),
            ),
        )

    def score(self, values: tuple[Values, ...]) -> float:
        points, weights = values
        return sum(point * weight for point, weight in zip(points, weights, strict=True))


def points_in(answer: Answer) -> Values | None:
    text = answer_text(answer)
    matches = [
        last_match(re.compile(rf'"{name}"\s*:\s*"?(-?\d+(?:\.\d+)?)', re.IGNORECASE), text)
        for name in CRITERIA
    ]
    points = tuple(float(match[1]) for match in matches if match is not None)
    is_whole = len(points) == len(CRITERIA)
    return points if is_whole and all(_LOWEST <= n <= _HIGHEST for n in points) else None


def weights_in(answer: Answer) -> Values | None:
    """Return the weights of the criteria from the matrix in an answer, None without a usable one.

    The consistency ratio, (largest eigenvalue - 3) / 2 / .58, must be below .1 (Saaty 1977). It may
    be negative, because numbers across the diagonal may not be reciprocal.
    """
    text = answer_text(answer)
    matches = [
        last_match(re.compile(rf'"{name}"\s*:\s*\[([^\[\]]*)\]', re.IGNORECASE), text)
        for name in CRITERIA
    ]
    matrix = [_numbers(match) for match in matches if match is not None]
    if len(matrix) < len(CRITERIA) or not all(min(row) > 0 for row in matrix):
        return None
    weights, largest = _principal(matrix)
    ratio = (largest - len(CRITERIA)) / (len(CRITERIA) - 1) / _RANDOM_INDEX
    return weights if abs(ratio) < _MOST_INCONSISTENT else None


def _principal(matrix: Sequence[Values]) -> tuple[Values, float]:
    vector: Values = (1 / len(matrix),) * len(matrix)
    largest = 0.0
    for _ in range(_STEPS):
        product = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
        largest = sum(product)
        vector = tuple(part / largest for part in product)
    return vector, largest


def _numbers(row: re.Match[str]) -> Values:
    try:
        numbers = tuple(float(Fraction(part.strip().strip('"'))) for part in row[1].split(","))
    except (ValueError, ZeroDivisionError, OverflowError):
        return (0.0,)
    return numbers if len(numbers) == len(CRITERIA) else (0.0,)
