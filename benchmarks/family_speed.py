"""Seconds and memory of every family of statistics, over the systems of CoNLL-2014.

    python benchmarks/family_speed.py              # all families that run on this machine
    python benchmarks/family_speed.py m2 cleme     # some of them

It needs CoNLL-2014 in ../shared: two annotators, thirteen systems, texts and stored edits. Each
family runs in a separate process: the first run compiles its kernels, and the shortest of three
further runs is reported. Tests, not this script, compare the numbers with the original programs.
"""

import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.metrics.families import GoldGroup, RequestGroup
from maege.analysis.metrics.registry import EDIT_FAMILIES, METRICS, TEXT_FAMILIES
from maege.ingest.findings import Findings
from maege.ingest.formats.m2 import parse_m2

SHARED = Path(__file__).resolve().parents[2] / "shared"
REFERENCES = tuple(f"BN{number}" for number in range(1, 11))

SYSTEMS = (
    *("AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU"),
    *("PKU", "POST", "RAC", "SJTU", "UFC", "UMC"),
)
# Files in the order of their names, in which the reference counts number the annotators.
BN_FILES = ("A1", "A10", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9")


def text_groups() -> list[RequestGroup]:
    """Return one group per sentence with ten references and the outputs of all systems."""
    folder = SHARED / "data" / "conll14"
    outputs = zip(*(_lines(folder / "outputs" / system) for system in SYSTEMS), strict=True)
    references = zip(*(_lines(folder / "bn15" / "text" / n) for n in REFERENCES), strict=True)
    sources = _lines(folder / "outputs" / "INPUT")
    first, each = np.zeros(len(SYSTEMS), np.intp), np.arange(len(SYSTEMS))
    return [
        RequestGroup(references_of, (source,), hypotheses, first, each)
        for source, hypotheses, references_of in zip(sources, outputs, references, strict=True)
    ]


def edit_groups() -> list[GoldGroup]:
    """Return one group per sentence with two annotators and the edits of all systems."""
    folder = SHARED / "data" / "conll14" / "errant"
    systems = [annotations_of([folder / f"conll14-{name}.errant"], 1) for name in SYSTEMS]
    outputs = zip(*([texts[0] or "" for _, texts in of] for of in systems), strict=True)
    gold = annotations_of([folder / "conll14.errant"], 2)
    return [
        GoldGroup(source, annotations, hypotheses, hypotheses)
        for (source, annotations), hypotheses in zip(gold, outputs, strict=True)
    ]


def measured(name: str) -> tuple[float, float]:
    if name in TEXT_FAMILIES:
        work = partial(TEXT_FAMILIES[name].compute_batch, text_groups())
    else:
        family = EDIT_FAMILIES[name]
        groups = edit_groups() if family.reads_edits else conll14_groups(SHARED, "nucle", SYSTEMS)
        work = partial(family.compute_gold, groups)
    seconds = []
    for _ in range(4):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds[1:]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(families: Sequence[str]) -> None:
    runs = [metric for metric in METRICS.values() if metric.missing is None]
    names = families or list(dict.fromkeys(name for metric in runs for name in metric.families))
    print(f"{'family':28}{'CPU s':>8}{'MB':>7}")
    for name in names:
        if name not in {**TEXT_FAMILIES, **EDIT_FAMILIES}:
            continue
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            seconds, megabytes = process.submit(measured, name).result()
        print(f"{name:28}{seconds:8.2f}{megabytes:7.0f}", flush=True)


def conll14_gold(shared: Path, reference_set: str) -> list[tuple[str, tuple[str | None, ...]]]:
    """Return each source with the annotations of `nucle` (two annotators) or `bn10` (ten).

    None for an annotator without a line; if no annotator has one, the first changed nothing.
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
        parsed = parse_m2(path.read_text(encoding="utf-8").split("\n"), Findings().about(path.name))
        texts = texts or [sentence.text for sentence in parsed.sentences]
        edits = edits or [{} for _ in texts]
        for edit in parsed.edits:
            annotator = per_file * number + int(edit.annotator)
            corrections = edits[edit.sentence_id].setdefault(annotator, [])
            if edit.kind == "correction":
                corrections.append(edit.edit)
    annotators = range(per_file * len(paths))
    gold = []
    for text, by_annotator in zip(texts, edits, strict=True):
        present = by_annotator or {0: []}
        listed = (format_annotation(present[a]) if a in present else None for a in annotators)
        gold.append((text, tuple(listed)))
    return gold


def conll14_groups(shared: Path, reference_set: str, systems: Sequence[str]) -> list[GoldGroup]:
    outputs = [_lines(shared / "data" / "conll14" / "outputs" / system) for system in systems]
    return [
        GoldGroup(text, gold, hypotheses)
        for (text, gold), hypotheses in zip(
            conll14_gold(shared, reference_set), zip(*outputs, strict=True), strict=True
        )
    ]


def _lines(path: Path) -> list[str]:
    return [" ".join(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main(sys.argv[1:])
