"""Sentences that an oracle over k-best lists leaves unchanged, computed by hand."""

from typing import Any

import numpy as np
import pytest

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.stored.corrections import (
    Listed,
    m2_scorer,
    max_sari_scorer,
    reranked_rows,
    sari_scorer,
)

LEVEL, SEED = 0.95, 1
GOES = format_annotation([Edit(1, 2, "", ("goes",))])
SENTENCE = Listed("he go", ("he went", "he goes", "he go"), ("he goes", "he go"), ())


def rows(*sentences: Listed, as_published: bool = False) -> dict[tuple[str, int], tuple[Any, ...]]:
    reranked = reranked_rows(("c", "r", "s"), sentences, LEVEL, SEED, as_published=as_published)
    return {row[3:5]: row[5:] for row in reranked}


def test_without_references_the_first_of_the_list_is_taken() -> None:
    reranked = rows(SENTENCE)
    assert reranked["max_sari", 0] == (1, 0, 0, 0, 1)


def test_one_reference_is_followed_and_of_two_the_one_that_corrects() -> None:
    """Each reference may be sampled alone. With an unchanged text SARI adds and deletes nothing."""
    reranked = rows(SENTENCE)
    n, unchanged, low, high, words = reranked["max_sari", 1]
    assert n == 1
    assert 0 < unchanged < 1
    assert low < unchanged < high
    assert words == pytest.approx(1 - unchanged)
    assert reranked["max_sari", 2] == (1, 0, 0, 0, 1)


def test_annotators_are_read_one_by_one_and_have_the_published_rule_not() -> None:
    """One corrects, one does not: with both, the last of the best outputs is the unchanged text."""
    annotated = SENTENCE._replace(annotations=(GOES, ""))
    reranked = rows(annotated)
    assert reranked["m2", 2] == (1, 1, 1, 1, 0)
    assert rows(annotated, as_published=True) == {}
    references = [np.array([[0], [1]])]
    # With the annotator who corrects, F is 0, 1 and 0; with the other, 0, 0 and 1.
    assert m2_scorer([annotated])(references)[0].tolist() == [[0, 1, 0], [0, 0, 1]]


def test_published_numbers_need_a_reference_without_changes() -> None:
    changed = Listed("she go", ("she went", "she go"), ("she goes", "she is gone"), ())
    sentences = SENTENCE._replace(references=("he goes", "He go")), changed
    assert rows(*sentences)["sari", 2][0] == 2
    assert rows(*sentences, as_published=True)["sari", 2][0] == 1


def test_sari_reads_sampled_references_together_max_sari_the_best() -> None:
    single_references = [np.array([[0], [1]])]
    joint_references = [np.array([[0, 1], [1, 1]])]
    (first, second), (joint, twice) = (
        sari_scorer([SENTENCE])(d)[0] for d in (single_references, joint_references)
    )
    assert twice.tolist() == second.tolist()
    assert joint.tolist() not in (first.tolist(), second.tolist())
    (best, last) = max_sari_scorer([SENTENCE])(joint_references)[0]
    assert best.tolist() == np.maximum(first, second).tolist()
    assert last.tolist() == second.tolist()
