"""Prompts for a judge that scores or compares corrections, and parsing of its answers.

The named prompts follow the protocols of Kobayashi, Mita and Komachi (BEA 2024, arXiv 2403.17540),
with newly written wording: a score from 1 to 5 for whole sentences (-s), for whole sentences with a
focus on fluency, or for a sentence with its edits (-e). The paper lists up to five targets with
three sentences of context. Here a prompt has one target and no context, so that a score depends
only on its source and hypothesis. Scores are therefore not expected to equal published numbers.

In a comparison of two corrections, the hypothesis is A, and C means neither. Judges prefer texts in
one of the two positions (Zheng et al., NeurIPS 2023), so the warehouse requests each pair in both
orders.
"""

import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maege.analysis.metrics.judge.dsgram import DSGram
from maege.analysis.metrics.judge.questions import (
    INPUT,
    Answer,
    Question,
    Values,
    answer_text,
    expected,
    filled,
    last_match,
)

COMPARED = {"source", "hypothesis", "other"}

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


@dataclass(frozen=True)
class Comparison:
    """A prompt with {hypothesis} and {other}, which are A and B, and optionally {source}."""

    template: str = _COMPARISON
    most_answered: int = 64
    reads_probabilities: bool = True

    @property
    def reads(self) -> tuple[str, ...]:
        """The inputs that the prompt contains."""
        inputs = set(INPUT.findall(self.template))
        return tuple(name for name in ("source", "hypothesis", "other") if name in inputs)

    @property
    def name(self) -> str:
        """Name that identifies the text of the prompt and how answers are read."""
        return f"compare {hashlib.sha256(self.template.encode()).hexdigest()[:12]} parser {PARSER}"

    def questions(self, inputs: Mapping[str, Any]) -> tuple[Question, ...]:
        """Return the one question."""
        better = {"type": "string", "enum": list(_WORTH)}
        return (Question(filled(self.template, inputs), _preference, {"better": better}, tokens=8),)

    def score(self, values: tuple[Values, ...]) -> float:
        """Return the preference in the answer: 1 for A, -1 for B, 0 for neither."""
        ((preference,),) = values
        return preference


def _preference(answer: Answer) -> Values | None:
    """Return the preference in an answer, None if there is none.

    If the answer has token probabilities, return the mean preference weighted by the probabilities
    of A, B and C.
    """
    text = answer_text(answer)
    match = last_match(_BETTER, text) or _BARE_LETTER.fullmatch(text)
    if match is None:
        return None
    mean = expected(answer, match.start(1), _WORTH) if match[1] in _WORTH else None
    return (_WORTH.get(match[1], 0.0) if mean is None else mean,)


# Increase this if the same answer is parsed differently.
PARSER = "1"

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
    """A prompt with {source}, {hypothesis}, {edits} or {references}, and its scale."""

    template: str
    lowest: int = 1
    highest: int = 5
    most_answered: int = 64
    reads_probabilities: bool = True

    @property
    def reads(self) -> tuple[str, ...]:
        """The inputs that the prompt contains."""
        inputs = set(INPUT.findall(self.template))
        if "edits" in inputs:
            inputs |= {"source", "hypothesis"}
        return tuple(name for name in ("source", "hypothesis", "references") if name in inputs)

    @property
    def name(self) -> str:
        """Name that identifies the text, the scale and how answers are read."""
        settings = f"{self.lowest} {self.highest} {self.template}"
        return f"prompt {hashlib.sha256(settings.encode()).hexdigest()[:12]} parser {PARSER}"

    def questions(self, inputs: Mapping[str, Any]) -> tuple[Question, ...]:
        """Return the one question."""
        values = {name: str(inputs.get(name)) for name in ("source", "hypothesis")}
        values["references"] = "\n".join(inputs.get("references", ()))
        if "{edits}" in self.template:
            values["edits"] = with_edits(inputs["source"], inputs["hypothesis"])
        score = {"type": "integer", "minimum": self.lowest, "maximum": self.highest}
        text = filled(self.template, values)
        return (Question(text, self._read, {"score": score}, tokens=8),)

    def score(self, values: tuple[Values, ...]) -> float:
        """Return the score in the answer."""
        ((score,),) = values
        return score

    def _read(self, answer: Answer) -> Values | None:
        """Return the score in an answer, None if there is none on the scale.

        If the answer has token probabilities, return the mean of all one-digit scores weighted by
        these. Otherwise return the written score.
        """
        text = answer_text(answer)
        match = last_match(_SCORE, text) or _BARE.fullmatch(text)
        if match is None or not self.lowest <= float(match[1]) <= self.highest:
            return None
        digits = {str(digit): digit for digit in range(self.lowest, self.highest + 1)}
        is_digit = self.highest <= 9 and match[1].isdigit()
        mean = expected(answer, match.start(1), digits) if is_digit else None
        return (float(match[1]) if mean is None else mean,)


def prompt_of(name: str, scale: str = "1-5") -> Prompt | Comparison | DSGram:
    """Return a prompt by name or from a file; raise ValueError if it is not available.

    `reads` are the inputs that the judge sees. `name` identifies the texts and how answers are
    read. `most_answered` is the maximum number of tokens in an answer. `reads_probabilities` says
    whether the score uses the probabilities of the answer tokens.
    """
    if name == "dsgram":
        return DSGram()
    if name == "compare":
        return Comparison()
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
    if "{other}" in text:
        if not {"hypothesis", "other"} <= set(INPUT.findall(text)) <= COMPARED:
            raise ValueError(
                f"prompt: {file}: expected {{hypothesis}} and {{other}}, and no "
                "{edits} or {references}"
            )
        return Comparison(text)
    prompt = Prompt(text, int(bounds[1]), int(bounds[2]))
    if "hypothesis" not in prompt.reads:
        raise ValueError(f"prompt: {file}: expected {{hypothesis}} or {{edits}} in the text")
    return prompt


def with_edits(source: str, hypothesis: str) -> str:
    """Return the hypothesis with each edit as [source words->target words]."""
    source_words, hypothesis_words = source.split(), hypothesis.split()
    parts: list[str] = []
    matcher = difflib.SequenceMatcher(None, source_words, hypothesis_words, autojunk=False)
    for kind, old_start, old_stop, new_start, new_stop in matcher.get_opcodes():
        words = " ".join(hypothesis_words[new_start:new_stop])
        replaced = " ".join(source_words[old_start:old_stop])
        parts.append(words if kind == "equal" else f"[{replaced}->{words}]")
    return " ".join(parts)
