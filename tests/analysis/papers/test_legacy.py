"""The generators of the published run give back its chains, and corpora with its properties."""

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.papers.maege_generators import (
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
    """The annotations of the published lattices, as numbers of edits."""
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


def test_annotators_are_walked_in_the_order_of_the_published_run() -> None:
    sentence = AnnotatedSentence(7, {str(i): 1 for i in (0, 1, 2, 3, 4, 9)})
    assert [chain.annotator for chain in published_chains([sentence])] == list("341029")


def test_sentences_without_two_annotators_give_no_chain_but_use_draws() -> None:
    chains = published_chains(SMALL)
    assert [(c.sentence_id, c.annotator) for c in chains] == [
        (0, "1"),
        (0, "0"),
        (4, "1"),
        (4, "0"),
        (4, "2"),
    ]
    without_single = published_chains([s for s in SMALL if s.sentence_id != 3])
    assert chains[:2] == without_single[:2]
    long = AnnotatedSentence(9, {"0": 12, "1": 12})
    shifted = published_chains([SMALL[3], long])[0].permutation
    assert shifted != published_chains([long])[0].permutation
    assert published_chains([SMALL[1], SMALL[2], long]) == published_chains([long])


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


def test_mask_holds_the_applied_edits_in_any_order() -> None:
    corpora = published_corpora(SMALL, draws=3)
    assert corpora.mask.shape == (3, 11, 3)
    assert corpora.sentence_ids.tolist() == [0, 3, 4]
    starts = np.concatenate([[0], np.cumsum(corpora.n_edits.ravel())])
    for cell, mask in enumerate(corpora.mask.ravel().tolist()):
        edits = corpora.applied[starts[cell] : starts[cell + 1]].tolist()
        assert sum(1 << edit for edit in edits) == mask
        assert len(set(edits)) == len(edits)
    assert starts[-1] == corpora.applied.size


def test_applied_edits_exist_and_corpus_zero_is_the_originals() -> None:
    corpora = published_corpora(SMALL, draws=20)
    available = [{"0": 2, "1": 3}, {"1": 4}, {"0": 1, "1": 2, "2": 1}]
    limits = np.array(
        [[n_edits.get(label, 0) for label in corpora.annotators] for n_edits in available]
    )
    chosen = limits[np.arange(3), corpora.annotator]
    assert (corpora.mask < 2**chosen).all()
    assert (corpora.mask[:, 0] == 0).all()
    assert set(np.unique(corpora.source_model)) <= set(range(11))
    # Sentence 4 has three annotators: over 220 picks each comes up.
    assert np.unique(corpora.annotator[:, :, 2]).tolist() == [0, 1, 2]


def test_draw_d_is_the_first_draw_of_seed_plus_d() -> None:
    three = published_corpora(SMALL, draws=3, seed=5)
    third = published_corpora(SMALL, draws=1, seed=7)
    np.testing.assert_array_equal(three.mask[2], third.mask[0])
    np.testing.assert_array_equal(three.source_model[2], third.source_model[0])


def test_first_sentence_by_the_generator_itself() -> None:
    state = np.random.RandomState(1)
    corpora = published_corpora([AnnotatedSentence(0, {"1": 9, "0": 6})], draws=1)
    for model in range(11):
        annotator = state.randint(2)
        permutation = state.permutation((6, 9)[annotator])
        k = min(state.binomial(*binomial_parameters(model)), permutation.size)
        assert corpora.annotator[0, model, 0] == annotator
        assert corpora.n_edits[0, model, 0] == k
        assert corpora.mask[0, model, 0] == sum(1 << int(edit) for edit in permutation[:k])
    assert corpora.source_model[0, 0] == state.randint(11)


def test_global_generators_are_left_alone() -> None:
    before = np.random.get_state()[1].tolist()  # type: ignore[index]
    published_chains(SMALL)
    published_corpora(SMALL, draws=1)
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]


def test_more_edits_than_a_mask_has_bits_names_the_sentence() -> None:
    with pytest.raises(ValueError, match="sentence 11: found 63 edits"):
        published_corpora([AnnotatedSentence(11, {"0": 63})], draws=1)
    widest = published_corpora([AnnotatedSentence(11, {"0": 62})], draws=40)
    assert (widest.mask >= 0).all()


def test_realised_edits_of_the_corpora_as_in_the_published_run(
    conll14: list[AnnotatedSentence],
) -> None:
    corpora = published_corpora(conll14, draws=10)
    assert corpora.sentence_ids.size == 831
    realised = corpora.n_edits.mean(axis=(0, 2))
    published = [0, 0.89, 1.41, 2.07, 2.51, 2.74, 2.80, 2.90, 2.93, 2.94, 3.02]
    # The standard deviation of a sentence's number of edits is below 3: one published draw of
    # 831 sentences has a standard error below .1.
    np.testing.assert_allclose(realised, published, atol=0.2)
    assert (np.diff(realised) > -0.05).all()
