"""CoNLL-2014 as the M2 scorer reads it, for its benchmark and its tests."""

from collections.abc import Sequence
from pathlib import Path

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.metrics.families.base import GoldGroup
from maege.ingest.findings import Findings
from maege.ingest.formats.m2 import parse_m2

SYSTEMS = (
    *("AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU"),
    *("PKU", "POST", "RAC", "SJTU", "UFC", "UMC"),
)
# Files in the order of their names, in which the reference counts number the annotators.
BN_FILES = ("A1", "A10", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9")


def conll14_gold(shared: Path, reference_set: str) -> list[tuple[str, tuple[str | None, ...]]]:
    """Return each source with the annotations of `nucle` (two annotators) or `bn10` (ten).

    None for an annotator without a line. If no annotator has one, the first made no change.
    """
    folder = shared / "data" / "conll14"
    if reference_set == "nucle":
        return annotations_of([folder / "noalt" / "official-2014.combined.m2"], 2)
    return annotations_of([folder / "bn15" / f"{name}.m2" for name in BN_FILES], 1)


def annotations_of(
    paths: Sequence[Path], per_file: int
) -> list[tuple[str, tuple[str | None, ...]]]:
    """Return each source of M2 files with the annotations of all their annotators, in order."""
    texts: list[str] = []
    edits: list[dict[int, list[Edit]]] = []
    for number, path in enumerate(paths):
        parsed = parse_m2(path.read_text(encoding="utf-8").split("\n"), path.name, Findings())
        texts = texts or [sentence.text for sentence in parsed.sentences]
        edits = edits or [{} for _ in texts]
        for edit in parsed.edits:
            annotator = per_file * number + int(edit.annotator)
            found = edits[edit.sentence_id].setdefault(annotator, [])
            if edit.kind == "correction":
                found.append(edit.edit)
    annotators = range(per_file * len(paths))
    gold = []
    for text, by_annotator in zip(texts, edits, strict=True):
        present = by_annotator or {0: []}
        gold.append(
            (
                text,
                tuple(format_annotation(present[a]) if a in present else None for a in annotators),
            )
        )
    return gold


def conll14_groups(shared: Path, reference_set: str, systems: Sequence[str]) -> list[GoldGroup]:
    """Return one group per sentence, with the outputs of the systems as hypotheses."""
    outputs = [_lines(shared / "data" / "conll14" / "outputs" / system) for system in systems]
    return [
        GoldGroup(text, gold, hypotheses)
        for (text, gold), hypotheses in zip(
            conll14_gold(shared, reference_set), zip(*outputs, strict=True), strict=True
        )
    ]


def _lines(path: Path) -> list[str]:
    return [
        line.strip() for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    ]
