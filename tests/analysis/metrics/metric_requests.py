"""Requests for the tests of metrics: single ones by hand, and those of real corpora."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.bleu import BleuScore
from maege.analysis.metrics.families import RequestGroup
from maege.analysis.metrics.registry import METRICS, TEXT_FAMILIES

FloatArray = NDArray[np.float64]

SYSTEMS = {
    "nucle": ("AMU", "INPUT", "NTHU", "UFC"),
    "bn10": ("AMU",),
}


def group(source: str, hypothesis: str, references: Sequence[str]) -> RequestGroup:
    first = np.zeros(1, np.intp)
    return RequestGroup(tuple(references), (source,), (hypothesis,), first, first)


def statistics(
    family: str, source: str, hypothesis: str, references: Sequence[str] = ()
) -> list[dict[str, float]]:
    """Return the statistics of one request by name, one entry per reference."""
    columns = TEXT_FAMILIES[family].statistics
    result = all_statistics(family, [group(source, hypothesis, references)])
    return [dict(zip(columns, row, strict=True)) for row in result[0].tolist()]


def score(metric: str, source: str, hypothesis: str, references: Sequence[str] = ()) -> float:
    return float(all_scores(metric, [group(source, hypothesis, references)])[0])


def all_statistics(family: str, groups: Sequence[RequestGroup]) -> FloatArray:
    return np.concatenate(TEXT_FAMILIES[family].compute_batch(groups))


def all_scores(metric: str, groups: Sequence[RequestGroup]) -> FloatArray:
    families = METRICS[metric].families
    return METRICS[metric].score.sentence_scores(
        {name: all_statistics(name, groups) for name in families}
    )


def corpus_bleu(statistics: FloatArray) -> float:
    score = BleuScore()
    return float(score.of_sums(score.addends(statistics).sum(axis=0)))


def lines(path: Path) -> list[str]:
    """Return the lines of a file with white space normalised, as the scorers were given them."""
    return [" ".join(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]


def conll14_references(shared: Path, reference_set: str) -> list[tuple[str, ...]]:
    folder = shared / "data" / "conll14"
    paths = {
        "nucle": [folder / "noalt" / f"NUCLE{annotator}.txt" for annotator in "AB"],
        "bn10": [folder / "bn15" / "text" / f"BN{number}" for number in range(1, 11)],
        "maege8": [folder / "bn15" / "text" / f"BN{n}" for n in (1, 2, 4, 5, 6, 8, 9, 10)],
    }
    return list(zip(*map(lines, paths[reference_set]), strict=True))


def conll14_groups(shared: Path, reference_set: str, system: str) -> list[RequestGroup]:
    outputs = shared / "data" / "conll14" / "outputs"
    triples = zip(
        lines(outputs / "INPUT"),
        lines(outputs / system),
        conll14_references(shared, reference_set),
        strict=True,
    )
    return [group(*triple) for triple in triples]


def golden(
    shared: Path, name: str, system: str | None = None, folder: str = "peers"
) -> list[dict[str, str]]:
    path = shared / "golden" / folder / name
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [row for row in rows if row["system"] == system] if system else rows
