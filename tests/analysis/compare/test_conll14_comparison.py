"""Comparisons on CoNLL-2014 equal those of errant_compare, m2scorer and an independent program."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from maege.analysis.compare.comparison import compare_systems
from maege.analysis.compare.edits import counts_of, errant_counts
from maege.analysis.compare.gold import (
    Cache,
    Extraction,
    GoldInput,
    Inputs,
    Output,
    Settings,
    chosen_gold,
    texts_of,
)
from maege.analysis.compare.results import GoldEdits, Result
from maege.analysis.compare.types import chosen_annotations, typed_counts
from maege.analysis.edits import format_annotation
from maege.analysis.metrics.errant import Matching
from maege.comparison.reading import gold_of
from maege.ingest.findings import Findings
from maege.ingest.formats.m2 import parse_m2
from maege.ingest.reading import read_text

SYSTEMS = ("AMU", "CAMB")
GOLDS: dict[GoldEdits, str] = {"given": "nucle", "typed": "nucle.gold", "auto": "nucle.auto"}


@pytest.fixture(scope="module")
def cache() -> Cache:
    return Cache()


@pytest.fixture(scope="module")
def inputs(shared: Path) -> Inputs:
    findings = Findings()
    folder = shared / "data" / "conll14"
    read = read_text(folder / "noalt" / "official-2014.combined.m2", findings)
    assert read is not None
    outputs = []
    for system in SYSTEMS:
        text = read_text(folder / "outputs" / system, findings)
        assert text is not None
        outputs.append(Output(system, system, "", tuple(text.lines)))
    gold = gold_of(parse_m2(read.lines, findings.about(read.shown)))
    return Inputs(GoldInput("", "", gold), tuple(outputs), Settings(gold_edits="given"), "0")


@pytest.fixture(scope="module")
def result(inputs: Inputs, cache: Cache) -> Result:
    return compare_systems(inputs, cache)


@pytest.fixture(scope="module")
def golden(shared: Path) -> Path:
    return shared / "golden" / "compare"


def numbers(golden: Path, name: str) -> Any:
    return json.loads((golden / name).read_text())


@pytest.mark.parametrize("edits", GOLDS)
def test_counts_are_those_of_errant_compare(
    edits: GoldEdits, inputs: Inputs, result: Result, cache: Cache, golden: Path
) -> None:
    expected = numbers(golden, "conll14_errant_compare.json")[GOLDS[edits]]
    assert result.systems
    extraction = Extraction("en", cache)
    gold_of_edits = chosen_gold(inputs.gold.gold, edits, extraction)
    gold = texts_of(gold_of_edits)
    annotations = []
    for output in inputs.outputs:
        pairs = [*zip(inputs.gold.gold.sources, output.texts, strict=True)]
        edits_of_pairs = extraction.edits(pairs)
        annotations.append([edits_of_pairs[pair] for pair in pairs])
    outputs = [
        [format_annotation(annotation) for annotation in system_annotations]
        for system_annotations in annotations
    ]
    for match in get_args(Matching):
        sums_of_match = errant_counts(gold, outputs, match, 0.5)
        for system, sums in zip(SYSTEMS, sums_of_match.sums.sum(axis=1), strict=True):
            counts, expected_counts = counts_of(sums, 0.5), expected[system][match]
            assert counts[:3] == (
                expected_counts["tp"],
                expected_counts["fp"],
                expected_counts["fn"],
            ), (match, system)
            assert counts.f_score == pytest.approx(expected_counts["f"], abs=1e-4)
        for tier in (1, 2, 3) if match == "cs" else ():
            positions = sums_of_match.positions.tolist()
            chosen_gold_edits = [
                chosen_annotations(gold_of_edits.annotations, places) for places in positions
            ]
            typed = typed_counts(annotations, chosen_gold_edits, match, tier)
            for system, type_sums in zip(SYSTEMS, typed.sums, strict=True):
                rows = {
                    name: counts_of(sums, 0.5)[:3]
                    for name, sums in zip(typed.types, type_sums, strict=True)
                    if sums.any()
                }
                wanted_rows = expected[system][f"cs_cat{tier}"]
                assert rows == {name: tuple(row[:3]) for name, row in wanted_rows.items()}


def test_m2_is_that_of_the_m2_scorer(result: Result, golden: Path) -> None:
    expected = numbers(golden, "m2_gleu.json")["m2"]
    for system in result.systems:
        counts, expected_counts = system.scores["m2"].counts, expected[system.name]
        assert counts is not None
        assert (counts.tp, counts.tp + counts.fp, counts.tp + counts.fn) == (
            expected_counts["correct"],
            expected_counts["proposed"],
            expected_counts["gold"],
        )


def test_tests_agree_with_other_random_numbers(result: Result, golden: Path) -> None:
    golden_pair = numbers(golden, "significance_nucle.json")["pairs"]["AMU:CAMB"]
    means = {name: mean for name, (mean, _) in golden_pair["mean_and_sd_over_5_seeds"].items()}
    comparison = result.comparisons[0]
    assert comparison.ci is not None
    assert comparison.difference == pytest.approx(golden_pair["diff"], abs=1e-12)
    assert comparison.ci == pytest.approx((means["ci_low"], means["ci_high"]), abs=0.0015)
    assert comparison.se == pytest.approx(means["se_diff"], abs=0.0003)
    assert comparison.p_randomisation == pytest.approx(means["p_ar"], abs=0.02)
    assert comparison.p_bootstrap == pytest.approx(means["p_bootstrap_koehn"], abs=0.02)
    for annotator, tolerance in zip(comparison.by_annotator, (0.02, 0.004), strict=True):
        golden_annotator = golden_pair[f"annotator_{annotator.id}_alone"]
        assert annotator.n == golden_annotator["n"]
        assert annotator.difference == pytest.approx(golden_annotator["diff"])
        assert annotator.p_value == pytest.approx(golden_annotator["p_ar"], abs=tolerance)


def test_types_and_lists_are_those_counted_elsewhere(result: Result, golden: Path) -> None:
    expected = numbers(golden, "types_AMU_CAMB.json")
    rows = {row.type: row for row in result.types}
    assert len(rows) == len(expected["type_table"])
    for golden_row in expected["type_table"]:
        row = rows[golden_row["type"]]
        assert [[*row.counts_a[:3]], [*row.counts_b[:3]]] == [golden_row["a"], golden_row["b"]]
        assert (row.n_sentences, row.is_tested) == (
            golden_row["sentences_that_differ"],
            "q" in golden_row,
        )
        assert row.p_value == pytest.approx(golden_row["p_ar"], abs=0.02)
    totals, lists = result.totals[0], expected["edits"]["totals"]
    assert (totals.gained, totals.lost, totals.new_false, totals.false_gone) == (
        lists["gained"],
        lists["lost"],
        lists["false_new"],
        lists["false_gone"],
    )
    counts = expected["edits"]["counts"]
    gained = [change for change in result.changes if change.list == "gained"]
    assert (
        sum(change.not_counted for change in gained)
        == counts["gained|right_but_not_for_chosen_annotator"]
    )
    assert (
        sum(change.other_correction for change in gained)
        == counts["gained|other_system_has_same_span"]
    )
    assert sum(0 < change.have < change.of for change in gained) == counts["gained|some|2"]
