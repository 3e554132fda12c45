"""Which of two corrections a judge prefers: A, B, or C for neither.

The hypothesis is A. Judges prefer texts in one of the two positions (Zheng et al., NeurIPS 2023),
so the warehouse requests each pair in both orders.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from maege.analysis.metrics.judge.questions import (
    INPUT,
    Answer,
    Question,
    Values,
    expected,
    filled,
    last_match,
    written,
)

# Increase this if the same answer is parsed differently.
_PARSER = "1"
COMPARED = {"source", "hypothesis", "other"}

_TASK = """\
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
_BARE = re.compile(r"\W*(A|B|C|(?i:tie))\W*")


@dataclass(frozen=True)
class Comparison:
    """A prompt with {hypothesis} and {other}, which are A and B, and optionally {source}."""

    template: str = _TASK
    most_answered: int = 64
    reads_probabilities: bool = True

    @property
    def reads(self) -> tuple[str, ...]:
        """The inputs that the prompt contains."""
        shown = set(INPUT.findall(self.template))
        return tuple(name for name in ("source", "hypothesis", "other") if name in shown)

    @property
    def name(self) -> str:
        """Name that identifies the text of the prompt and how answers are read."""
        return f"compare {hashlib.sha256(self.template.encode()).hexdigest()[:12]} parser {_PARSER}"

    def questions(self, inputs: Mapping[str, Any]) -> tuple[Question, ...]:
        """Return the one question."""
        better = {"type": "string", "enum": list(_WORTH)}
        return (Question(filled(self.template, inputs), _read, {"better": better}, tokens=8),)

    def score(self, found: tuple[Values, ...]) -> float:
        """Return the preference in the answer: 1 for A, -1 for B, 0 for neither."""
        ((preference,),) = found
        return preference


def _read(answer: Answer) -> Values | None:
    """Return the preference in an answer, None if there is none.

    If the answer has token probabilities, return the mean preference weighted by the probabilities
    of A, B and C.
    """
    text = written(answer)
    found = last_match(_BETTER, text) or _BARE.fullmatch(text)
    if found is None:
        return None
    mean = expected(answer, found.start(1), _WORTH) if found[1] in _WORTH else None
    return (_WORTH.get(found[1], 0.0) if mean is None else mean,)
