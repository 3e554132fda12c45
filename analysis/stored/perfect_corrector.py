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
    Family,
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
from maege.analysis.stored.corrections import source_group
from maege.analysis.texts import content_key

NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20)
# SARI reads all references together, so this number of samples is drawn for each sentence.
DRAWS = 40
PERFECT, LUCKY = "perfect", "lucky"

Row = tuple[Any, ...]
# By number of references.
Scores = dict[int, Interval]


class Crowd(NamedTuple):
    """A sentence, its distinct corrections, and how often each was given; words only.

    `edits` are ERRANT's edits from the source to each correction, as text; None without them.
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
    """Return the sentences of each corpus.

    Sorted rows are (corpus, sentence_id, source, text, number of answers), and the edits if known.
    """
    crowds_by_corpus: dict[str, list[Crowd]] = {}
    for (corpus, _, source), sentence_rows in groupby(rows, key=itemgetter(0, 1, 2)):
        _, _, _, texts, counts, *edits = zip(*sentence_rows, strict=True)
        known_edits = edits[0] if edits and None not in edits[0] else None
        crowds_by_corpus.setdefault(corpus, []).append(Crowd(source, texts, counts, known_edits))
    return crowds_by_corpus


def perfect_rows(corpus: str, sentences: Sequence[Crowd], level: float, seed: int) -> Iterator[Row]:
    shared = (sentences, level, seed)
    scores = {
        ("m2", PERFECT): m2_scores(*shared),
        ("gleu", PERFECT): _best_scores(GleuScore(), *shared),
        ("imeasure", PERFECT): _best_scores(IMeasureScore(), *shared),
        **_sari_and_max_sari(*shared),
    }
    if all(sentence.edits is not None for sentence in sentences):
        groups = [GoldGroup(s.source, s.edits or (), s.edits or ()) for s in sentences]
        counts = ErrantScore.family.compute_gold(groups)
        scores["errant", PERFECT] = _f_scores(ErrantScore(), sentences, counts, level, seed)
    yield from _metric_rows(corpus, None, scores)


def reference_rows(
    corpus: str, reference_set: str, sentences: Sequence[Crowd], level: float, seed: int
) -> Iterator[Row]:
    """Yield rows with references in place of a crowd; no more of them are sampled than exist."""
    most = max(sum(sentence.counts) for sentence in sentences)
    scores = _sari_and_max_sari(sentences, level, seed, most)
    yield from _metric_rows(corpus, reference_set, scores)


def _sari_and_max_sari(
    sentences: Sequence[Crowd], level: float, seed: int, most: int = NUMBERS[-1]
) -> dict[tuple[str, str], Scores]:
    shared = (sentences, level, seed, most)
    return {
        ("max_sari", PERFECT): _best_scores(MaxSariScore(), *shared),
        ("sari", PERFECT): _sari_scores(*shared, is_lucky=False),
        ("sari", LUCKY): _sari_scores(*shared, is_lucky=True),
    }


def _metric_rows(
    corpus: str, reference_set: str | None, scores: Mapping[tuple[str, str], Scores]
) -> Iterator[Row]:
    for (metric, corrector), metric_scores in scores.items():
        for n_references, interval in metric_scores.items():
            key = (corpus, reference_set, metric, corrector, n_references)
            # SARI's scores come from sampled references.
            yield *key, *interval, metric != "sari"


def m2_scores(sentences: Sequence[Crowd], level: float, seed: int) -> Scores:
    counts = _compared_statistics(M2Score.family, sentences)
    return _f_scores(M2Score(), sentences, counts, level, seed)


def _f_scores(
    score: ChosenScore,
    sentences: Sequence[Crowd],
    statistics: Sequence[Array],
    level: float,
    seed: int,
) -> Scores:
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


def _best_scores(
    score: FamilyScore,
    sentences: Sequence[Crowd],
    level: float,
    seed: int,
    most: int = NUMBERS[-1],
) -> Scores:
    compared = [
        Compared(score.formula(statistics)[..., None], sentence.shares)
        for statistics, sentence in zip(
            _compared_statistics(score.family, sentences), sentences, strict=True
        )
    ]
    scores = {}
    for n in (number for number in NUMBERS if number <= most):
        # The expected mean over any number of references equals that over one.
        n_drawn = 1 if score.over_references == "mean" else n
        means = [best_of_many(c, c.statistics[..., 0], n_drawn)[0] for c in compared]
        scores[n] = mean_interval(means, level, seed)
    return scores


def _sari_scores(
    sentences: Sequence[Crowd], level: float, seed: int, most: int, *, is_lucky: bool
) -> Scores:
    """Return mean SARI; a lucky corrector's output is one of the references."""
    scores = {}
    for n in (number for number in NUMBERS if number <= most):
        groups = [
            group for sentence in sentences for group in _drawn_groups(sentence, n, seed, is_lucky)
        ]
        statistics = np.stack([rows[0] for rows in Sari().compute_batch(groups)])
        values = SariScore().sentence_scores({Sari.name: statistics})
        scores[n] = mean_interval(values.reshape(len(sentences), DRAWS).mean(axis=1), level, seed)
    return scores


def _drawn_groups(sentence: Crowd, n: int, seed: int, is_lucky: bool) -> Iterator[RequestGroup]:
    rng = np.random.default_rng(
        [seed, n, content_key("/".join((sentence.source, *sentence.corrections)))]
    )
    positions = rng.choice(len(sentence.corrections), size=(DRAWS, n + 1), p=sentence.shares)
    for output, *references in positions.tolist():
        hypothesis = references[0] if is_lucky else output
        yield source_group(
            sentence.source,
            tuple(sentence.corrections[place] for place in references),
            (sentence.corrections[hypothesis],),
        )


def _compared_statistics(family: Family, sentences: Sequence[Crowd]) -> list[Array]:
    """Return shape (outputs, references, k); gold edits are those of aligned words."""
    if isinstance(family, StatisticsFamily):
        texts = [source_group(s.source, s.corrections, s.corrections) for s in sentences]
        return family.compute_batch(texts)
    assert isinstance(family, EditFamily)  # noqa: S101 - the only other kind
    statistics = []
    for source, corrections, *_ in sentences:
        gold = [format_annotation(extract_plain(source, text)) for text in corrections]
        annotations = [tuple(gold)] if family.per_reference else [(text,) for text in gold]
        groups = [GoldGroup(source, listed, corrections) for listed in annotations]
        statistics.append(np.concatenate(family.compute_gold(groups), axis=1))
    return statistics


# --- The corpora of the paper (Choshen and Abend 2018, on coverage) ---
#
# They were scored with GLEU (mean of sentences) and with an older release of the M2 scorer, which
# ignores white space and case: it numbers insertions before the first token, and drops gold edits
# that end after the end of their sentence.

PUBLISHED_M2 = M2(ignore_whitespace_casing=True, numbers_first_row=True)


class DrawnSentence(NamedTuple):
    """A sentence, an annotation for each reference with a line in the file, and the output."""

    source: str
    annotations: tuple[Annotation, ...]
    output: str


def published_scores(
    sentences: Sequence[DrawnSentence], level: float, seed: int
) -> dict[str, Interval]:
    counts = _chosen_counts(sentences)

    def share(name: str) -> Interval:
        return corpus_interval(
            counts, lambda sums: np.asarray(shares_of_sums(sums, BETA)[name]), level, seed
        )

    return {
        "m2": share("f"),
        "m2_precision": share("p"),
        "m2_recall": share("r"),
        "gleu": mean_interval(_gleu_of_sentences(sentences), level, seed),
    }


def corpus_shares(sentences: Sequence[DrawnSentence]) -> tuple[float, float, float]:
    """Return precision, recall and F.5 of M2."""
    shares = shares_of_sums(_chosen_counts(sentences).sum(axis=0), BETA)
    return float(shares["p"]), float(shares["r"]), float(shares["f"])


def _chosen_counts(sentences: Sequence[DrawnSentence]) -> Array:
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


def _gleu_of_sentences(sentences: Sequence[DrawnSentence]) -> Array:
    score = GleuScore()
    groups = []
    for source, annotations, output in sentences:
        references = tuple(corrected_text(source, edits) for edits in annotations) or (source,)
        groups.append(source_group(source, references, (output,)))
    statistics = score.family.compute_batch(groups)
    name = score.family.name
    return np.array([score.sentence_scores({name: rows})[0] for rows in statistics])
