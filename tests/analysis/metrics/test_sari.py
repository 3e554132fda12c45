"""SARI, also by EASSE and by Hugging Face: sums by hand, and the numbers of all three programs."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metric_requests import all_scores, all_statistics, golden, group, score, statistics
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from maege.analysis.metrics.families import RequestGroup
from maege.analysis.metrics.sari import SariEasseScore, tokens_13a


def parts(source: str, hypothesis: str, references: list[str]) -> list[float]:
    return list(statistics("sari", source, hypothesis, references)[0].values())


def test_parts_by_hand_for_one_reference() -> None:
    assert parts("a b c d", "a b c d", ["a b c d"]) == [1, 0, 0]
    assert score("sari", "a b c d", "a b c d", ["a b c d"]) == pytest.approx(1 / 3)
    # n = 1: a is kept, b deleted, c added, all correctly. n = 2: `a b` is deleted, `a c` added.
    assert parts("a b", "a c", ["a c"]) == [1 / 4, 2 / 4, 2 / 4]
    # n = 1: a kept, the empty token deleted; n = 2: the pair of both deleted.
    assert parts(" a", "a", ["a"]) == [1 / 4, 2 / 4, 0]
    assert parts("A b c d", "a B c d", ["a b C d"]) == [1, 0, 0]


def test_a_second_reference_halves_the_worth_of_a_deletion_it_does_not_make() -> None:
    # n = 1: for keep, P = 1 and R = 1/2 (b could be kept), F1 = 2/3. One of two references deletes
    # b.
    assert parts("a b", "a c", ["a c", "a b"]) == pytest.approx([2 / 3 / 4, 1 / 4, 1 / 2])
    assert score("sari", "a b", "a c", ["a c", "a b"]) == pytest.approx(11 / 36)


def test_repeated_tokens_count_by_their_ratio() -> None:
    # n = 1: source 3 a, hypothesis 2, reference 1: kept 1 of 2 and 1 of 1, F1 = 2/3. One a is
    # deleted, and the reference would keep no more than one: 1 - 1 = 0. n = 2: source 2 `a a`,
    # hypothesis 1, no reference has it: kept 0, deleted 1 of 1. n = 3: deleted 1 of 1.
    assert parts("a a a", "a a", ["a"]) == pytest.approx([2 / 3 / 4, 2 / 4, 0])


def test_max_sari_is_the_best_single_reference() -> None:
    texts = ("a b", "a c")
    single = [score("sari", *texts, [reference]) for reference in ("a c", "a b")]
    assert score("max_sari", *texts, ["a b", "a c"]) == max(single)


TURK_SYSTEMS = ("moses.test.output.1rerank", "sari30it.test.output.1best")


def turk_groups(shared: Path, system: str) -> list[RequestGroup]:
    folder = shared / "data" / "turkcorpus"
    paths = [folder / "test.source", folder / "outputs" / system]
    paths += sorted((folder / "refs").iterdir())
    columns = [path.read_text(encoding="utf-8").splitlines() for path in paths]
    return [group(source, output, refs) for source, output, *refs in zip(*columns, strict=True)]


@pytest.fixture(scope="module")
def worked(shared: Path) -> dict[str, Any]:
    path = shared / "golden" / "peers" / "sari_variants_micro.json"
    examples: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    texts = (examples[name] for name in ("sources", "hypotheses", "references"))
    examples["groups"] = [group(*text) for text in zip(*texts, strict=True)]
    return examples


def test_easse_counts_with_every_reference_and_sums_deletions_both_ways() -> None:
    # n = 1, two references, so that a and b of the source count 2. a is kept, as both references
    # do; b is deleted, as one does: 1 of the 2 made, and 1 could be. c is added, as one does.
    row = statistics("sari_easse", "a b", "a c", ["a c", "a b"])[0]
    assert [row[f"keep_{count}_1"] for count in ("right", "made", "wanted")] == [2, 2, 3]
    assert [row[f"delete_{count}_1"] for count in ("right", "made", "wanted")] == [1, 2, 1]
    assert [row[f"add_{count}_1"] for count in ("right", "made", "wanted")] == [1, 1, 1]


def test_nothing_to_judge_is_zero_for_easse_and_one_for_hugging_face() -> None:
    assert score("sari_easse", "a b c d", "a b c d", ["a b c d"]) == pytest.approx(1 / 3)
    assert score("sari_hf", "a b c d", "a b c d", ["a b c d"]) == pytest.approx(1)


def test_an_empty_text_has_one_empty_word_to_hugging_face() -> None:
    # An n-gram that one of two references keeps is half correct and fully possible: F1 is 2/3 for
    # unigrams and bigrams, and 1 if nothing is kept. References add two unigrams, "goes" and the
    # empty word, one of which is added: F1 is 2/3. All other parts are 1: (10/12 + 1 + 11/12) / 3.
    sari = score("sari_hf", "He go home .", "He goes home .", ["He goes home .", ""])
    assert sari == pytest.approx(33 / 36)
    for blank in (" ", "<skipped>"):
        references = ["He goes home .", blank]
        assert sari == score("sari_hf", "He go home .", "He goes home .", references)
    assert score("sari_easse", "a b", "", [""]) == score("sari_easse", "a b", "", [" "])


def test_punctuation_is_split_off_and_case_ignored() -> None:
    assert score("sari_hf", "So, it goes.", "so , IT goes .", ["So , it goes ."]) == 1


@given(st.lists(st.sampled_from([*"a1.,-& \n\t\u00a0'/$", "&amp;", "&quot;", "<skipped>"])))
def test_words_have_the_same_tokens_as_in_their_text(parts: list[str]) -> None:
    text = "".join(parts)
    assert tokens_13a(text) == Tokenizer13a()(text).split()  # type: ignore[no-untyped-call]


def test_the_worked_examples_come_out(worked: dict[str, Any]) -> None:
    for metric in ("sari_easse", "sari_hf"):
        ours = 100 * all_scores(metric, worked["groups"])
        np.testing.assert_allclose(ours, worked[metric]["sentence"], rtol=0, atol=1e-9)
    sums = all_statistics("sari_easse", worked["groups"])[:, 0].sum(axis=0)
    corpus = 100 * float(SariEasseScore().of_sums(sums))
    assert corpus == pytest.approx(worked["sari_easse"]["corpus"], abs=1e-9)


@pytest.mark.parametrize("system", TURK_SYSTEMS)
def test_scores_of_both_programs_equal_the_reference_scores(shared: Path, system: str) -> None:
    groups = turk_groups(shared, system)
    rows = golden(shared, "sari_variants_turk_sentence.tsv", system)
    corpus = golden(shared, "sari_variants_turk_corpus.tsv", system)[0]
    for metric in ("sari_easse", "sari_hf"):
        ours = 100 * all_scores(metric, groups)
        np.testing.assert_allclose(ours, [float(r[metric]) for r in rows], rtol=0, atol=1e-9)
    assert 100 * all_scores("sari_hf", groups).mean() == pytest.approx(float(corpus["sari_hf"]))
    sums = all_statistics("sari_easse", groups)[:, 0].sum(axis=0)
    easse = 100 * float(SariEasseScore().of_sums(sums))
    assert easse == pytest.approx(float(corpus["sari_easse"]), abs=1e-9)
