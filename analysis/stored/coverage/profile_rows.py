"""Rows of how much correctors change: over the sentences of a corpus, and by error type."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from maege.analysis.extraction.word_changes import Changes, changes
from maege.analysis.statistics.resampling import (
    Interval,
    RatioSums,
    estimated_mean,
    estimated_ratio,
    estimated_share,
)

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
    for _, of_corpus in groupby(texts, key=itemgetter(0)):
        found: dict[Row, list[Changes]] = {}
        for *key, source, text in of_corpus:
            found.setdefault(tuple(key), []).append(compared(source, text))
        for corrector in sorted(found):
            yield from _corrector_rows(corrector, found[corrector], level, replication)


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
        yield *key, scaled.x, scaled.y, *estimated_ratio(scaled, level).of_enough(sentences)


def _corrector_rows(
    key: Row, found: Sequence[Changes], level: float, replication: bool
) -> Iterator[Row]:
    # The published run counted differently (`unlike_words`).
    counted = [("", [one.words for one in found])]
    if replication:
        counted.append(("_published", [one.unlike_words for one in found]))
    for suffix, words in counted:
        capped = [min(n, MOST_WORDS) for n in words]
        yield from _rows(key, f"words_changed{suffix}", words, capped, level)
        changed = sum(n > 0 for n in words)
        found_changed = estimated_share(changed, len(words), level).of_enough(len(words))
        yield _row(key, f"sentences_changed{suffix}", None, len(words), found_changed)
    orders = [one.order for one in found if one.order is not None]
    bins = [next(bound for bound in ORDERS if order >= bound) for order in orders]
    yield from _rows(key, "word_order", orders, bins, level)
    sentences = [one.sentences for one in found]
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
    yield _row(key, measure, None, n_all, estimated_mean(values, level).of_enough(n_all))
    for bound in sorted(set(bins)):
        n = bins.count(bound)
        yield _row(key, measure, float(bound), n, estimated_share(n, n_all, level).of_enough(n_all))


def _row(key: Row, measure: str, bound: float | None, n: int, found: Interval) -> Row:
    corpus, kind, corrector = key
    return corpus, kind, corrector, measure, bound, n, *found
