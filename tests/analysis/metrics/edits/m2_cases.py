"""Requests for the tests of M2."""

from collections.abc import Sequence

import numpy as np

from maege.analysis.edits import Annotation, Edit, format_annotation
from maege.analysis.metrics.families import FloatArray, GoldGroup
from maege.analysis.metrics.m2 import M2, MAX_UNCHANGED_WORDS, M2Score
from maege.analysis.metrics.m2_search import Options, Source, gold_edits, single_edit
from maege.analysis.metrics.scores import Positions


def edit(start: int, end: int, *corrections: str) -> Edit:
    return Edit(start, end, "", corrections)


def counts(
    source: str, hypothesis: str, annotations: Sequence[Annotation], family: M2 | None = None
) -> list[list[float]]:
    """Return tp, proposed and gold for each annotation; none may be approximated."""
    statistics = all_statistics(source, hypothesis, annotations, family)
    assert not statistics[:, 3].any()
    rows: list[list[float]] = statistics[:, :3].tolist()
    return rows


def all_statistics(
    source: str, hypothesis: str, annotations: Sequence[Annotation], family: M2 | None = None
) -> FloatArray:
    gold = tuple(format_annotation(annotation) for annotation in annotations)
    statistics: FloatArray = (family or M2()).compute_gold(
        [GoldGroup(source, gold, (hypothesis,))]
    )[0][0]
    return statistics


def choose_per_sentence(statistics: FloatArray) -> Positions:
    """Return the annotator that the scorer chooses if each sentence is a corpus of its own."""
    return M2Score().choose(statistics[..., np.newaxis, :, :])[..., 0]


def edit_sequence(
    source: str,
    hypothesis: str,
    annotation: Annotation = (),
    max_unchanged_words: int = MAX_UNCHANGED_WORDS,
    ignore_whitespace_casing: bool = False,
) -> tuple[Edit, ...]:
    """Return the hypothesis's edits that agree best with this annotator, in order.

    Unchanged words at the ends of edits are removed, as in the scorer's output.
    """
    words, other_words = source.split(), hypothesis.split()
    options = Options(max_unchanged_words, ignore_whitespace_casing)
    compared = Source(words, options)
    gold = compared.gold(gold_edits(words, annotation))
    (edits,), _ = compared.proposed(other_words, [gold])
    shortened = []
    for edit in edits:
        target = other_words[edit.other_start : edit.other_end]
        changed = single_edit(words[edit.start : edit.end], target)
        correction = " ".join(target[changed.other_start : changed.other_end])
        span = edit.start + changed.start, edit.start + changed.end
        shortened.append(Edit(*span, "", (correction,)))
    return tuple(shortened)
