"""Rows of how much correctors change, and of an oracle's selections from k-best lists."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
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
    """Yield rows from a key, the numbers of systems, annotators and sentences, and RatioSums.

    x counts the edits of all systems, y those of all annotators, in the sentences that have any.
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
        ratio = estimated_ratio(scaled, level).with_enough_sentences(sentences)
        yield *key, scaled.x, scaled.y, *ratio


def _corrector_rows(
    key: Row, changes: Sequence[Changes], level: float, replication: bool
) -> Iterator[Row]:
    n = len(changes)
    word_counts = {"": [change.words for change in changes]}
    if replication:
        # The published run counted differently.
        word_counts["_published"] = [change.unlike_words for change in changes]
    for suffix, words in word_counts.items():
        capped = [min(number, MOST_WORDS) for number in words]
        yield from _rows(key, f"words_changed{suffix}", words, capped, level)
        changed = estimated_share(sum(number > 0 for number in words), n, level)
        yield *key, f"sentences_changed{suffix}", None, n, *changed.with_enough_sentences(n)
    orders = [change.order for change in changes if change.order is not None]
    bins = [next(bound for bound in ORDERS if order >= bound) for order in orders]
    yield from _rows(key, "word_order", orders, bins, level)
    sentences = [change.sentences for change in changes]
    yield from _rows(key, "sentences_added", sentences, sentences, level)


def _rows(
    key: Row, measure: str, values: Sequence[float], bins: Sequence[float], level: float
) -> Iterator[Row]:
    if not values:
        return
    n_all = len(values)
    mean = estimated_mean(values, level)
    yield *key, measure, None, n_all, *mean.with_enough_sentences(n_all)
    for bound in sorted(set(bins)):
        n = bins.count(bound)
        share = estimated_share(n, n_all, level)
        yield *key, measure, float(bound), n, *share.with_enough_sentences(n_all)


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
    """`annotations` are gold edits as text, those of annotators who have a line."""

    source: str
    outputs: tuple[str, ...]
    references: tuple[str, ...]
    annotations: tuple[str, ...]


def all_reranked_rows(
    lists: Sequence[Row], level: float, seed: int, *, as_published: bool
) -> Iterator[Row]:
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
    with_references = [sentence for sentence in sentences if sentence.references]
    annotated = [sentence for sentence in sentences if sentence.annotations]
    if as_published:
        with_references = [
            sentence
            for sentence in with_references
            if not annotated
            and sentence.source.lower() in (text.lower() for text in sentence.references)
        ]
        annotated = []

    @cache
    def words_changed(sentence: Listed) -> Array:
        compared = (changes(sentence.source, text) for text in sentence.outputs)
        return np.array([c.unlike_words if as_published else c.words for c in compared])

    for metric, scorer, scored in (
        ("max_sari", max_sari_scorer, with_references),
        ("sari", sari_scorer, with_references),
        (CASED, m2_scorer, annotated),
    ):
        if scored:
            for n, choices in _choices(scored, scorer(scored), metric, seed, as_published):
                words = np.array(
                    [words_changed(s)[places] for s, places in zip(scored, choices, strict=True)]
                )
                unchanged = over_draws((words == 0).sum(axis=0).astype(np.float64), level)
                yield *key, metric, n, len(scored), *unchanged, float(words.mean())


def _choices(
    sentences: Sequence[Listed], score: Scorer, metric: str, seed: int, as_published: bool
) -> Iterator[tuple[int, list[Places]]]:
    """Yield each number of references, and the selected output of each sentence in each draw."""
    is_cased = metric == CASED
    sizes = [len(s.annotations if is_cased else s.references) for s in sentences]
    are_sources = [
        [text == s.source if is_cased else text.lower() == s.source.lower() for text in s.outputs]
        for s in sentences
    ]
    yield 0, [np.zeros(DRAWS, np.intp)] * len(sentences)
    for n in range(1, max(sizes) + 1):
        references = [
            drawn_references(
                size, n, DRAWS, (seed, n, content_key(s.source)), with_replacement=as_published
            )
            for s, size in zip(sentences, sizes, strict=True)
        ]
        yield n, list(map(oracle_choice, score(references), are_sources))


def max_sari_scorer(sentences: Sequence[Listed]) -> Scorer:
    groups = [source_group(s.source, s.references, s.outputs) for s in sentences]
    return _best_of(
        [MaxSariScore().formula(statistics) for statistics in SariSingle().compute_batch(groups)]
    )


def m2_scorer(sentences: Sequence[Listed]) -> Scorer:
    score = M2Score()
    groups = [GoldGroup(s.source, s.annotations, s.outputs) for s in sentences]
    return _best_of([score.formula(statistics) for statistics in score.family.compute_gold(groups)])


def _best_of(scores: Sequence[Array]) -> Scorer:
    return lambda references: [
        sentence_scores[:, places].max(axis=-1).T
        for sentence_scores, places in zip(scores, references, strict=True)
    ]


def sari_scorer(sentences: Sequence[Listed]) -> Scorer:
    def score(references: Sequence[Places]) -> list[Array]:
        # Most of the draws are equal.
        distinct_choices = [np.unique(places, axis=0, return_inverse=True) for places in references]
        groups = [
            source_group(s.source, tuple(s.references[place] for place in places), s.outputs)
            for s, (listed, _) in zip(sentences, distinct_choices, strict=True)
            for places in listed.tolist()
        ]
        scores = iter(Sari().compute_batch(groups))
        return [
            np.array([SariScore().formula(next(scores))[:, 0] for _ in listed])[draw_positions]
            for listed, draw_positions in distinct_choices
        ]

    return score


def source_group(
    source: str, references: tuple[str, ...], hypotheses: tuple[str, ...]
) -> RequestGroup:
    positions = np.arange(len(hypotheses))
    return RequestGroup(references, (source,), hypotheses, np.zeros_like(positions), positions)
