"""Released human rankings as arrays, by a parser that is independent of the warehouse's."""

import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from family_speed import SYSTEMS
from numpy.typing import NDArray

from maege.analysis.statistics.judgments import JudgmentCounts, judgment_counts

Integers = NDArray[np.int64]

# The twelve teams of CoNLL-2014 and the source.
GJG15_SYSTEMS = list(SYSTEMS)
SEEDA_SYSTEMS = [
    *("BART", "BERT-fuse", "GECToR-BERT", "GECToR-ens", "GPT-3.5", "INPUT", "LM-Critic", "PIE"),
    *("REF-F", "REF-M", "Riken-Tohoku", "T5", "TemplateGEC", "TransGEC", "UEDIN-MS"),
]
SEEDA_BASE = [name for name in SEEDA_SYSTEMS if name not in ("GPT-3.5", "INPUT", "REF-F")]


class Item(NamedTuple):
    """One screen of a judge: cells with ranks, each for systems with the same output."""

    judge: str
    sentence: int
    cells: list[tuple[tuple[str, ...], int]]


class Pairs(NamedTuple):
    """Judged pairs of systems in alphabetical order; sentences are positions in `ids`."""

    sentence: Integers
    first: Integers
    second: Integers
    preference: Integers
    ids: list[int]

    def counts(self, n_systems: int) -> JudgmentCounts:
        return judgment_counts(self.first, self.second, self.preference, n_systems)


@cache
def gjg15_items(shared: Path) -> list[Item]:
    return read_items(shared / "data/human/gjg15/judgments.xml", first_sentence=0)


@cache
def gjg15_pairs(shared: Path) -> Pairs:
    return expanded_pairs(gjg15_items(shared), GJG15_SYSTEMS)


@cache
def seeda_pairs(shared: Path, kind: str, *, is_base: bool = False) -> Pairs:
    items = read_items(shared / f"data/human/seeda/judgments_{kind}.xml", first_sentence=1)
    return expanded_pairs(items, SEEDA_BASE if is_base else SEEDA_SYSTEMS)


def seeda_lengths(shared: Path, ids: list[int]) -> Integers:
    """Return the length in characters of the base systems' outputs: (systems, sentences)."""
    folder = shared / "data/human/seeda/outputs_all"
    outputs = [
        (folder / f"{system}.txt").read_text(encoding="utf-8").split("\n") for system in SEEDA_BASE
    ]
    return np.array([[len(lines[sentence]) for sentence in ids] for lines in outputs])


def read_items(path: Path, first_sentence: int) -> list[Item]:
    root = ElementTree.parse(path).getroot()  # noqa: S314
    return [
        Item(
            item.attrib["user"],
            int(item.attrib["src-id"]) - first_sentence,
            [
                (tuple(cell.attrib["system"].split()), int(cell.attrib["rank"]))
                for cell in item.iter("translation")
            ],
        )
        for item in root.iter("ranking-item")
    ]


def expanded_pairs(items: list[Item], systems: list[str]) -> Pairs:
    position = {name: place for place, name in enumerate(systems)}
    ids = sorted({item.sentence for item in items})
    place_of = {sentence: place for place, sentence in enumerate(ids)}
    rows = []
    for item in items:
        ranks = sorted(
            (position[name], rank)
            for names, rank in item.cells
            for name in names
            if name in position
        )
        for (first, upper), (second, lower) in combinations(ranks, 2):
            order = (upper < lower) - (upper > lower)
            rows.append((place_of[item.sentence], first, second, order))
    sentence, first, second, preference = np.array(rows, dtype=np.int64).T
    return Pairs(sentence, first, second, preference, ids)
