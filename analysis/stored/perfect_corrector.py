"""Rows of the scores of a perfect corrector, from a crowd's corrections of sentences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.edits import Annotation, format_annotation, within
from maege.analysis.extraction.errant_edits import corrected_text
from maege.analysis.extraction.plain_alignment import extract_plain
from maege.analysis.metrics.errant import ErrantScore
from maege.analysis.metrics.families import (
    EditFamily,
    GoldGroup,
    RequestGroup,
    StatisticsFamily,
)
from maege.analysis.metrics.formula import f_of_sums, shares_of_sums
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.imeasure import IMeasureScore
from maege.analysis.metrics.m2 import BETA, M2, M2Score
from maege.analysis.metrics.sari import MaxSariScore, Sari, SariScore
from maege.analysis.metrics.scores import ChosenScore, FamilyScore
from maege.analysis.statistics.references import (
    Array,
    Compared,
    best_of_many,
    corpus_interval,
    expected_counts,
    mean_interval,
)
from maege.analysis.statistics.resampling import Interval
from maege.analysis.texts import content_key

NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20)
# SARI reads all references together, so this number of samples is drawn for each sentence.
DRAWS = 40
PERFECT, LUCKY = "perfect", "lucky"

Row = tuple[Any, ...]


class Crowd(NamedTuple):
    """A sentence, its distinct corrections, and how often each was given; words only.

    `edits` are ERRANT's edits from the source to each correction, as text; None if ERRANT does not
    support the language.
    """

    source: str
    corrections: tuple[str, ...]
    counts: tuple[int, ...]
    edits: tuple[str, ...] | None = None

    @property
    def shares(self) -> Array:
        counts = np.array(self.counts, dtype=np.float64)
        return np.asarray(counts / counts.sum())


def crowds(rows: Iterable[Row]) -> dict[str, list[Crowd]]:
    """Return the sentences of each corpus, from sorted rows.

    Rows are (corpus, sentence_id, source, text, number of answers), and the edits to the text or
    nothing.
    """
    crowds_by_corpus: dict[str, list[Crowd]] = {}
    for (corpus, _, source), sentence_rows in groupby(rows, key=itemgetter(0, 1, 2)):
        _, _, _, texts, counts, *edits = zip(*sentence_rows, strict=True)
        known_edits = edits[0] if edits and None not in edits[0] else None
        crowds_by_corpus.setdefault(corpus, []).append(Crowd(source, texts, counts, known_edits))
    return crowds_by_corpus


def perfect_rows(corpus: str, sentences: Sequence[Crowd], level: float, seed: int) -> Iterator[Row]:
    """Yield the rows of a corpus for every metric and number of references."""
    shared = (sentences, level, seed)
    scores_by_metric: dict[tuple[str, str, bool], Mapping[int, Interval]] = {
        ("m2", PERFECT, True): m2_scores(*shared),
        ("gleu", PERFECT, True): best_scores(GleuScore(), *shared),
        ("imeasure", PERFECT, True): best_scores(IMeasureScore(), *shared),
        ("max_sari", PERFECT, True): best_scores(MaxSariScore(), *shared),
        ("sari", PERFECT, False): sari_scores(*shared, is_lucky=False),
        ("sari", LUCKY, False): sari_scores(*shared, is_lucky=True),
    }
    if all(sentence.edits is not None for sentence in sentences):
        scores_by_metric["errant", PERFECT, True] = errant_scores(*shared)
    for (metric, corrector, is_expectation), scores in scores_by_metric.items():
        for n_references, interval in scores.items():
            yield corpus, None, metric, corrector, n_references, *interval, is_expectation


def reference_rows(
    corpus: str, reference_set: str, sentences: Sequence[Crowd], level: float, seed: int
) -> Iterator[Row]:
    """Yield the rows of references in place of a crowd, for SARI and MAX-SARI.

    The number of sampled references is at most the number of existing ones.
    """
    shared = (sentences, level, seed)
    most = max(sum(sentence.counts) for sentence in sentences)
    for metric, corrector, is_expectation, scores in (
        ("max_sari", PERFECT, True, best_scores(MaxSariScore(), *shared)),
        ("sari", PERFECT, False, sari_scores(*shared, is_lucky=False, most=most)),
        ("sari", LUCKY, False, sari_scores(*shared, is_lucky=True, most=most)),
    ):
        for n, interval in scores.items():
            if n <= most:
                key = (corpus, reference_set, metric, corrector)
                yield *key, n, *interval, is_expectation


def m2_scores(sentences: Sequence[Crowd], level: float, seed: int) -> dict[int, Interval]:
    return f_scores(M2Score(), sentences, compared_edits(M2Score.family, sentences), level, seed)


def errant_scores(sentences: Sequence[Crowd], level: float, seed: int) -> dict[int, Interval]:
    """Return F0.5 of ERRANT by number of references, for sentences with their edits."""
    groups = [
        GoldGroup(sentence.source, sentence.edits or (), sentence.edits or ())
        for sentence in sentences
    ]
    counts = ErrantScore.family.compute_gold(groups)
    return f_scores(ErrantScore(), sentences, counts, level, seed)


def f_scores(
    score: ChosenScore,
    sentences: Sequence[Crowd],
    statistics: Sequence[Array],
    level: float,
    seed: int,
) -> dict[int, Interval]:
    """Return F0.5 of a long corpus by number of references, from statistics of all corrections."""
    compared = [
        Compared(score.counts(sentence_statistics), sentence.shares)
        for sentence, sentence_statistics in zip(sentences, statistics, strict=True)
    ]
    return {
        n: corpus_interval(
            expected_counts(compared, n, BETA), lambda sums: f_of_sums(sums, BETA), level, seed
        )
        for n in NUMBERS
    }


def best_scores(
    score: FamilyScore, sentences: Sequence[Crowd], level: float, seed: int
) -> dict[int, Interval]:
    """Return the mean score with the best reference, or over references, by their number."""
    family = score.family
    if isinstance(family, EditFamily):
        statistics = compared_edits(family, sentences)
    elif isinstance(family, StatisticsFamily):
        statistics = compared_texts(family, sentences)
    values = [score.formula(sentence_statistics)[..., None] for sentence_statistics in statistics]
    compared = [
        Compared(value, sentence.shares) for value, sentence in zip(values, sentences, strict=True)
    ]
    # The expected mean over any number of references equals that over one.
    n_drawn = {n: 1 if score.over_references == "mean" else n for n in NUMBERS}
    return {
        n: mean_interval(
            [
                best_of_many(sentence_compared, sentence_compared.statistics[..., 0], n_drawn[n])[0]
                for sentence_compared in compared
            ],
            level,
            seed,
        )
        for n in NUMBERS
    }


def sari_scores(
    sentences: Sequence[Crowd], level: float, seed: int, *, is_lucky: bool, most: int = NUMBERS[-1]
) -> dict[int, Interval]:
    """Return mean SARI by number of references; a lucky corrector's output is one of them."""
    scores = {}
    for n in (number for number in NUMBERS if number <= most):
        groups = [
            group for sentence in sentences for group in drawn_groups(sentence, n, seed, is_lucky)
        ]
        statistics = np.stack([rows[0] for rows in Sari().compute_batch(groups)])
        values = SariScore().sentence_scores({Sari.name: statistics})
        scores[n] = mean_interval(values.reshape(len(sentences), DRAWS).mean(axis=1), level, seed)
    return scores


def drawn_groups(sentence: Crowd, n: int, seed: int, is_lucky: bool) -> Iterator[RequestGroup]:
    rng = np.random.default_rng(
        [seed, n, content_key("/".join((sentence.source, *sentence.corrections)))]
    )
    positions = rng.choice(len(sentence.corrections), size=(DRAWS, n + 1), p=sentence.shares)
    zero = np.zeros(1, np.intp)
    for output, *references in positions.tolist():
        hypothesis = references[0] if is_lucky else output
        yield RequestGroup(
            tuple(sentence.corrections[place] for place in references),
            (sentence.source,),
            (sentence.corrections[hypothesis],),
            zero,
            zero,
        )


def compared_texts(family: StatisticsFamily, sentences: Sequence[Crowd]) -> list[Array]:
    """Return the statistics of all corrections with all: (outputs, references, k) each."""
    groups = [
        RequestGroup(
            sentence.corrections,
            (sentence.source,),
            sentence.corrections,
            np.zeros(len(sentence.corrections), np.intp),
            np.arange(len(sentence.corrections)),
        )
        for sentence in sentences
    ]
    return family.compute_batch(groups)


def compared_edits(family: EditFamily, sentences: Sequence[Crowd]) -> list[Array]:
    """Return these statistics for a family that reads gold edits, from aligned words."""
    statistics = []
    for sentence in sentences:
        gold = [
            format_annotation(extract_plain(sentence.source, text)) for text in sentence.corrections
        ]
        if family.per_reference:
            groups = [GoldGroup(sentence.source, tuple(gold), sentence.corrections)]
        else:
            groups = [GoldGroup(sentence.source, (text,), sentence.corrections) for text in gold]
        statistics.append(np.concatenate(family.compute_gold(groups), axis=1))
    return statistics


# --- The corpora of the paper (Choshen and Abend 2018, on coverage) ---
#
# For each number of references they sampled, once, 1,312 sentences with that many references and an
# output, all from the crowd's unchanged answers. They scored them with GLEU (mean of sentences) and
# with an older release of the M2 scorer, which ignores white space and case: it numbers insertions
# before the first token, and drops gold edits that end after the end of their sentence.

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
    shares = shares_of_sums(chosen_counts(sentences).sum(axis=0), BETA)
    return float(shares["p"]), float(shares["r"]), float(shares["f"])


def chosen_counts(sentences: Sequence[DrawnSentence]) -> Array:
    """Return tp, proposed and gold with the reference that the scorer chooses: (sentences, 3)."""
    groups = [
        GoldGroup(
            sentence.source,
            tuple(format_annotation(within(a, sentence.source)) for a in sentence.annotations)
            or ("",),
            (sentence.output,),
        )
        for sentence in sentences
    ]
    counts = PUBLISHED_M2.compute_gold(groups)
    width = max(sentence_counts.shape[1] for sentence_counts in counts)
    statistics = np.full((len(counts), width, counts[0].shape[2]), np.nan)
    for row, sentence_counts in zip(statistics, counts, strict=True):
        row[: sentence_counts.shape[1]] = sentence_counts[0]
    choices = M2Score().choose(statistics)
    return np.asarray(statistics[np.arange(len(choices)), choices, :3])


def gleu_of_sentences(sentences: Sequence[DrawnSentence]) -> Array:
    """Return GLEU of each output, the mean over its references."""
    zero = np.zeros(1, np.intp)
    score = GleuScore()
    groups = [
        RequestGroup(
            tuple(corrected_text(s.source, a) for a in s.annotations) or (s.source,),
            (s.source,),
            (s.output,),
            zero,
            zero,
        )
        for s in sentences
    ]
    statistics = score.family.compute_batch(groups)
    return np.array(
        [
            score.sentence_scores({score.family.name: sentence_statistics})[0]
            for sentence_statistics in statistics
        ]
    )
