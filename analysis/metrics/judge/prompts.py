"""Prompts for a judge that scores one correction, and parsing of the scores in its answers.

The named prompts follow the protocols of Kobayashi, Mita and Komachi (BEA 2024, arXiv 2403.17540),
with newly written wording: a score from 1 to 5 for whole sentences (-s), for whole sentences with a
focus on fluency, or for a sentence with its edits (-e). The paper lists up to five targets with
three sentences of context. Here a prompt has one target and no context, so that a score depends
only on its source and hypothesis. Scores are therefore not expected to equal published numbers.
"""

import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maege.analysis.metrics.judge.compare import COMPARED, Comparison
from maege.analysis.metrics.judge.dsgram import DSGram
from maege.analysis.metrics.judge.questions import (
    INPUT,
    Answer,
    Asking,
    Question,
    Values,
    expected,
    filled,
    last_match,
    written,
)

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
        shown = set(INPUT.findall(self.template))
        if "edits" in shown:
            shown |= {"source", "hypothesis"}
        return tuple(name for name in ("source", "hypothesis", "references") if name in shown)

    @property
    def name(self) -> str:
        """Name that identifies the text, the scale and how answers are read."""
        told = f"{self.lowest} {self.highest} {self.template}"
        return f"prompt {hashlib.sha256(told.encode()).hexdigest()[:12]} parser {PARSER}"

    def questions(self, inputs: Mapping[str, Any]) -> tuple[Question, ...]:
        """Return the one question."""
        values = {name: str(inputs.get(name)) for name in ("source", "hypothesis")}
        values["references"] = "\n".join(inputs.get("references", ()))
        if "{edits}" in self.template:
            values["edits"] = with_edits(inputs["source"], inputs["hypothesis"])
        score = {"type": "integer", "minimum": self.lowest, "maximum": self.highest}
        text = filled(self.template, values)
        return (Question(text, self._read, {"score": score}, tokens=8),)

    def score(self, found: tuple[Values, ...]) -> float:
        """Return the score in the answer."""
        ((score,),) = found
        return score

    def _read(self, answer: Answer) -> Values | None:
        """Return the score in an answer, None if there is none on the scale.

        If the answer has token probabilities, return the mean of all one-digit scores weighted by
        these. Otherwise return the written score.
        """
        text = written(answer)
        found = last_match(_SCORE, text) or _BARE.fullmatch(text)
        if found is None or not self.lowest <= float(found[1]) <= self.highest:
            return None
        digits = {str(digit): digit for digit in range(self.lowest, self.highest + 1)}
        is_digit = self.highest <= 9 and found[1].isdigit()
        mean = expected(answer, found.start(1), digits) if is_digit else None
        return (float(found[1]) if mean is None else mean,)


def prompt_of(name: str, scale: str = "1-5") -> Asking:
    """Return a prompt by name or from a file; raise ValueError if it is not available."""
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
    found = re.fullmatch(r"(\d+)-(\d+)", scale)
    if found is None or int(found[1]) >= int(found[2]):
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
    prompt = Prompt(text, int(found[1]), int(found[2]))
    if "hypothesis" not in prompt.reads:
        raise ValueError(f"prompt: {file}: expected {{hypothesis}} or {{edits}} in the text")
    return prompt


def with_edits(source: str, hypothesis: str) -> str:
    """Return the hypothesis with each edit as [source words->target words]."""
    old, new = source.split(), hypothesis.split()
    parts: list[str] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_start, old_stop, new_start, new_stop in matcher.get_opcodes():
        words = " ".join(new[new_start:new_stop])
        replaced = " ".join(old[old_start:old_stop])
        parts.append(words if kind == "equal" else f"[{replaced}->{words}]")
    return " ".join(parts)
