"""The corpora that Choshen and Abend (2018, on coverage) sampled to score a perfect corrector.

For each number of references they sampled, once, 1,312 sentences with that many references and an
output, all from the crowd's unchanged answers. They scored them with GLEU (mean of sentences) and
with an older release of the M2 scorer, which ignores white space and case: it numbers insertions
before the first token, and drops gold edits that end after the end of their sentence.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from maege.analysis.edits import Annotation, format_annotation, within
from maege.analysis.extraction.errant_edits import corrected_text
from maege.analysis.metrics.families.base import GoldGroup, RequestGroup
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.m2.family import BETA, M2, choose_cumulative
from maege.analysis.metrics.scores.formula import shares_of_sums
from maege.analysis.statistics.references import (
    Array,
    corpus_interval,
    mean_interval,
)
from maege.analysis.statistics.resampling import Interval

PUBLISHED_M2 = M2(ignore_whitespace_casing=True, numbers_first_row=True)


class DrawnSentence(NamedTuple):
    """A sentence, an annotation for each reference with a line in the file, and the output."""

    source: str
    annotations: tuple[Annotation, ...]
    output: str


def published_scores(
    sentences: Sequence[DrawnSentence], level: float, seed: int
) -> dict[str, Interval]:
    """Return precision, recall and F.5 of M2, and GLEU."""
    counts = chosen_counts(sentences)

    def share(name: str) -> Interval:
        return corpus_interval(
            counts, lambda sums: np.asarray(shares_of_sums(sums, BETA)[name]), level, seed
        )

    return {
        "m2": share("f"),
        "m2_precision": share("p"),
        "m2_recall": share("r"),
        "gleu": mean_interval(gleu_of_sentences(sentences), level, seed),
    }


def corpus_shares(sentences: Sequence[DrawnSentence]) -> tuple[float, float, float]:
    """Return precision, recall and F.5 of M2."""
    found = shares_of_sums(chosen_counts(sentences).sum(axis=0), BETA)
    return float(found["p"]), float(found["r"]), float(found["f"])


def chosen_counts(sentences: Sequence[DrawnSentence]) -> Array:
    """Return tp, proposed and gold with the reference that the scorer chooses: (sentences, 3)."""
    groups = [
        GoldGroup(
            one.source,
            tuple(format_annotation(within(a, one.source)) for a in one.annotations) or ("",),
            (one.output,),
        )
        for one in sentences
    ]
    counts = PUBLISHED_M2.compute_gold(groups)
    width = max(found.shape[1] for found in counts)
    statistics = np.full((len(counts), width, counts[0].shape[2]), np.nan)
    for row, found in zip(statistics, counts, strict=True):
        row[: found.shape[1]] = found[0]
    chosen = choose_cumulative(statistics)
    return np.asarray(statistics[np.arange(len(chosen)), chosen, :3])


def gleu_of_sentences(sentences: Sequence[DrawnSentence]) -> Array:
    """Return GLEU of each output, the mean over its references."""
    one = np.zeros(1, np.intp)
    score = GleuScore()
    groups = [
        RequestGroup(
            tuple(corrected_text(s.source, a) for a in s.annotations) or (s.source,),
            (s.source,),
            (s.output,),
            one,
            one,
        )
        for s in sentences
    ]
    statistics = score.family.compute_batch(groups)
    return np.array([score.sentence_scores({score.family.name: found})[0] for found in statistics])
