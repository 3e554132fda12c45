"""GUG (Heilman et al. 2014): English sentences with judgments of how grammatical they are.

One tab-separated file with a heading; of its columns are read the sentence, the expert's judgment,
the average of all, and the part it belongs to: train, dev, test or none.
"""

import math
from pathlib import Path
from typing import NamedTuple

from maege.ingest.findings import Findings, quote
from maege.ingest.reading import read_text

FILE = "gug_annotations.tsv"
COLUMNS = ("Sentence", "Expert Judgement", "Average", "Dataset")
BEST = 4
# Of sentences that the expert found to be no English.
NONE = "none"
PARTS = ("train", "dev", "test", NONE)
FETCH = "Fetch the release anew: the folder of gug-data has the file."


class Judged(NamedTuple):
    """A sentence; judgments are 0 to 4, from no English to perfect."""

    text: str
    expert: float
    average: float
    part: str


def read_gug(folder: Path, findings: Findings) -> list[Judged]:
    """Return the sentences of the release in the folder; what is wrong becomes a finding."""
    path = folder / FILE
    if not path.is_file():
        findings.add(str(path), 0, "no such file", "the annotations of GUG", FETCH)
        return []
    file = read_text(path, findings)
    if file is None:
        return []
    heading = file.lines[0].split("\t") if file.lines else []
    missing = [name for name in COLUMNS if name not in heading]
    if missing:
        findings.add(file.shown, 1, f"no column {missing[0]}", ", ".join(COLUMNS), FETCH)
        return []
    places = [heading.index(name) for name in COLUMNS]
    sentences = []
    for number, line in enumerate(file.lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(heading):
            findings.add(
                file.shown, number, f"{len(cells)} columns", f"{len(heading)} columns", FETCH
            )
            continue
        judged = _judged([cells[place] for place in places], file.shown, number, findings)
        if judged is not None:
            sentences.append(judged)
    _check_parts(sentences, file.shown, findings)
    return sentences


def _judged(cells: list[str], shown: str, line: int, findings: Findings) -> Judged | None:
    text, expert, average, part = cells
    for value in (expert, average):
        if not 0 <= _number(value) <= BEST:
            findings.add(shown, line, f"the judgment {quote(value)}", "a number 0 to 4", FETCH)
            return None
    if part not in PARTS:
        findings.add(shown, line, f"the part {quote(part)}", ", ".join(PARTS), FETCH)
        return None
    return Judged(text, _number(expert), _number(average), part)


def _number(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return math.nan


def _check_parts(sentences: list[Judged], shown: str, findings: Findings) -> None:
    """Note a part without sentences; training takes both kinds of sentences."""
    if len(findings):
        return
    for part in ("train", "test"):
        if not any(sentence.part == part for sentence in sentences):
            findings.add(shown, 0, f"no sentence of the part {part}", "some of each part", FETCH)
