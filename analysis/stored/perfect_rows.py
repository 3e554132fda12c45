"""Rows of what a perfect corrector scores, from a crowd's corrections of sentences."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from analysis.extraction.plain_alignment import extract_plain
from analysis.keys import content_key
from analysis.metrics.base import EditFamily, GoldGroup, RequestGroup, StatisticsFamily
from analysis.metrics.edits import format_annotation
from analysis.metrics.f_score import f_of_sums
from analysis.metrics.gleu import GleuScore
from analysis.metrics.imeasure.score import IMeasureScore
from analysis.metrics.m2.family import BETA, M2
from analysis.metrics.sari import MaxSariScore, Sari, SariScore
from analysis.metrics.score import FamilyScore
from analysis.statistics.perfect_corrector import (
    Array,
    Compared,
    best_of_many,
    corpus_interval,
    expected_counts,
    mean_interval,
)
from analysis.statistics.profiles import Interval

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "metric": pa.string(),
        "corrector": pa.string(),
        "n_references": pa.int32(),
        "score": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "is_expectation": pa.bool_(),
    }
)
NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20)
# SARI reads all references together: that many choices of them are drawn of each sentence.
DRAWS = 40
PERFECT, LUCKY = "perfect", "lucky"

Row = tuple[Any, ...]


class Crowd(NamedTuple):
    """A sentence, its different corrections, and how often each was given; words alone."""

    source: str
    corrections: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def shares(self) -> Array:
        """The shares of the answers."""
        counts = np.array(self.counts, dtype=np.float64)
        return np.asarray(counts / counts.sum())


def words_alone(text: str) -> str:
    """Return the text without what is of no word."""
    return " ".join(re.findall(r"\w+", text))


def crowds(answers: Iterable[Row]) -> dict[str, list[Crowd]]:
    """Return the sentences of each corpus from (corpus, sentence_id, sentence, correction).

    Sentences of which all answers are empty are left out.
    """
    given: dict[str, dict[int, tuple[str, Counter[str]]]] = {}
    for corpus, sentence_id, sentence, correction in answers:
        text = words_alone(correction)
        if text:
            of_corpus = given.setdefault(corpus, {})
            of_corpus.setdefault(sentence_id, (words_alone(sentence), Counter()))[1][text] += 1
    return {
        corpus: [
            Crowd(source, tuple(sorted(texts)), tuple(texts[text] for text in sorted(texts)))
            for _, (source, texts) in sorted(sentences.items())
        ]
        for corpus, sentences in given.items()
    }


def perfect_rows(corpus: str, sentences: Sequence[Crowd], level: float, seed: int) -> Iterator[Row]:
    """Yield the rows of a corpus, of every metric and number of references."""
    shared = (sentences, level, seed)
    found: Mapping[tuple[str, str, bool], Mapping[int, Interval]] = {
        ("m2", PERFECT, True): m2_scores(*shared),
        ("gleu", PERFECT, True): best_scores(GleuScore(), *shared),
        ("imeasure", PERFECT, True): best_scores(IMeasureScore(), *shared),
        ("max_sari", PERFECT, True): best_scores(MaxSariScore(), *shared),
        ("sari", PERFECT, False): sari_scores(*shared, is_lucky=False),
        ("sari", LUCKY, False): sari_scores(*shared, is_lucky=True),
    }
    for (metric, corrector, is_expectation), scores in found.items():
        for n_references, scored in scores.items():
            yield corpus, "paper", metric, corrector, n_references, *scored, is_expectation


def m2_scores(sentences: Sequence[Crowd], level: float, seed: int) -> dict[int, Interval]:
    """Return F.5 of the M2 scorer by number of references."""
    family = M2()
    compared = [
        Compared(statistics[..., :3], sentence.shares)
        for sentence, statistics in zip(sentences, compared_edits(family, sentences), strict=True)
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
    """Return the mean sentence score by number of references: of the best, or of their mean."""
    family = score.family
    if isinstance(family, EditFamily):
        statistics = compared_edits(family, sentences)
    elif isinstance(family, StatisticsFamily):
        statistics = compared_texts(family, sentences)
    values = [score.formula(of_sentence)[..., None] for of_sentence in statistics]
    compared = [
        Compared(value, sentence.shares) for value, sentence in zip(values, sentences, strict=True)
    ]
    # The mean of any number of references is expected to be that of one.
    drawn = {n: 1 if score.over_references == "mean" else n for n in NUMBERS}
    return {
        n: mean_interval(
            [best_of_many(one, one.statistics[..., 0], drawn[n])[0] for one in compared],
            level,
            seed,
        )
        for n in NUMBERS
    }


def sari_scores(
    sentences: Sequence[Crowd], level: float, seed: int, *, is_lucky: bool
) -> dict[int, Interval]:
    """Return mean SARI by number of references; the output of a lucky corrector is one of them."""
    scores = {}
    for n in NUMBERS:
        groups = [group for one in sentences for group in drawn_groups(one, n, seed, is_lucky)]
        statistics = np.stack([rows[0] for rows in Sari().compute_batch(groups)])
        values = SariScore().sentence_scores({Sari.name: statistics})
        scores[n] = mean_interval(values.reshape(len(sentences), DRAWS).mean(axis=1), level, seed)
    return scores


def drawn_groups(sentence: Crowd, n: int, seed: int, is_lucky: bool) -> Iterator[RequestGroup]:
    """Yield as many draws of n references and an output as DRAWS says."""
    rng = np.random.default_rng(
        [seed, n, content_key("/".join((sentence.source, *sentence.corrections)))]
    )
    drawn = rng.choice(len(sentence.corrections), size=(DRAWS, n + 1), p=sentence.shares)
    one = np.zeros(1, np.intp)
    for output, *references in drawn.tolist():
        hypothesis = references[0] if is_lucky else output
        yield RequestGroup(
            tuple(sentence.corrections[place] for place in references),
            (sentence.source,),
            (sentence.corrections[hypothesis],),
            one,
            one,
        )


def compared_texts(family: StatisticsFamily, sentences: Sequence[Crowd]) -> list[Array]:
    """Return the statistics of all corrections beside all: (outputs, references, k) each."""
    groups = [
        RequestGroup(
            one.corrections,
            (one.source,),
            one.corrections,
            np.zeros(len(one.corrections), np.intp),
            np.arange(len(one.corrections)),
        )
        for one in sentences
    ]
    return family.compute_batch(groups)


def compared_edits(family: EditFamily, sentences: Sequence[Crowd]) -> list[Array]:
    """Return the same of a family that reads gold edits: those of aligned words."""
    found = []
    for one in sentences:
        gold = [format_annotation(extract_plain(one.source, text)) for text in one.corrections]
        if family.per_reference:
            groups = [GoldGroup(one.source, tuple(gold), one.corrections)]
        else:
            groups = [GoldGroup(one.source, (text,), one.corrections) for text in gold]
        found.append(np.concatenate(family.compute_gold(groups), axis=1))
    return found
