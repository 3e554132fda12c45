"""What the M2 scorer counts of every system's sentences, each (source, output, annotation) once."""

from collections.abc import Sequence

import numpy as np

from maege.analysis.compare.edits.extraction import Store
from maege.analysis.metrics.families.base import FloatArray, GoldGroup
from maege.analysis.metrics.m2.family import M2

Triple = tuple[str, str, str]


def m2_sizes(
    sources: Sequence[str],
    gold: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    beta: float,
    store: Store,
) -> tuple[list[FloatArray], int]:
    """Return tp, proposed and gold: for each sentence shape (systems, annotators, 3).

    And for how many outputs of sentences the scorer's search was cut short.

    Args:
        sources: of all sentences.
        gold: the annotations of each, as text.
        outputs: the texts of each system.
        beta: the weight of recall.
        store: what was counted before.

    """
    family = M2(beta)
    tokens = [[_plain(text) for text in texts] for texts in outputs]
    lines = [
        [(_plain(source), text, annotation) for text in texts for annotation in annotations]
        for source, annotations, texts in zip(sources, gold, zip(*tokens, strict=True), strict=True)
    ]
    wanted = list(dict.fromkeys(triple for of_sentence in lines for triple in of_sentence))
    found = store.known(family.signature(), wanted)
    missing = [triple for triple in wanted if triple not in found]
    if missing:
        made = _counted(family, missing)
        store.keep(family.signature(), made)
        found |= made
    numbers = {triple: [*map(float, found[triple].split())] for triple in wanted}
    sizes, approximated = [], 0
    for annotations, of_sentence in zip(gold, lines, strict=True):
        rows = np.array([numbers[triple] for triple in of_sentence])
        rows = rows.reshape(len(outputs), len(annotations), 4)
        approximated += int(rows[..., 3].any(axis=1).sum())
        sizes.append(rows[..., :3])
    return sizes, approximated


def _plain(text: str) -> str:
    return " ".join(text.split())


def _counted(family: M2, triples: Sequence[Triple]) -> dict[tuple[str, ...], str]:
    by_pair: dict[tuple[str, str], list[str]] = {}
    for source, text, annotation in triples:
        by_pair.setdefault((source, text), []).append(annotation)
    groups = [
        GoldGroup(source, tuple(annotations), (text,))
        for (source, text), annotations in by_pair.items()
    ]
    return {
        (source, text, annotation): " ".join(f"{number:.0f}" for number in row)
        for ((source, text), annotations), counts in zip(
            by_pair.items(), family.compute_gold(groups), strict=True
        )
        for annotation, row in zip(annotations, counts[0].tolist(), strict=True)
    }
