"""The generators of the published run reproduce its chains, and corpora with its properties."""

import json
from pathlib import Path

import numpy as np
import pytest

from maege.analysis.papers.maege_run import (
    AnnotatedSentence,
    binomial_parameters,
    published_chains,
    published_corpora,
)

ANNOTATIONS = "data/conll14/alt/official-2014.combined-withalt.m2"

SMALL = [
    AnnotatedSentence(0, {"0": 2, "1": 3}),
    AnnotatedSentence(1, {"0": 1}, has_noop=True),
    AnnotatedSentence(2, {}),
    AnnotatedSentence(3, {"1": 4}),
    AnnotatedSentence(4, {"0": 1, "1": 2, "2": 1}),
]


@pytest.fixture(scope="module")
def conll14(shared: Path) -> list[AnnotatedSentence]:
    sentences: list[AnnotatedSentence] = []
    for block in (shared / ANNOTATIONS).read_text(encoding="utf-8").split("\n\n"):
        if not block.strip():
            continue
        fields = [line.split("|||") for line in block.split("\n") if line.startswith("A ")]
        noop = any(line[1] == "noop" for line in fields)
        labels = [line[-1] for line in fields if line[1] != "noop"]
        n_edits = {label: labels.count(label) for label in labels}
        sentences.append(AnnotatedSentence(len(sentences), n_edits, noop))
    return sentences


def test_annotators_are_walked_as_in_the_published_run() -> None:
    sentence = AnnotatedSentence(7, {str(i): 1 for i in (0, 1, 2, 3, 4, 9)})
    assert [chain.annotator for chain in published_chains([sentence])] == list("341029")
    (chain,) = published_chains([AnnotatedSentence(3, {"1": 2}, has_others=True)])
    assert (chain.sentence_id, chain.annotator, sorted(chain.permutation)) == (3, "1", [0, 1])


def test_chains_and_sources_equal_the_published_ones(
    conll14: list[AnnotatedSentence], shared: Path
) -> None:
    lines = (shared / "golden/maege/chains.jsonl").read_text().splitlines()
    published = [
        (row["sid"], str(row["annotator"]), tuple(row["perm"]), row["src_index"])
        for row in map(json.loads, lines)
    ]
    chains = published_chains(conll14)
    assert [
        (c.sentence_id, c.annotator, c.permutation, c.source_position) for c in chains
    ] == published
    assert len(chains) == 1809
    assert len({c.sentence_id for c in chains}) == 764
    assert sum(len(c.permutation) for c in chains) == 6127
    assert sum(len(c.permutation) + 1 for c in chains) == 7936


def test_binomials_of_the_corpus_models() -> None:
    parameters = [binomial_parameters(model) for model in range(11)]
    assert [n for n, _ in parameters] == [1, 10, 3, 4, 5, 6, 7, 8, 9, 10, 10]
    means = [n * p for n, p in parameters]
    assert means[:5] == pytest.approx([0, 1.0, 1.65, 2.8, 3.875])
    variances = [n * p * (1 - p) for n, p in parameters]
    assert variances[1:4] == pytest.approx([0.9, 0.7425, 0.84])


def test_draw_d_is_the_first_draw_of_seed_plus_d() -> None:
    *_, three = published_corpora(SMALL, draws=3, seed=5)
    (third,) = published_corpora(SMALL, draws=1, seed=7)
    np.testing.assert_array_equal(three.mask, third.mask)
    np.testing.assert_array_equal(three.source_model, third.source_model)


def test_more_edits_than_a_mask_has_bits_names_the_sentence() -> None:
    with pytest.raises(ValueError, match="sentence 11: found 63 edits"):
        list(published_corpora([AnnotatedSentence(11, {"0": 63})], draws=1))
    for widest in published_corpora([AnnotatedSentence(11, {"0": 62})], draws=40):
        assert (widest.mask >= 0).all()


def test_realised_edits_of_the_corpora_as_in_the_published_run(
    conll14: list[AnnotatedSentence],
) -> None:
    draws = list(published_corpora(conll14, draws=10))
    assert draws[0].sentence_ids.size == 831
    realised = np.mean([np.bitwise_count(corpora.mask).mean(axis=1) for corpora in draws], axis=0)
    published = [0, 0.89, 1.41, 2.07, 2.51, 2.74, 2.80, 2.90, 2.93, 2.94, 3.02]
    # The standard deviation of a sentence's number of edits is below 3: one published draw of
    # 831 sentences has a standard error below .1.
    np.testing.assert_allclose(realised, published, atol=0.2)
    assert (np.diff(realised) > -0.05).all()
