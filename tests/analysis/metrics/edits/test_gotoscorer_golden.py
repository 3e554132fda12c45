"""GoToScorer equals the original program, chunk by chunk and as a whole."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from family_speed import SYSTEMS, annotations_of
from metric_requests import golden

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.metrics.families import FloatArray, GoldGroup
from maege.analysis.metrics.gotoscorer import (
    COUNTS,
    TN,
    TP,
    GoToScore,
    GoToScorer,
    GoToScorerChunks,
    UnweightedGoToScore,
    chunks_of,
)

SETS = {
    "five": ("AMU", "CAMB", "IITB", "INPUT", "UFC"),
    "twelve": tuple(system for system in SYSTEMS if system != "INPUT"),
    "thirteen": SYSTEMS,
}
ANNOTATORS = (0, 1)


class Chunk(NamedTuple):
    start: int
    end: int
    text: str
    is_edit: bool


def chunks(source: str, gold: str) -> list[Chunk]:
    return [chunk for chunk, _ in judged_chunks(source, gold, ())]


def judged_chunks(source: str, gold: str, outputs: Sequence[str]) -> list[tuple[Chunk, int]]:
    """Return the chunks, each with the number of outputs that get it right."""
    annotation = chunks_of(source, gold, is_gold=True)
    hypotheses = [chunks_of(source, output) for output in outputs]
    listed = []
    for place, text in enumerate(annotation.places):
        chunk = Chunk(place // 2, (place + 1) // 2, text, is_edit=False)
        right = sum(output.touched.get(place, TN) in (TP, TN) for output in hypotheses)
        listed += [(chunk, right)] * annotation.times[place]
    for edit in annotation.edits:
        right = sum(output.outcome(edit) in (TP, TN) for output in hypotheses)
        listed.append((Chunk(*edit, is_edit=True), right))
    return sorted(listed, key=lambda judged: judged[0][:2])


@cache
def groups(shared: Path, system_set: str) -> list[GoldGroup]:
    folder = shared / "data" / "conll14" / "errant"
    paths = [folder / f"conll14-{system}.errant" for system in SETS[system_set]]
    outputs = zip(*([t[0] or "" for _, t in annotations_of([p], 1)] for p in paths), strict=True)
    gold = annotations_of([folder / "conll14.errant"], 2)
    return [
        GoldGroup(source, annotations, edits, edits)
        for (source, annotations), edits in zip(gold, outputs, strict=True)
    ]


@cache
def statistics(shared: Path, system_set: str) -> FloatArray:
    """Return the metric's stored statistics, shape (systems, sentences, annotators, 10)."""
    return np.stack(GoToScorer().compute_gold(groups(shared, system_set)), axis=1)


@cache
def numbers(shared: Path, system_set: str) -> FloatArray:
    """Return numbers of chunks, shape (systems, sentences, annotators, 5)."""
    return np.stack(GoToScorerChunks().compute_gold(groups(shared, system_set)), axis=1)


def test_every_sentence(shared: Path) -> None:
    compared = 0
    for row in golden(shared, "gotoscorer_sentence.tsv"):
        systems = SETS[row["system_set"]]
        place = (systems.index(row["system"]), int(row["sentence_index"]), int(row["ref_id"]))
        values = statistics(shared, row["system_set"])[place]
        weighted = [float(row[name]) for name in ("tp", "fp", "fn", "tn", "all_weight")]
        assert (values[:5] / len(systems)).tolist() == pytest.approx(weighted, abs=1e-9), row
        counts = [int(row[f"{name}_count"]) for name in COUNTS[:4]]
        assert values[5:].tolist() == [*counts, len(systems)], row
        counted = numbers(shared, row["system_set"])[place].tolist()
        assert counted == [*counts, int(row["chunks"])], row
        compared += 1
    assert compared > 18_000


def test_how_many_systems_are_right(shared: Path) -> None:
    rows = golden(shared, "gotoscorer_ncorrect.tsv")
    assert len(rows) == 2 * 1312
    for row in rows:
        group = groups(shared, row["system_set"])[int(row["sentence_index"])]
        gold = group.gold[int(row["ref_id"])] or ""
        right = [n for _, n in judged_chunks(group.source, gold, group.outputs)]
        assert right == [int(n) for n in row["n_correct_per_chunk"].split()], row


@pytest.mark.parametrize("annotator", ANNOTATORS)
def test_corpus_scores(shared: Path, annotator: int) -> None:
    compared = 0
    for row in golden(shared, "gotoscorer_corpus.tsv"):
        if int(row["ref_id"]) != annotator:
            continue
        systems = SETS[row["system_set"]]
        is_weighted = row["weights"] == "difficulty"
        score = GoToScore() if is_weighted else UnweightedGoToScore()
        set_statistics = (statistics if is_weighted else numbers)(shared, row["system_set"])
        sums = score.addends(set_statistics[:, :, annotator : annotator + 1]).sum(axis=1)
        system = systems.index(row["system"])
        share = len(systems) if is_weighted else 1
        expected = [float(row[name]) for name in COUNTS[:4]]
        assert (sums[system, :4] / share).tolist() == pytest.approx(expected, abs=1e-7), row
        reported = score.reported(sums)["correction"]
        for ours, column in {"p": "p", "r": "r", "f": "f05", "acc": "acc"}.items():
            assert reported[ours][system] == pytest.approx(float(row[column]), abs=1e-9), row
        assert type(score)(beta=1.0).of_sums(sums)[system] == pytest.approx(float(row["f1"]))
        compared += 1
    assert compared >= 18


# One file writes a deletion as -NONE- and the other as nothing. Both are the same here, because M2
# allows both.
SAID_OTHERWISE = {"none_as_deletion"}


def test_small_cases(shared: Path) -> None:
    path = shared / "golden" / "peers" / "chunk_micro.json"
    compared = 0
    for case in json.loads(path.read_text(encoding="utf-8")):
        if case["name"] in SAID_OTHERWISE:
            continue
        hypotheses = tuple(map(as_text, case["hyps"]))
        for expected in case["gotoscorer"]:
            if "error" in expected:  # The program rejects an annotator without any line.
                continue
            gold = as_text(case["refs"][expected["ref"]])
            group = GoldGroup(case["source"], (gold,), hypotheses, hypotheses)
            golden_chunks = [
                Chunk(c["span"][0], c["span"][1], c["gold"].replace("-NONE-", ""), c["changed"])
                for c in expected["chunks"]
            ]
            assert sorted(chunks(case["source"], gold)) == sorted(golden_chunks), case["name"]
            for rows, golden_row in zip(
                GoToScorer().compute_gold([group])[0], expected["systems"], strict=True
            ):
                sums = rows[0].tolist()
                weighted = [golden_row["weighted"][name] for name in (*COUNTS[:4], "all")]
                counts = [golden_row["unweighted"][name] for name in COUNTS[:4]]
                shares = [sum_ / len(hypotheses) for sum_ in sums[:5]]
                assert shares == pytest.approx(weighted), case["name"]
                assert sums[5:] == [*counts, len(hypotheses)], case["name"]
                compared += 1
    assert compared > 50


def as_text(lines: list[list[object]] | None) -> str:
    return format_annotation(
        Edit(
            int(str(start)),
            int(str(end)),
            str(types[0]) if types else "",
            tuple(str(correction).replace("-NONE-", "").split("||")),
        )
        for start, end, correction, *types in lines or []
    )
