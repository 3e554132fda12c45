"""Rows of how much correctors change, and of an oracle's selections from k-best lists."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.extraction.plain_alignment import Changes, changes
from maege.analysis.metrics.families import GoldGroup, RequestGroup
from maege.analysis.metrics.m2 import M2Score
from maege.analysis.metrics.sari import MaxSariScore, Sari, SariScore, SariSingle
from maege.analysis.statistics.references import (
    Array,
    Places,
    drawn_references,
    oracle_choice,
    over_draws,
)
from maege.analysis.statistics.resampling import (
    Interval,
    RatioSums,
    estimated_mean,
    estimated_ratio,
    estimated_share,
)
from maege.analysis.stored.rows import table_schema
from maege.analysis.texts import content_key, squeezed

# Larger numbers of words share a bin.
MOST_WORDS = 21
# Bins of rho by their lower bounds; rho of exactly 1 is no change of order.
ORDERS = (1.0, 0.95, 0.9, 0.8, 0.7, -1.0)
# More than the number of correctors of one sentence.
TEXTS_OF_A_SENTENCE = 1 << 10

Row = tuple[Any, ...]


def profile_rows(texts: Iterable[Row], level: float, replication: bool) -> Iterator[Row]:
    """Yield the rows of (corpus, corrector_kind, corrector, source, text), sorted by corpus.

    If they are also sorted by sentence, adjacent equal texts are compared once.
    """
    compared = lru_cache(maxsize=TEXTS_OF_A_SENTENCE)(changes)
    for _, corpus_texts in groupby(texts, key=itemgetter(0)):
        changes_by_corrector: dict[Row, list[Changes]] = {}
        for *key, source, text in corpus_texts:
            changes_by_corrector.setdefault(tuple(key), []).append(compared(source, text))
        for corrector in sorted(changes_by_corrector):
            yield from _corrector_rows(
                corrector, changes_by_corrector[corrector], level, replication
            )


def ratio_rows(sums: Iterable[Row], level: float) -> Iterator[Row]:
    """Yield the rows of sums: their key, numbers of systems, annotators and sentences, the sums.

    The sums are those of RatioSums: x counts the edits of all systems, y of all annotators, in the
    sentences that have any.
    """
    for *key, systems, annotators, sentences, x, y, xx, xy, yy in sums:
        if not y:
            continue
        scaled = RatioSums(
            x / systems,
            y / annotators,
            xx / systems**2,
            xy / (systems * annotators),
            yy / annotators**2,
        )
        yield (
            *key,
            scaled.x,
            scaled.y,
            *estimated_ratio(scaled, level).with_enough_sentences(sentences),
        )


def _corrector_rows(
    key: Row, changes: Sequence[Changes], level: float, replication: bool
) -> Iterator[Row]:
    # The published run counted differently (`unlike_words`).
    word_counts = [("", [sentence_changes.words for sentence_changes in changes])]
    if replication:
        word_counts.append(
            ("_published", [sentence_changes.unlike_words for sentence_changes in changes])
        )
    for suffix, words in word_counts:
        capped = [min(n, MOST_WORDS) for n in words]
        yield from _rows(key, f"words_changed{suffix}", words, capped, level)
        changed = sum(n > 0 for n in words)
        found_changed = estimated_share(changed, len(words), level).with_enough_sentences(
            len(words)
        )
        yield _row(key, f"sentences_changed{suffix}", None, len(words), found_changed)
    orders = [
        sentence_changes.order for sentence_changes in changes if sentence_changes.order is not None
    ]
    bins = [next(bound for bound in ORDERS if order >= bound) for order in orders]
    yield from _rows(key, "word_order", orders, bins, level)
    sentences = [sentence_changes.sentences for sentence_changes in changes]
    yield from _rows(key, "sentences_added", sentences, sentences, level)


def _rows(
    key: Row,
    measure: str,
    values: Sequence[float],
    bins: Sequence[float],
    level: float,
) -> Iterator[Row]:
    """Yield the row of the mean, and a row of each bin with a sentence."""
    if not values:
        return
    n_all = len(values)
    yield _row(
        key, measure, None, n_all, estimated_mean(values, level).with_enough_sentences(n_all)
    )
    for bound in sorted(set(bins)):
        n = bins.count(bound)
        yield _row(
            key,
            measure,
            float(bound),
            n,
            estimated_share(n, n_all, level).with_enough_sentences(n_all),
        )


def _row(key: Row, measure: str, bound: float | None, n: int, interval: Interval) -> Row:
    corpus, kind, corrector = key
    return corpus, kind, corrector, measure, bound, n, *interval


# --- Rows of an oracle's selections from k-best lists, by metric and number of references ---

SCHEMA = table_schema(
    "corpus varchar, reference_set varchar, system varchar, metric varchar, n_references integer, "
    "n_sentences integer, unchanged double, unchanged_low double, unchanged_high double, "
    "words_changed double"
)
# The outputs of each list from its first choice on; the references of each set as texts, and as
# annotators' edits if the set has them.
LISTS = """
    with outputs as (
        select corpus, system, sentence_id, list(text order by rank) as outputs
        from choices group by all
    ),
    texts as (
        select corpus, reference_set, sentence_id, list(text order by position) as texts
        from listed group by all
    )
    select
        corpus, reference_set, system, array_to_string(tokens, ' '),
        outputs, texts, list_filter(coalesce(annotations, []), lambda x: x is not null)
    from outputs
    inner join sentences using (corpus, sentence_id)
    inner join texts using (corpus, sentence_id)
    inner join sets using (corpus, reference_set)
    left join gold using (corpus, sentence_id, annotation_set)
    order by corpus, reference_set, system, sentence_id
"""
DRAWS = 20
# Metrics of simplification read texts in lower case, M2 reads them unchanged.
CASED = "m2"

# The scores of all candidates, (draws, candidates), with the sampled references of a sentence.
Scorer = Callable[[Sequence[Places]], list[Array]]


class Listed(NamedTuple):
    """A sentence, a system's outputs for it from the first choice on, and its references.

    `annotations` are gold edits as text, those of annotators who have a line.
    """

    source: str
    outputs: tuple[str, ...]
    references: tuple[str, ...]
    annotations: tuple[str, ...]


def all_reranked_rows(
    lists: Sequence[Row], level: float, seed: int, *, as_published: bool
) -> Iterator[Row]:
    """Yield the rows of all rows of `LISTS`."""
    for key, group in groupby(lists, key=itemgetter(0, 1, 2)):
        listed = [
            Listed(source, tuple(map(squeezed, outputs)), tuple(texts), tuple(annotations))
            for *_, source, outputs, texts, annotations in group
        ]
        yield from reranked_rows(key, listed, level, seed, as_published=as_published)


def reranked_rows(
    key: Row, sentences: Sequence[Listed], level: float, seed: int, *, as_published: bool
) -> Iterator[Row]:
    """Yield the rows of a list and a reference set: `key` is corpus, reference set and system.

    As published: only sentences that a reference leaves unchanged, with references sampled with
    replacement and words counted as the paper's program did.
    """
    compared = [
        (sentence, [changes(sentence.source, text) for text in sentence.outputs])
        for sentence in sentences
    ]
    with_references = [pair for pair in compared if pair[0].references]
    annotated = [pair for pair in compared if pair[0].annotations]
    if as_published:
        with_references = [pair for pair in with_references if not annotated and _may_stay(pair[0])]
        annotated = []
    for metric, scorer, pairs in (
        ("max_sari", max_sari_scorer, with_references),
        ("sari", sari_scorer, with_references),
        (CASED, m2_scorer, annotated),
    ):
        if not pairs:
            continue
        metric_sentences, sentence_changes = (
            [sentence for sentence, _ in pairs],
            [changed for _, changed in pairs],
        )
        for n, choices in _choices(
            metric_sentences, scorer(metric_sentences), metric, seed, as_published
        ):
            counts = _counts(sentence_changes, choices, level, as_published)
            yield *key, metric, n, len(pairs), *counts


def _may_stay(sentence: Listed) -> bool:
    """Return whether the paper used the sentence: a reference leaves it unchanged."""
    return sentence.source.lower() in (text.lower() for text in sentence.references)


def _choices(
    sentences: Sequence[Listed], score: Scorer, metric: str, seed: int, as_published: bool
) -> Iterator[tuple[int, list[Places]]]:
    """Yield each number of references, and the selected output of each sentence in each draw.

    Without references it is the first of the list.
    """
    sizes = [
        len(sentence.annotations if metric == CASED else sentence.references)
        for sentence in sentences
    ]
    are_sources = [
        [_read(text, metric) == _read(sentence.source, metric) for text in sentence.outputs]
        for sentence in sentences
    ]
    yield 0, [np.zeros(DRAWS, np.intp)] * len(sentences)
    for n in range(1, max(sizes) + 1):
        references = [
            drawn_references(
                size,
                n,
                DRAWS,
                (seed, n, content_key(sentence.source)),
                with_replacement=as_published,
            )
            for sentence, size in zip(sentences, sizes, strict=True)
        ]
        yield n, list(map(oracle_choice, score(references), are_sources))


def _read(text: str, metric: str) -> str:
    return text if metric == CASED else text.lower()


def _counts(
    changes_by_sentence: Sequence[Sequence[Changes]],
    choices: Sequence[Places],
    level: float,
    as_published: bool,
) -> tuple[float | None, ...]:
    """Return the number of unchanged sentences with its bounds, and the mean number of words."""
    words = np.array(
        [
            np.array([c.unlike_words if as_published else c.words for c in changed])[places]
            for changed, places in zip(changes_by_sentence, choices, strict=True)
        ]
    )
    return *over_draws((words == 0).sum(axis=0).astype(np.float64), level), float(words.mean())


def max_sari_scorer(sentences: Sequence[Listed]) -> Scorer:
    groups = [_group(sentence, sentence.references) for sentence in sentences]
    return _best_of(
        [MaxSariScore().formula(statistics) for statistics in SariSingle().compute_batch(groups)]
    )


def m2_scorer(sentences: Sequence[Listed]) -> Scorer:
    score = M2Score()
    groups = [
        GoldGroup(sentence.source, sentence.annotations, sentence.outputs) for sentence in sentences
    ]
    return _best_of([score.formula(statistics) for statistics in score.family.compute_gold(groups)])


def _best_of(scores: Sequence[Array]) -> Scorer:
    return lambda references: [
        sentence_scores[:, places].max(axis=-1).T
        for sentence_scores, places in zip(scores, references, strict=True)
    ]


def sari_scorer(sentences: Sequence[Listed]) -> Scorer:
    """Return a function that scores by SARI, which reads the sampled references together."""

    def score(references: Sequence[Places]) -> list[Array]:
        # Most of the draws are equal.
        distinct_choices = [np.unique(places, axis=0, return_inverse=True) for places in references]
        groups = [
            _group(sentence, tuple(sentence.references[place] for place in places))
            for sentence, (listed, _) in zip(sentences, distinct_choices, strict=True)
            for places in listed.tolist()
        ]
        scores = iter(Sari().compute_batch(groups))
        return [
            np.array([SariScore().formula(next(scores))[:, 0] for _ in listed])[draw_positions]
            for listed, draw_positions in distinct_choices
        ]

    return score


def _group(sentence: Listed, references: tuple[str, ...]) -> RequestGroup:
    n = len(sentence.outputs)
    first_source = np.zeros(n, np.intp)
    return RequestGroup(
        references, (sentence.source,), sentence.outputs, first_source, np.arange(n)
    )
