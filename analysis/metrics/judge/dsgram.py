"""Three criteria with weights that the judge gives for each pair of sentences.

Based on DSGram (Xie, Li, Yin and Wan, AAAI 2025, arXiv 2412.12832; code in the repository
jxtse/GEC-Metrics-DSGram), with newly written prompts. One question requests reasons and 1 to 10
points for semantic coherence, edit level and fluency. Another requests their relative importance,
as a judgment matrix of the Analytic Hierarchy Process. The score is

    sum of weight(criterion) * points(criterion),   1 to 10,

with the weights from the matrix's principal eigenvector. An inconsistent matrix is requested once
more. If it is inconsistent again, the weights are equal.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from maege.analysis.metrics.judge.questions import (
    Answer,
    Question,
    Values,
    answer_text,
    filled,
    last_match,
)

# Increase this if the same answers give another score.
_PARSER = "1"

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
    """The two questions, and the weighted sum of the answers."""

    reads: tuple[str, ...] = ("source", "hypothesis")
    # The published code's limit, which leaves space for reasons.
    most_answered: int = 512
    reads_probabilities: bool = False

    @property
    def name(self) -> str:
        """Name that identifies the texts of the prompts and how answers are read."""
        digest = hashlib.sha256((_POINTS + _WEIGHTS).encode()).hexdigest()[:12]
        return f"dsgram {digest} parser {_PARSER}"

    def questions(self, inputs: Mapping[str, Any]) -> tuple[Question, ...]:
        """Return the question for points and the one for weights."""
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
        """Return the weighted sum of the criteria's points."""
        points, weights = values
        return sum(point * weight for point, weight in zip(points, weights, strict=True))


def points_in(answer: Answer) -> Values | None:
    """Return the points of the criteria, None if one is missing or not from 1 to 10."""
    text = answer_text(answer)
    matches = [last_match(_points_of(name), text) for name in CRITERIA]
    points = tuple(float(match[1]) for match in matches if match is not None)
    is_whole = len(points) == len(CRITERIA)
    return points if is_whole and all(_LOWEST <= n <= _HIGHEST for n in points) else None


def weights_in(answer: Answer) -> Values | None:
    """Return the weights of the criteria, which sum to 1, from the judgment matrix in an answer.

    None if there is no matrix of positive numbers, or if it is inconsistent: its consistency ratio,
    (largest eigenvalue - 3) / 2 / .58, is at least .1 (Saaty 1977), or at most -.1, which is
    possible if numbers across the diagonal are not reciprocal.
    """
    text = answer_text(answer)
    matches = [last_match(_row_of(name), text) for name in CRITERIA]
    matrix = [_numbers(match) for match in matches if match is not None]
    if len(matrix) < len(CRITERIA) or not all(min(row) > 0 for row in matrix):
        return None
    weights, largest = _principal(matrix)
    ratio = (largest - len(CRITERIA)) / (len(CRITERIA) - 1) / _RANDOM_INDEX
    return weights if abs(ratio) < _MOST_INCONSISTENT else None


def _principal(matrix: Sequence[Values]) -> tuple[Values, float]:
    """Return the principal eigenvector of positive numbers, scaled to sum 1, and its eigenvalue."""
    vector: Values = (1 / len(matrix),) * len(matrix)
    largest = 0.0
    for _ in range(_STEPS):
        product = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
        largest = sum(product)
        vector = tuple(part / largest for part in product)
    return vector, largest


def _points_of(criterion: str) -> re.Pattern[str]:
    return re.compile(rf'"{criterion}"\s*:\s*"?(-?\d+(?:\.\d+)?)', re.IGNORECASE)


def _row_of(criterion: str) -> re.Pattern[str]:
    return re.compile(rf'"{criterion}"\s*:\s*\[([^\[\]]*)\]', re.IGNORECASE)


def _numbers(row: re.Match[str]) -> Values:
    """Return the numbers of a matrix row, where 1/3 is allowed; zeros if they are not three."""
    try:
        numbers = tuple(float(Fraction(part.strip().strip('"'))) for part in row[1].split(","))
    except (ValueError, ZeroDivisionError, OverflowError):
        return (0.0,)
    return numbers if len(numbers) == len(CRITERIA) else (0.0,)
