"""The I-measure equals the original program on CoNLL-2014, sentence by sentence and as a whole."""

from itertools import product
from pathlib import Path

import m2_cases  # noqa: F401 - puts family_speed within reach
import numpy as np
import pytest
from family_speed import conll14_groups
from metric_requests import golden

from maege.analysis.edits import Edit, format_annotation, parse_annotation
from maege.analysis.metrics.families import FloatArray, GoldGroup
from maege.analysis.metrics.imeasure import (
    STATISTICS,
    IMeasure,
    IMeasureMix,
    corrected,
    gold_errors,
    improvement,
    measures,
    weighted_accuracy,
)
from maege.ingest.findings import Findings
from maege.ingest.formats.imeasure_xml import parse_imeasure_xml

SENTENCES = 1312
SYSTEMS = ("INPUT", "AMU", "CAMB", "CUUI", "NTHU", "UFC")
# The file has the sentences with at most 64 references.
MIXED = "imeasure_nucle_mix_sub64_sentence.tsv"
MIXED_SENTENCES = 1233
MIXED_SYSTEMS = ("AMU", "UFC")
CLASSES = ("tp", "tn", "fp", "fn", "fpn")
# Offsets of the counts of an aspect, for the hypothesis and for the source.
ASPECTS = {
    aspect[0]: tuple(STATISTICS.index(f"{base}{aspect}_tp") for base in ("", "base_"))
    for aspect in ("correction", "detection")
}
N_REFERENCES, APPROXIMATED = map(STATISTICS.index, ("n_references", "approximated"))
COUNTS = N_REFERENCES

Key = tuple[str, int]
Gold = tuple[str | None, ...]


def golden_counts(shared: Path, name: str) -> tuple[list[Key], FloatArray]:
    """Return systems with sentences, and the 20 counts and number of references of each."""
    keys: dict[Key, int] = {}
    rows = golden(shared, name)
    counts = np.full((len(rows) // 2, COUNTS + 1), np.nan)
    for row in rows:
        key = row["system"], int(row["sentence_index"])
        position = keys.setdefault(key, len(keys))
        counts[position, N_REFERENCES] = int(row["n_refs"])
        for start, prefix in zip(ASPECTS[row["aspect"]], ("", "base_"), strict=True):
            for number, column in enumerate(CLASSES, start):
                counts[position, number] = int(row[prefix + column])
    return list(keys), counts


def assert_equal_counts(shared: Path, name: str, counts: dict[Key, FloatArray]) -> None:
    keys, expected = golden_counts(shared, name)
    statistics = np.stack([counts[key] for key in keys])
    np.testing.assert_array_equal(statistics[:, :COUNTS], expected[:, :COUNTS])
    assert not statistics[:, APPROXIMATED].any()


def by_key(
    sentences: list[int], systems: tuple[str, ...], results: list[FloatArray]
) -> dict[Key, FloatArray]:
    return {
        (system, sentence): rows[number, 0]
        for sentence, rows in zip(sentences, results, strict=True)
        for number, system in enumerate(systems)
    }


def xml_gold(shared: Path) -> list[Gold]:
    path = shared / "data" / "conll14" / "imeasure" / "NUCLE.ieval.xml"
    findings = Findings()
    lines = path.read_text(encoding="utf-8").split("\n")
    parsed = parse_imeasure_xml(lines, findings.about(path.name))
    assert parsed is not None
    annotators = parsed.annotators
    assert annotators == ["0", "1"]
    annotations: list[dict[str, list[Edit]]] = [{} for _ in parsed.sentences]
    for edit in parsed.edits:
        edits = annotations[edit.sentence_id].setdefault(edit.annotator, [])
        if edit.kind != "none":
            assert edit.edit.error_group
            edits.append(edit.edit)
    return [
        tuple(format_annotation(of[name]) if name in of else None for name in annotators)
        for of in annotations
    ]


@pytest.fixture(scope="module", params=["m2", "xml"])
def groups(request: pytest.FixtureRequest, shared: Path) -> list[GoldGroup]:
    from_m2 = conll14_groups(shared, "nucle", SYSTEMS)
    if request.param == "m2":
        return from_m2
    pairs = zip(from_m2, xml_gold(shared), strict=True)
    return [GoldGroup(group.source, gold, group.hypotheses) for group, gold in pairs]


@pytest.fixture(scope="module")
def alone(groups: list[GoldGroup]) -> dict[Key, FloatArray]:
    return by_key(list(range(SENTENCES)), SYSTEMS, IMeasure().compute_gold(groups))


def test_counts_of_every_sentence(shared: Path, alone: dict[Key, FloatArray]) -> None:
    name = "imeasure_nucle_sentence.tsv"
    keys, counts = golden_counts(shared, name)
    assert len(keys) == 3 * SENTENCES
    assert_equal_counts(shared, name, alone)
    assert [alone[key][N_REFERENCES] for key in keys] == counts[:, N_REFERENCES].tolist()


def test_counts_of_every_best_mixture(shared: Path, groups: list[GoldGroup]) -> None:
    keys, _ = golden_counts(shared, MIXED)
    assert len(keys) == 2 * MIXED_SENTENCES
    places = [SYSTEMS.index(system) for system in MIXED_SYSTEMS]
    sentences = sorted({sentence for _, sentence in keys})
    mixed = [
        GoldGroup(group.source, group.gold, tuple(group.hypotheses[place] for place in places))
        for group in (groups[sentence] for sentence in sentences)
    ]
    results = IMeasureMix().compute_gold(mixed)
    assert_equal_counts(shared, MIXED, by_key(sentences, MIXED_SYSTEMS, results))


def test_different_mixtures_are_the_references(shared: Path, groups: list[GoldGroup]) -> None:
    """The original counts equal texts once, but `n_references` counts every mixture."""
    keys, counts = golden_counts(shared, MIXED)
    references = {
        sentence: int(row[N_REFERENCES]) for (_, sentence), row in zip(keys, counts, strict=True)
    }
    for sentence, expected in references.items():
        source = tuple(groups[sentence].source.split())
        gold = (None if text is None else parse_annotation(text) for text in groups[sentence].gold)
        errors = gold_errors(source, list(gold))
        texts = {
            corrected(source, [replacement for option in chosen for replacement in option])
            for chosen in product(*errors)
        }
        assert len(texts) == expected, sentence


def test_corpus_figures(shared: Path, alone: dict[Key, FloatArray]) -> None:
    rows = golden(shared, "imeasure_nucle_corpus.tsv")
    assert sorted((row["system"], row["aspect"]) for row in rows) == sorted(
        (system, aspect) for system in SYSTEMS for aspect in ASPECTS
    )
    for row in rows:
        sentences = np.stack([alone[row["system"], sentence] for sentence in range(SENTENCES)])
        system, base = (sentences[:, first : first + 5] for first in ASPECTS[row["aspect"]])
        total, base_total = system.sum(axis=0), base.sum(axis=0)
        assert total.tolist() == [int(row[column]) for column in CLASSES], row
        figures, base_figures = measures(total), measures(base_total)
        figures["f1"] = figures.pop("f")
        figures |= {f"{name}_b": base_figures[name] for name in ("acc", "wacc")}
        figures["i"] = improvement(figures["wacc"], figures["wacc_b"])
        rounded = {column: f"{100 * float(value):.2f}" for column, value in figures.items()}
        assert rounded == {column: row[column] for column in figures}, row
        sentence_scores = improvement(weighted_accuracy(system.T), weighted_accuracy(base.T))
        assert float(sentence_scores.mean()) == pytest.approx(
            float(row["mean_sentence_i"]), abs=1e-12
        )
