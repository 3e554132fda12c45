"""CLEME and CLEME2.0 equal the original programs, chunk by chunk and as a whole."""

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from family_speed import annotations_of
from metric_requests import golden

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.metrics.cleme import (
    AS_RUN,
    COUNTS,
    Chunk,
    Cleme2IndependentScore,
    Cleme2Score,
    ClemeDependent,
    ClemeIndependent,
    ClemeIndependentScore,
    ClemeLengthIndependentScore,
    ClemeLengths,
    ClemeLengthScore,
    ClemeLengthsIndependent,
    ClemeScore,
    Partition,
    aspects,
    measures,
    weighted,
)
from maege.analysis.metrics.families import EditFamily, FloatArray, GoldGroup

REFERENCE_SETS = ("nucle_errant", "nucle_m2", "bn10_noop")
FAMILIES = {"dep": ClemeDependent(), "ind": ClemeIndependent()}
LENGTHS = {"dep": ClemeLengths(), "ind": ClemeLengthsIndependent()}
LENGTH_SCORES = {"dep": ClemeLengthScore(), "ind": ClemeLengthIndependentScore()}
CLEME = {"dep": ClemeScore(), "ind": ClemeIndependentScore()}
CLEME2 = {"dep": Cleme2Score, "ind": Cleme2IndependentScore}
# Columns of the golden rows, in the order of the metric's counts.
ROW = ("tp", "fp", "fn", "tn", "fp_ne", "fp_un")


@cache
def gold(shared: Path, reference_set: str) -> list[tuple[str, tuple[str | None, ...]]]:
    folder = shared / "data" / "conll14"
    if reference_set == "nucle_errant":
        return annotations_of([folder / "errant" / "conll14.errant"], 2)
    if reference_set == "nucle_m2":
        return annotations_of([folder / "noalt" / "official-2014.combined.m2"], 2)
    read = annotations_of([folder / "bn15" / f"A{n}.m2" for n in range(1, 11)], 1)
    return [(source, tuple(text or "" for text in texts)) for source, texts in read]


@cache
def groups(shared: Path, reference_set: str, system: str) -> list[GoldGroup]:
    path = shared / "data" / "conll14" / "errant" / f"conll14-{system}.errant"
    hypotheses = [texts[0] or "" for _, texts in annotations_of([path], 1)]
    return [
        GoldGroup(source, annotations, (hypothesis,))
        for (source, annotations), hypothesis in zip(
            gold(shared, reference_set), hypotheses, strict=True
        )
    ]


@cache
def statistics(shared: Path, reference_set: str, system: str, assumption: str) -> FloatArray:
    """Return the counts of a system: shape (1, sentences, references, 5)."""
    return statistics_of(FAMILIES[assumption], groups(shared, reference_set, system))


def statistics_of(family: EditFamily, requests: list[GoldGroup]) -> FloatArray:
    return np.stack([rows[0] for rows in family.compute_gold(requests)])[np.newaxis]


def as_printed(counts: FloatArray) -> list[int]:
    tp, fp_ne, fp_un, fn, tn = (int(count) for count in counts)
    return [tp, fp_ne + fp_un, fn, tn, fp_ne, fp_un]


@cache
def rows_by_run(shared: Path, name: str) -> dict[tuple[str, ...], list[dict[str, str]]]:
    rows: dict[tuple[str, ...], list[dict[str, str]]] = defaultdict(list)
    for row in golden(shared, name):
        rows[row["refset"], row["system"], row["assumption"]].append(row)
    assert {key[0] for key in rows} == set(REFERENCE_SETS)
    assert {key[2] for key in rows} == set(FAMILIES)
    return dict(rows)


@pytest.mark.parametrize("assumption", FAMILIES)
@pytest.mark.parametrize("reference_set", REFERENCE_SETS)
def test_counts_of_every_sentence(shared: Path, reference_set: str, assumption: str) -> None:
    compared = 0
    for key, rows in rows_by_run(shared, "cleme_sentence.tsv").items():
        if (key[0], key[2]) != (reference_set, assumption):
            continue
        counts = statistics(shared, *key)[0]
        for row in rows:
            # References are numbered after excluding some.
            sentence_counts = counts[int(row["sentence_index"])]
            present = sentence_counts[~np.isnan(sentence_counts[:, 0])]
            place = 0 if assumption == "ind" else int(row["annotator"])
            assert as_printed(present[place]) == [int(row[name]) for name in ROW], row
            compared += 1
    assert compared > 2000


@pytest.mark.parametrize("reference_set", REFERENCE_SETS)
def test_chosen_references(shared: Path, reference_set: str) -> None:
    for key, rows in rows_by_run(shared, "cleme_sentence.tsv").items():
        if (key[0], key[2]) != (reference_set, "dep"):
            continue
        counts = statistics(shared, *key)
        for column, score in (
            ("chosen_corpus", ClemeScore()),
            ("chosen_cleme2_corpus", Cleme2Score()),
        ):
            chosen = score.addends(counts)[0]
            expected = [row for row in rows if row[column] == "1"]
            assert len(expected) == len(chosen)
            for row in expected:
                ours = as_printed(chosen[int(row["sentence_index"])])
                assert ours == [int(row[name]) for name in ROW], (column, row)


def test_corpus_and_sentence_scores_of_cleme(shared: Path) -> None:
    for key, rows in rows_by_run(shared, "cleme_corpus.tsv").items():
        score, counts = CLEME[key[2]], statistics(shared, *key)
        sums = score.addends(counts).sum(axis=1)
        scores = measures(dict(zip(COUNTS, sums[0], strict=True)))
        for row in rows:
            if row["weights"] != "none":
                continue
            if row["level"] == "corpus":
                names = {"p": "p", "r": "r", "f": "f05", "acc": "acc"}
                for measure, column in names.items():
                    assert float(scores[measure]) == float(row[column]), row
                assert float(score.of_sums(sums)[0]) == float(row["f05"])
            else:
                family = score.family.name
                mean = score.sentence_scores({family: counts[0]}).mean()
                assert mean == pytest.approx(float(row["f05"]), abs=1e-9), row


def test_corpus_and_sentence_scores_of_cleme2(shared: Path) -> None:
    for key, rows in rows_by_run(shared, "cleme2_corpus.tsv").items():
        counts = statistics(shared, *key)
        for row in rows:
            a, b, c, d = (float(factor) for factor in row["factors"].split("/"))
            score = CLEME2[key[2]]((a, b, c, d), (a, b, c, d))
            if row["level"] == "corpus":
                sums = score.addends(counts).sum(axis=1)
                assert sums[0].tolist() == [float(row[name]) for name in COUNTS], row
                shares = aspects(dict(zip(COUNTS, sums[0], strict=True)))
                for name, value in shares.items():
                    assert float(value) == pytest.approx(float(row[name]), abs=1e-9), row
                assert float(score.of_sums(sums)[0]) == pytest.approx(float(row["score"]), abs=1e-9)
            else:
                mean = score.sentence_scores({score.family.name: counts[0]}).mean()
                assert mean == pytest.approx(float(row["score"]), abs=1e-9), row


@pytest.mark.parametrize("assumption", LENGTHS)
def test_scores_with_weights_of_lengths(shared: Path, assumption: str) -> None:
    score = LENGTH_SCORES[assumption]
    for key, rows in rows_by_run(shared, "cleme_corpus.tsv").items():
        if key[2] != assumption:
            continue
        counts = statistics_of(LENGTHS[assumption], groups(shared, *key[:2]))
        sums = score.addends(counts).sum(axis=1)
        reported = score.reported(sums)["correction"]
        for row in rows:
            if row["weights"] == "none":
                continue
            if row["level"] == "corpus":
                expected = [float(row[name]) for name in ("tp", "fp", "fn")]
                assert weighted(sums, AS_RUN)[0].tolist() == pytest.approx(expected, abs=1e-8)
                names = {"tn": "tn", "p": "p", "r": "r", "f": "f05", "acc": "acc"}
                for ours, name in names.items():
                    assert float(reported[ours][0]) == float(row[name]), row
            else:
                sentence_score = score if row["weights"] == "length" else type(score)("declared")
                sentences = sentence_score.scores_in_corpus(counts)
                assert sentences.mean() == pytest.approx(float(row["f05"]), abs=1e-9), row


def cases(shared: Path) -> list[dict[str, Any]]:
    path = shared / "golden" / "peers" / "chunk_micro.json"
    read: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [case for case in read if not case.get("original_bug")]


def annotation(lines: list[list[Any]]) -> tuple[Edit, ...]:
    return tuple(
        Edit(start, end, "", tuple(correction.replace("-NONE-", "").split("||")))
        for start, end, correction, *_ in lines
    )


def test_small_cases(shared: Path) -> None:
    for case in cases(shared):
        gold = [None if lines is None else annotation(lines) for lines in case["refs"]]
        if all(edits is None for edits in gold):
            gold[0] = ()
        hypothesis = annotation(case["hyps"][0])
        partition = Partition(case["source"].split(), gold)
        changed = partition.changed(hypothesis)
        expected = [
            chunk for chunk in case["chunks"] if chunk["hyp_changed"] or any(chunk["refs_changed"])
        ]
        assert [(c.start, c.end) for c in changed] == [tuple(c["span"]) for c in expected]
        for chunk, golden_chunk in zip(changed, expected, strict=True):
            assert texts(chunk) == [
                golden_chunk["source"],
                golden_chunk["hyp"],
                *golden_chunk["refs"],
            ], case["name"]
        assert partition.unchanged(changed) == len(case["chunks"]) - len(changed)
        group = GoldGroup(
            case["source"],
            tuple(None if edits is None else format_annotation(edits) for edits in gold),
            (format_annotation(hypothesis),),
        )
        for name, key in (("dependent", "dep"), ("independent", "ind")):
            rows = FAMILIES[key].compute_gold([group])[0][0]
            present = rows[~np.isnan(rows[:, 0])]
            assert [as_printed(row) for row in present] == [
                [int(counts[n]) for n in ROW] for counts in case[name]["counts"]
            ], case["name"]


def texts(chunk: Chunk) -> list[str]:
    corrected = (chunk.hypothesis, *chunk.references)
    return [chunk.source, *(chunk.source if text is None else text for text in corrected)]
