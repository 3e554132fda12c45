"""GLEU: the numbers of the original program, and Equation 1 of its paper."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from metric_requests import (
    all_scores,
    all_statistics,
    conll14_groups,
    conll14_references,
    golden,
    group,
    score,
    statistics,
)
from published_chains import published_chains

from maege.analysis.metrics.families import RequestGroup
from maege.analysis.metrics.gleu import GleuScore

ORDERS = (1, 2, 3, 4)
PEERS = [("nucle", s) for s in ("AMU", "INPUT", "NTHU", "UFC")] + [("bn10", "AMU")]


def penalties(name: str, source: str, hypothesis: str, reference: str) -> list[float]:
    row = statistics("gleu", source, hypothesis, [reference])[0]
    return [row[f"{name}_{n}"] for n in ORDERS]


def test_penalties_of_program_and_equation_by_hand() -> None:
    assert penalties("penalty", "a a a b", "a a b", "a") == [1, 2, 1, 0]

    # Unigrams: a is kept twice and is once in the reference (1); b is kept and is not in the
    # reference (1).
    assert penalties("difference_penalty", "a a a b", "a a b", "a") == [2, 2, 1, 0]

    # min(1, 2) - min(1, 1) = 0, where subtracting the reference from the source would leave 1.
    assert penalties("difference_penalty", "a a", "a", "a")[0] == 0


def test_zero_statistics_count_as_one_and_references_are_averaged() -> None:
    assert score("gleu", "a", "b", ["a"]) == 1
    assert score("gleu", "a b c", "", ["a b c"]) == pytest.approx(np.exp(1 - 3))

    single = [score("gleu", "a b c d", "a b c d", [r]) for r in ("a b c d", "a x c d")]
    assert score("gleu", "a b c d", "a b c d", ["a b c d", "a x c d"]) == pytest.approx(
        sum(single) / 2
    )


def test_equation_lowers_the_score_of_a_repetition_that_the_program_overlooks() -> None:
    texts = ("a a b c d", "a a b c d", ["a b c d"])
    # Overlaps 4 3 2 1 of 5 4 3 2 n-grams; `a a` and its extensions are absent: penalties 0 1 1 1.
    assert score("gleu", *texts) == pytest.approx((4 / 5 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25)
    # The second `a` is surplus, which adds a penalty at n = 1.
    assert score("gleu_equation", *texts) == pytest.approx((3 / 5 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25)


def test_small_cases_of_the_original_program(shared: Path) -> None:
    cases = json.loads((shared / "golden/peers/gleu_micro.json").read_text(encoding="utf-8"))
    for case in cases:
        computed = all_statistics("gleu", [group(case["source"], case["hyp"], case["refs"])])
        terms = GleuScore().addends(computed)[0]
        interleaved = [*terms[:2], *np.column_stack([terms[2:6], terms[6:]]).ravel()]
        assert interleaved == case["stats"][0], case["name"]
        assert GleuScore().formula(computed)[0] == pytest.approx(case["sentence"])
        assert GleuScore().corpus_score(computed) == pytest.approx(case["corpus_unsmoothed"][0])


@pytest.mark.parametrize(("reference_set", "system"), PEERS)
def test_sentence_gleu_equals_the_original_against_each_reference(
    shared: Path, reference_set: str, system: str
) -> None:
    rows = golden(shared, f"gleu_{reference_set}_sentence.tsv", system)
    computed = all_statistics("gleu", conll14_groups(shared, reference_set, system))
    expected_scores = [[float(value) for value in row["gleu_per_ref"].split(",")] for row in rows]
    mean = [float(row["gleu_mean"]) for row in rows]
    np.testing.assert_allclose(GleuScore().formula(computed), expected_scores, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        GleuScore().sentence_scores({"gleu": computed}), mean, rtol=0, atol=1e-12
    )


def test_gleu_of_the_published_chains(shared: Path) -> None:
    groups, published = [], []
    for chain_group, chain_scores in chain_groups(shared):
        groups.append(chain_group)
        published += chain_scores
    assert len(groups) == 1809
    assert len(published) == 7936
    # The published scores are rounded to six decimals.
    np.testing.assert_allclose(all_scores("gleu", groups), published, rtol=0, atol=5.01e-7)


def chain_groups(shared: Path) -> Iterator[tuple[RequestGroup, list[float]]]:
    references = conll14_references(shared, "maege8")
    for chain, texts in published_chains(shared):
        count = len(texts)
        sources = np.full(count, chain["src_index"])
        numbered = RequestGroup(
            references[chain["sid"]], tuple(texts), tuple(texts), sources, np.arange(count)
        )
        yield numbered, chain["gleu"]
