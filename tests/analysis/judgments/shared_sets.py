"""Public judgments, read with their manifests, with their golden values and references."""

import json
import re
from collections.abc import Hashable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.judgments.ratings import mean_of
from maege.analysis.metrics.families import FloatArray
from maege.ingest.judgments import read_judgments
from maege.ingest.manifest import read_manifest
from maege.ingest.manifest_schema import JudgmentsManifest


class JudgmentSet(NamedTuple):
    """The rows of one set by raw table, and the texts that judges saw."""

    rows: dict[str, list[Any]]
    sources: dict[str, str]
    outputs: dict[tuple[str, int], str]

    def mean_ratings(self, ratings: list[Any], values: list[float]) -> "MeanRatings":
        first, means = mean_of([row[5] for row in ratings], values)
        shown = [ratings[place] for place in first]
        texts = [self.outputs[row[3], row[4]] for row in shown]
        return MeanRatings(shown, means, texts, [self.sources[row[3]] for row in shown])


class MeanRatings(NamedTuple):
    """The first rating of each output, its mean value, its text and its source."""

    rows: list[Any]
    means: FloatArray
    texts: list[str]
    sources: list[str]


@cache
def judgment_set(name: str, repository: Path, shared: Path) -> JudgmentSet:
    folder = repository / "corpora" / name
    manifest, file = read_manifest(folder)
    assert isinstance(manifest, JudgmentsManifest)
    rows = read_judgments(manifest, file, folder, shared / "data").rows
    return JudgmentSet(
        rows,
        {item: str(source) for item, source, *_ in rows["judged_items"]},
        {(item, output): text for item, output, text, _ in rows.get("judged_outputs", [])},
    )


def numbered(values: Iterable[Hashable]) -> NDArray[np.int64]:
    """Return equal numbers for equal values, in the order of their first occurrence."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values])


def golden(shared: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(
        (shared / "golden" / "judgments" / f"{name}.json").read_text()
    )
    return content


def lines(shared: Path, path: str) -> list[str]:
    return (shared / "data" / path).read_text(encoding="utf-8").split("\n")[:-1]


def letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def references_of_conll14(shared: Path) -> dict[str, list[str]]:
    """Return the official and the other annotators' references by the letters of a sentence.

    Among the ten annotators, the third and the seventh are the official ones.
    """
    blocks = (
        (shared / "data/conll14/noalt/official-2014.combined.m2").read_text().strip().split("\n\n")
    )
    official = [lines(shared, f"conll14/noalt/NUCLE{name}.txt") for name in "AB"]
    bn15_texts = [lines(shared, f"conll14/bn15/text/BN{k}") for k in (1, 2, 4, 5, 6, 8, 9, 10)]
    references = {}
    for place, block in enumerate(blocks):
        source, *edits = block.split("\n")
        annotators = {edit.rpartition("|||")[2] for edit in edits}
        texts = [text[place] for number, text in enumerate(official) if str(number) in annotators]
        references[letters(source[2:])] = [*texts, *(text[place] for text in bn15_texts)]
    return references


def references_of_jfleg(shared: Path) -> dict[str, list[str]]:
    """Return the references of JFLEG's dev set by the letters of a source, also spell-checked."""
    references: dict[str, list[str]] = {}
    reference_texts = [lines(shared, f"jfleg/dev.ref{k}") for k in range(4)]
    for path in ("dev.spellchecked.src", "dev.src"):
        for place, source in enumerate(lines(shared, f"jfleg/{path}")):
            references.setdefault(letters(source), [texts[place] for texts in reference_texts])
    return references
