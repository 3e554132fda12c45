"""Sentence scores made elsewhere: tab-separated, with the header `system sentence_id score`.

WMT's segment scores have no header and six columns; what these are is said beside the file.
"""

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from maege.ingest.findings import Findings, listing, quote

HEADER = ["system", "sentence_id", "score"]


class Score(NamedTuple):
    """One line of a score file."""

    line: int
    system: str
    sentence_id: int
    score: float


def parse_scores(
    lines: Sequence[str],
    systems: Collection[str],
    sentences: int,
    shown: str,
    findings: Findings,
    columns: Sequence[str] = (),
) -> list[Score]:
    """Return the scores; each fault becomes a finding and its line is left out.

    `columns` are those of a file without a header, those of the header among them; without them
    the first line is the header.
    """
    has_header = not columns
    if not lines or (has_header and lines[0].split("\t") != HEADER):
        findings.add(
            shown,
            1,
            f"the header {quote(lines[0])}" if lines else "an empty file",
            "the header system, sentence_id, score, separated by tabs",
            "Write the header as the first line and separate the columns by tabs, or name the "
            "columns of a file without a header in the manifest, under columns.",
        )
        return []
    names = list(columns or HEADER)
    places = [names.index(name) for name in HEADER]
    scores: list[Score] = []
    seen: dict[tuple[str, int], int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or (number == 1 and has_header):
            continue
        values = line.split("\t")
        if len(values) != len(names):
            findings.add(
                shown,
                number,
                f"{len(values)} columns: {quote(line)}",
                f"{len(names)} columns: {', '.join(names)}",
                "Separate the columns by single tabs.",
            )
            continue
        system, sentence_text, score_text = (values[place] for place in places)
        known = check_system(system, systems, shown, number, findings)
        sentence_id = check_sentence_id(sentence_text, sentences, shown, number, findings)
        score = _finite(score_text, shown, number, findings)
        if not known or sentence_id is None or score is None:
            continue
        first = seen.setdefault((system, sentence_id), number)
        if first != number:
            findings.add(
                shown,
                number,
                f"a second score of {system} for sentence {sentence_id}; the first is on line "
                f"{first}",
                "one score for a system and a sentence",
                "Remove one of the two lines.",
            )
            continue
        scores.append(Score(number, system, sentence_id, score))
    return scores


def check_system(
    system: str, systems: Collection[str], shown: str, line: int, findings: Findings
) -> bool:
    """Whether the manifest names the system; a finding where it does not."""
    if system in systems:
        return True
    findings.add(
        shown,
        line,
        f"the system {quote(system)}",
        f"a system of the manifest: {listing(sorted(systems)) or 'it names none'}",
        "Correct the name, or add the system's output to the manifest.",
    )
    return False


def check_sentence_id(
    text: str, sentences: int, shown: str, line: int, findings: Findings
) -> int | None:
    """Return the sentence's position; None and a finding where the corpus has no such sentence."""
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) < sentences:
        return int(text)
    findings.add(
        shown,
        line,
        f"the sentence_id {quote(text)}",
        f"a whole number from 0 to {sentences - 1}",
        "Count the sentences of the corpus from 0.",
    )
    return None


def _finite(text: str, shown: str, line: int, findings: Findings) -> float | None:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if math.isfinite(score):
        return score
    findings.add(
        shown,
        line,
        f"the score {quote(text)}",
        "a finite number with a decimal point",
        "Correct the score, or leave the line out if the metric has none for this sentence.",
    )
    return None
