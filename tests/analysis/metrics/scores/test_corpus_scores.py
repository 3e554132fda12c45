"""Corpus scores: sacreBLEU's BLEU, and the GLEU program's 500 draws."""

from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from family_speed import SYSTEMS
from metric_requests import (
    all_statistics,
    conll14_groups,
    corpus_bleu,
    golden,
    group,
)

from maege.analysis.metrics.gleu import GleuScore

ONLY_UNIGRAMS = (["b a d c e", "x y z w"], ["a b c d e", "p q r s"])
NO_FOUR_GRAMS = (["a b c"], ["a b c"])
SHORT = (["a b c d", "a b c d e"], ["a b c d e f", "a b c d e g h"])


@pytest.mark.parametrize(("hypotheses", "references"), [ONLY_UNIGRAMS, NO_FOUR_GRAMS, SHORT])
def test_corpus_bleu_equals_sacrebleu_where_orders_are_empty(
    hypotheses: list[str], references: list[str]
) -> None:
    expected = sacrebleu.corpus_bleu(hypotheses, [references], tokenize="none", force=True)
    groups = [group("", h, [r]) for h, r in zip(hypotheses, references, strict=True)]
    computed = corpus_bleu(all_statistics("bleu", groups))
    assert computed == pytest.approx(expected.score / 100, abs=1e-12)


@pytest.mark.parametrize("system", SYSTEMS)
def test_corpus_bleu_equals_the_reference_scores(shared: Path, system: str) -> None:
    row = golden(shared, "bleu_sari_nucle_corpus.tsv", system)[0]
    computed = corpus_bleu(all_statistics("bleu", conll14_groups(shared, "nucle", system)))
    assert 100 * computed == pytest.approx(float(row["sacrebleu_none"]), abs=5.1e-5)


@pytest.mark.parametrize("reference_set", ["nucle", "bn10"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_corpus_gleu_with_python_2_draws_equals_the_original(
    shared: Path, reference_set: str, system: str
) -> None:
    row = golden(shared, f"gleu_{reference_set}_corpus.tsv", system)[0]
    computed = all_statistics("gleu", conll14_groups(shared, reference_set, system))
    original = float(row["gleu"])
    assert GleuScore().corpus_score(computed, "py2") == pytest.approx(original, abs=1e-12)
    assert GleuScore().corpus_score(computed, "py3") == pytest.approx(original, abs=5e-4)
    assert GleuScore().corpus_score(computed, "expected") == pytest.approx(original, abs=5e-4)
    assert GleuScore().sentence_scores({"gleu": computed}).mean() == pytest.approx(
        float(row["mean_sentence_gleu"])
    )


def test_corpora_without_matches_or_sentences_score_zero() -> None:
    computed = all_statistics("gleu", [group("a", "b", ["a", "c"])])
    assert GleuScore().corpus_score(computed, "py2") == 0
    assert GleuScore().corpus_score(computed, "expected") == 0

    none = np.zeros((0, 2, 14))
    assert GleuScore().corpus_score(none, "py2") == 0
    assert corpus_bleu(np.zeros((0, 1, 7))) == 0
