"""SARI by EASSE and by Hugging Face: counts done by hand, and the numbers of both programs."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metric_requests import all_scores, all_statistics, golden, group, score, statistics
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from maege.analysis.metrics.families.slices import RequestGroup
from maege.analysis.metrics.sari import SariEasseScore, tokens_13a

TURK_SYSTEMS = ("moses.test.output.1rerank", "sari30it.test.output.1best")


def turk_groups(shared: Path, system: str) -> list[RequestGroup]:
    """Return one group per sentence for an output of TurkCorpus, with eight references."""
    folder = shared / "data" / "turkcorpus"
    paths = [folder / "test.source", folder / "outputs" / system]
    paths += sorted((folder / "refs").iterdir())
    columns = [path.read_text(encoding="utf-8").splitlines() for path in paths]
    return [group(source, output, refs) for source, output, *refs in zip(*columns, strict=True)]


@pytest.fixture(scope="module")
def worked(shared: Path) -> dict[str, Any]:
    """Return five sentences with the results of both programs."""
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


def plain_hf(source: str, hypothesis: str, references: list[str]) -> float:
    """Return SARI as evaluate's program has it, with n-grams as tuples, in 0..1."""

    def grams(text: str, n: int) -> Counter[tuple[str, ...]]:
        words = " ".join(tokens_13a(text.lower())).split(" ")
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    def f1(precision: float, recall: float) -> float:
        return 2 * precision * recall / (precision + recall) if precision or recall else 0

    total = 0.0
    for n in range(1, 5):
        s, h = grams(source, n), grams(hypothesis, n)
        r = sum((grams(text, n) for text in references), Counter())
        s_all = Counter({gram: count * len(references) for gram, count in s.items()})
        h_all = Counter({gram: count * len(references) for gram, count in h.items()})
        shared, keepable = s_all & h_all, s_all & r
        good = shared & r
        precision = sum(good[g] / shared[g] for g in good) / len(shared) if shared else 1
        keep = f1(precision, good.total() / keepable.total() if keepable else 1)
        deleted = s_all - h_all
        right = deleted - r
        delete = sum(right[g] / deleted[g] for g in right) / len(deleted) if deleted else 1
        added, addable = h.keys() - s.keys(), r.keys() - s.keys()
        hit = len(added & r.keys())
        add = f1(hit / len(added) if added else 1, hit / len(addable) if addable else 1)
        total += (keep + delete + add) / 12
    return total


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


TEXTS = st.sampled_from(["", "a", "a b", "b a c", "a b c d e", "c", "He goes , a", "a a b"])


@given(st.lists(st.tuples(TEXTS, TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1))
def test_sari_of_hugging_face_is_that_of_a_plain_port(
    rows: list[tuple[str, str, list[str]]],
) -> None:
    scores = all_scores("sari_hf", [group(*row) for row in rows])
    np.testing.assert_allclose(scores, [plain_hf(*row) for row in rows], rtol=0, atol=1e-12)


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
def test_scores_equal_the_reference_scores(shared: Path, system: str) -> None:
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
