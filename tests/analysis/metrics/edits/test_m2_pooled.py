"""The published run's M2: every sentence against the edits of all sentences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from m2_cases import edit
from m2_plain import counts as plain_counts

from maege.analysis.edits import Annotation
from maege.analysis.metrics.formula import f_of_counts
from maege.analysis.metrics.m2 import BETA
from maege.analysis.papers.m2_pooled import pooled_gold, pooled_scores

SOURCES = ["a b c", "d e f g", "a x"]
WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)


def test_replaced_text_is_read_from_the_beginning_of_the_file() -> None:
    annotations = [[(edit(0, 1, "A"),)], [(edit(0, 1, "D"),)], [(edit(1, 2, "y"),)]]
    gold = pooled_gold(SOURCES, annotations)
    # All three edits count as gold. "D" for "d" does not agree: the edit claims to replace "a".
    # "A" for "a" agrees in the first and the third sentence; "y" for "x" claims to replace "b".
    scores = pooled_scores(
        gold,
        [0, 1, 2, 2],
        ["A b c", "D e f g", "A x", "a y"],
        ignore_whitespace_casing=False,
    )
    assert scores.tolist() == pytest.approx([1.25 / 1.75, 0, 1.25 / 1.75, 0])


def test_best_annotator_counts_and_case_is_ignored() -> None:
    none: Annotation = ()
    annotations = [[(edit(0, 1, "z"),), none], [none, none], [none, none]]
    gold = pooled_gold(SOURCES, annotations)
    # An unchanged sentence: F is 0 against the first annotator, 1 against the second.
    assert pooled_scores(gold, [0, 0], ["a b c", "z b c"]).tolist() == [1, 1]

    gold = pooled_gold(["a b"], [[(edit(0, 1, "A"),)]])
    assert pooled_scores(gold, [0], ["A b"]).tolist() == [0]


def test_text_rewritten_whole_is_one_edit() -> None:
    # The lattice of two texts of 80 tokens without a common token is too large.
    source, target = ([f"{word}{n}" for n in range(80)] for word in ("old", "new"))
    every_token = tuple(edit(n, n + 1, word) for n, word in enumerate(target))
    gold = pooled_gold([" ".join(source)], [[every_token]])
    half_rewritten = [*target[:40], *source[40:]]
    scores = pooled_scores(gold, [0, 0], [" ".join(target), " ".join(half_rewritten)])
    # The single approximate edit is not a gold edit. 40 of 40 proposed edits are, out of 80 gold
    # edits: P 1, R .5.
    assert scores.tolist() == pytest.approx([0, 1.25 * 0.5 / (0.25 + 0.5)])


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[Annotation]], list[str]]:
    sources, annotations, hypotheses = [], [], []
    for _ in range(draw(st.integers(1, 4))):
        source, hypothesis = draw(WORDS), draw(WORDS)
        edits = []
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(source)))
            end = draw(st.integers(start, min(start + 1, len(source))))
            correction = draw(st.sampled_from(["", "a", "b", "c", "a b"]))
            edits.append(edit(start, end, correction))
        sources.append(" ".join(source))
        hypotheses.append(" ".join(hypothesis))
        annotations.append([tuple(edits)])
    return sources, annotations, hypotheses


@settings(max_examples=150, deadline=None)
@given(corpora())
def test_scores_equal_those_against_the_whole_pool(
    corpus: tuple[list[str], list[list[Annotation]], list[str]],
) -> None:
    sources, annotations, hypotheses = corpus
    pool = [e for (annotation,) in annotations for e in annotation]
    beginning = " ".join(sources).split()
    expected = []
    read = 0
    for source, hypothesis in zip(sources, hypotheses, strict=True):
        words = source.split()
        read += len(words)
        gold = [e for e in pool if e.end <= read]
        comparable = tuple(
            e
            for e in gold
            if e.end <= len(words) and words[e.start : e.end] == beginning[e.start : e.end]
        )
        [(tp, proposed, _)] = plain_counts(source, hypothesis, [comparable])
        expected.append(float(f_of_counts(np.float64(tp), proposed, len(gold), BETA)))
    scores = pooled_scores(
        pooled_gold(sources, annotations),
        range(len(sources)),
        hypotheses,
        ignore_whitespace_casing=False,
    )
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-12)
