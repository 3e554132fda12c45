"""M2 as the published run of MAEGE computed it: against the pooled edits of the whole corpus.

Known, from the M2 scorer's reader (load_annotation and paragraphs): an M2 file without empty lines
is one block of many S lines, and then

- each annotator's edits of all sentences are one list, with the spans that they have in their own
  sentences;
- the text that an edit replaces is read from the sentences joined in file order, so that all
  edits of tokens 0 to 2 claim to replace the file's first two tokens;
- a sentence is compared with every edit that starts and ends no later than the number of tokens of
  all sentences up to it.

A proposed edit therefore agrees with an insertion of any sentence at the same position, with a
substitution or deletion only if its tokens are those at the same place of the file's beginning.

Known, from the code of MAEGE's run (Choshen and Abend 2018): it wrote such a file, the references
were the annotators, edits of white space and case alone were excluded, and a node's score was the
largest F.5 among the annotators.

Inferred: the file had one S line for each of the 1809 chains, in their order, with the source drawn
from it, and each node was scored with the gold of its chain's line. Such scores have the published
magnitudes and share of zeros. The edits came from an early version of ERRANT, so no number can be
equal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, islice

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Annotation
from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.formula import f_of_counts
from maege.analysis.metrics.m2 import BETA, MAX_UNCHANGED_WORDS
from maege.analysis.metrics.m2_search import (
    FIRST,
    LAST,
    MOST_ARCS,
    MOST_VERTICES,
    GoldEdit,
    Options,
    Source,
    Words,
    build_lattice,
    correction_tokens,
    single_edit,
)

Span = tuple[int, int]


@dataclass(frozen=True)
class PooledGold:
    """The edits of all sentences as one list for each annotator.

    `beginning`: the first tokens of all sentences joined, up to the end of the last span. `places`:
    for each span and correction the annotators and positions of its edits. `has_edits`: whether a
    span has any, shape (first token, the one after the last). `totals`: number of edits that each
    sentence is compared with, shape (sentences, annotators).
    """

    sources: tuple[Words, ...]
    beginning: Words
    places: Mapping[Span, Mapping[Words, Sequence[tuple[int, int]]]]
    has_edits: NDArray[np.bool_]
    totals: NDArray[np.int64]


def pooled_gold(sources: Sequence[str], annotations: Sequence[Sequence[Annotation]]) -> PooledGold:
    """Return the gold that the scorer reads from an M2 file without empty lines.

    `annotations` has one annotation per annotator for each sentence, empty without changes.
    """
    tokens = tuple(tuple(source.split()) for source in sources)
    by_annotator = [list(chain.from_iterable(lists)) for lists in zip(*annotations, strict=True)]
    read = np.array(list(accumulate(map(len, tokens))), dtype=np.int64)
    totals = np.zeros((len(sources), len(by_annotator)), dtype=np.int64)
    places: dict[Span, dict[Words, list[tuple[int, int]]]] = {}
    for annotator, edits in enumerate(by_annotator):
        ends = np.sort(np.array([edit.end for edit in edits], dtype=np.int64))
        totals[:, annotator] = np.searchsorted(ends, read, side="right")
        for place, edit in enumerate(edits):
            span_corrections = places.setdefault((edit.start, edit.end), {})
            for correction in map(correction_tokens, edit.corrections):
                if correction is not None:
                    span_corrections.setdefault(correction, []).append((annotator, place))
    n_tokens = max((end for _, end in places), default=0)
    longest = max(map(len, tokens), default=0)
    has_edits = np.zeros((longest + 1, longest + 1), dtype=np.bool_)
    for start, end in places:
        if end <= longest:
            has_edits[start, end] = True
    return PooledGold(
        tokens, tuple(islice(chain.from_iterable(tokens), n_tokens)), places, has_edits, totals
    )


def pooled_scores(
    gold: PooledGold,
    sentences: Sequence[int],
    hypotheses: Sequence[str],
    ignore_whitespace_casing: bool = True,
) -> FloatArray:
    """Return the highest F score over the annotators for each pair of sentence and hypothesis.

    `sentences` are positions in the sources of `gold`. Texts too long for a lattice use M2's
    approximation.
    """
    options = Options(MAX_UNCHANGED_WORDS, ignore_whitespace_casing)

    # Several chains of a sentence share some of their texts.
    @cache
    def counts(sentence: int, hypothesis: str) -> FloatArray:
        source, words = gold.sources[sentence], tuple(hypothesis.split())
        edits = _within_reach(gold, source, words)
        compared = Source(source, options)
        rows = compared.counts(words, [compared.gold(annotation) for annotation in edits])
        return np.array([row[:2] for row in rows], float)

    rows = [
        np.column_stack([counts(sentence, hypothesis), gold.totals[sentence]])
        for sentence, hypothesis in zip(sentences, hypotheses, strict=True)
    ]
    tp, proposed, n_gold = np.moveaxis(np.array(rows), -1, 0)
    best: FloatArray = f_of_counts(tp, proposed, n_gold, BETA).max(axis=1)
    return best


def _within_reach(gold: PooledGold, source: Words, words: Words) -> list[list[GoldEdit]]:
    reachable: list[dict[int, GoldEdit]] = [{} for _ in range(gold.totals.shape[1])]
    for first, last, correction in _proposals(gold, source, words):
        for annotator, place in gold.places[first, last].get(correction, ()):
            edit = reachable[annotator].setdefault(place, GoldEdit(first, last, ()))
            if correction not in edit.corrections:
                several = edit._replace(corrections=(*edit.corrections, correction))
                reachable[annotator][place] = several
    return [[edits[place] for place in sorted(edits)] for edits in reachable]


def _proposals(gold: PooledGold, source: Words, words: Words) -> Iterator[tuple[int, int, Words]]:
    """Yield span and words of possible edits of the hypothesis, at spans with gold edits.

    The text of the file beyond the last token that an edit replaces is unknown and not needed.
    """
    differs = [word != gold_word for word, gold_word in zip(source, gold.beginning, strict=False)]
    differences = np.array(list(accumulate(differs, initial=0)))
    spans = _arcs(source, words)
    start, end = spans[:2]
    spans = spans[:, end < differences.size]
    start, end = spans[:2]
    spans = spans[:, gold.has_edits[start, end] & (differences[start] == differences[end])]
    for first, last, other_first, other_last in spans.T.tolist():
        yield first, last, words[other_first:other_last]


def _arcs(source: Words, hypothesis: Words) -> NDArray[np.int32]:
    """Return shape (4, edits): start and end of each edit in the source, then in the hypothesis."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys(source + hypothesis))}
    tokens, hypothesis_tokens = (
        np.array([numbers[word] for word in words], np.int32) for words in (source, hypothesis)
    )
    lattice = build_lattice(
        tokens, hypothesis_tokens, MAX_UNCHANGED_WORDS, False, MOST_VERTICES, MOST_ARCS
    )
    if lattice is None:
        return np.array([single_edit(source, hypothesis)[:4]], np.int32).T
    first, last = lattice.arcs[:, FIRST], lattice.arcs[:, LAST]
    return np.stack(
        [lattice.rows[first], lattice.rows[last], lattice.columns[first], lattice.columns[last]]
    )
