"""M2 as the published run of MAEGE computed it: against the pooled edits of the whole corpus.

Known, from the M2 scorer's reader (load_annotation and paragraphs): blocks of an M2 file end at
empty lines. A file without any is ONE block of many S lines, and then

- each annotator's edits of all sentences are one list, with the spans that they have in their own
  sentences;
- the text that an edit replaces is read from the sentences joined in file order, so that all
  edits of tokens 0 to 2 claim to replace the file's first two tokens;
- a sentence is compared with every edit that starts and ends no later than the number of tokens of
  all sentences up to it.

A proposed edit therefore agrees with an insertion of any sentence at the same position, with a
substitution or deletion only where its tokens are those at the same place of the file's beginning;
recall is next to nothing.

Known, from the code of MAEGE's run (Choshen and Abend 2018): it wrote such a file, the references
were the annotators, edits of white space and case alone were left out, and a node's score was the
largest F.5 among the annotators.

Inferred: the file had one S line for each of the 1809 chains, with the source drawn from it, in
the order of the chains, and each node was scored with the gold of its chain's line. Scores of this
kind have the published magnitudes and share of zeros. The edits came from an early version of
ERRANT, so that no number can be equal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Annotation, Edit
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.m2.encoding import Encoder, correction_tokens
from maege.analysis.metrics.m2.family import BETA, MAX_UNCHANGED_WORDS, limits
from maege.analysis.metrics.m2.gold import IntArray
from maege.analysis.metrics.m2.lattice import alignment_edges, build_lattice
from maege.analysis.metrics.m2.search import count_requests
from maege.analysis.metrics.scores.f_score import f_of_counts

Span = tuple[int, int]
Words = tuple[str, ...]


@dataclass(frozen=True)
class PooledGold:
    """The edits of all sentences as one list for each annotator.

    `sources` are the sentences as tokens, `beginning` the first tokens of all of them joined, as
    many as the spans need. `places` has, for each span and correction, the annotators' edits with
    them; `has_edits` the spans with an edit, shape (first token, position after the last); `totals`
    the number of edits that each sentence is compared with, shape (sentences, annotators).
    """

    sources: tuple[Words, ...]
    beginning: Words
    places: Mapping[Span, Mapping[Words, tuple[tuple[int, int], ...]]]
    has_edits: NDArray[np.bool_]
    totals: NDArray[np.int64]


def pooled_gold(sources: Sequence[str], annotations: Sequence[Sequence[Annotation]]) -> PooledGold:
    """Return the gold that a file without empty lines gives for all sentences.

    `annotations` has one annotation per annotator for each sentence, empty if there is nothing to
    change. Raises ValueError if their numbers differ.
    """
    tokens = tuple(tuple(source.split()) for source in sources)
    lengths = {len(of_sentence) for of_sentence in annotations}
    if len(annotations) != len(sources) or len(lengths) > 1:
        message = (
            f"{len(sources)} sources, {len(annotations)} lists of annotations, of the lengths "
            f"{sorted(lengths)}; give one list a source, all of one length"
        )
        raise ValueError(message)
    by_annotator = [list(chain.from_iterable(lists)) for lists in zip(*annotations, strict=True)]
    read = np.array(list(accumulate(map(len, tokens))), dtype=np.int64)
    totals = np.zeros((len(sources), len(by_annotator)), dtype=np.int64)
    places: dict[Span, dict[Words, list[tuple[int, int]]]] = {}
    for annotator, edits in enumerate(by_annotator):
        ends = np.sort(np.array([edit.end for edit in edits], dtype=np.int64))
        totals[:, annotator] = np.searchsorted(ends, read, side="right")
        for place, edit in enumerate(edits):
            of_span = places.setdefault((edit.start, edit.end), {})
            for correction in map(correction_tokens, edit.corrections):
                if correction is not None:
                    of_span.setdefault(tuple(correction), []).append((annotator, place))
    needed = max((end for _, end in places), default=0)
    beginning: list[str] = []
    for sentence in tokens:
        beginning += sentence
        if len(beginning) >= needed:
            break
    longest = max(map(len, tokens), default=0)
    has_edits = np.zeros((longest + 1, longest + 1), dtype=np.bool_)
    for start, end in places:
        if end <= longest:
            has_edits[start, end] = True
    return PooledGold(
        tokens,
        tuple(beginning[:needed]),
        {
            span: {words: tuple(found) for words, found in of_span.items()}
            for span, of_span in places.items()
        },
        has_edits,
        totals,
    )


def pooled_scores(
    gold: PooledGold,
    sentences: Sequence[int],
    hypotheses: Sequence[str],
    beta: float = BETA,
    max_unchanged_words: int = MAX_UNCHANGED_WORDS,
    ignore_whitespace_casing: bool = True,
) -> FloatArray:
    """Return the largest F among the annotators, for each pair of a sentence and a hypothesis.

    `sentences` are positions in the sources of `gold`, `hypotheses` their texts. Texts that are too
    long for a lattice have the approximation of M2. Raises ValueError if the numbers differ.
    """
    n_annotators = gold.totals.shape[1]
    encoder = Encoder()
    requests = []

    # Several chains of a sentence share some texts.
    @cache
    def within_reach(source: Words, hypothesis: str) -> list[Annotation]:
        return _within_reach(gold, source, hypothesis, max_unchanged_words)

    for sentence, hypothesis in zip(sentences, hypotheses, strict=True):
        source = " ".join(gold.sources[sentence])
        annotations = within_reach(gold.sources[sentence], hypothesis)
        first, last = encoder.add_gold(source, annotations, gold.totals[sentence].tolist())
        requests.append(
            (encoder.add_source(source), encoder.add_hypothesis(hypothesis), first, last)
        )
    counts = count_requests(
        encoder.sources(),
        encoder.hypotheses(),
        encoder.gold(),
        np.array(requests, dtype=np.int32).reshape(-1, 4),
        encoder.folded(ignore_whitespace_casing),
        limits(max_unchanged_words),
    )
    tp, proposed, n_gold = (counts[:, column].reshape(-1, n_annotators) for column in range(3))
    best: FloatArray = f_of_counts(tp, proposed, n_gold, beta).max(axis=1)
    return best


def _within_reach(
    gold: PooledGold, source: Words, hypothesis: str, max_unchanged: int
) -> list[Annotation]:
    """Return, for each annotator, the edits that the hypothesis could propose, in order.

    All others count only for the total.
    """
    words = tuple(hypothesis.split())
    reachable: list[dict[int, Edit]] = [{} for _ in range(gold.totals.shape[1])]
    for first, last, correction in _proposals(gold, source, words, max_unchanged):
        places = gold.places[first, last].get(correction)
        if not places:
            continue
        text = " ".join(correction)
        one = Edit(first, last, "", (text,))
        for annotator, place in places:
            edit = reachable[annotator].setdefault(place, one)
            if text not in edit.corrections:
                several = edit._replace(corrections=(*edit.corrections, text))
                reachable[annotator][place] = several
    return [tuple(edits[place] for place in sorted(edits)) for edits in reachable]


def _proposals(
    gold: PooledGold, source: Words, words: Words, max_unchanged: int
) -> Iterator[tuple[int, int, Words]]:
    """Yield span and words of the edits that the hypothesis could propose, if there is a gold edit.

    After the last token that an edit replaces, the file's content is neither known nor needed.
    """
    differs = [word != other for word, other in zip(source, gold.beginning, strict=False)]
    differences = np.array(list(accumulate(differs, initial=0)))
    spans = _arcs(source, words, max_unchanged)
    if spans is None:
        # Too many to list: every gold edit with words of the hypothesis.
        for (first, last), of_span in gold.places.items():
            if last < differences.size and differences[first] == differences[last]:
                found = (correction for correction in of_span if _is_in(correction, words))
                yield from ((first, last, correction) for correction in found)
        return
    start, end = spans[:2]
    spans = spans[:, end < differences.size]
    start, end = spans[:2]
    spans = spans[:, gold.has_edits[start, end] & (differences[start] == differences[end])]
    for first, last, other_first, other_last in spans.T.tolist():
        yield first, last, words[other_first:other_last]


def _is_in(part: Words, words: Words) -> bool:
    n_words = len(part)
    return any(words[n : n + n_words] == part for n in range(len(words) - n_words + 1))


def _arcs(source: Words, hypothesis: Words, max_unchanged: int) -> IntArray | None:
    """Return the spans of every edit in the lattice, None if it would be too large.

    Shape (4, edits): start and end in the source, then in the hypothesis.
    """
    numbers = {word: number for number, word in enumerate(dict.fromkeys(source + hypothesis))}
    tokens, others = (_numbered(words, numbers) for words in (source, hypothesis))
    bounds = limits(max_unchanged)
    if (tokens.size + 1) * (others.size + 1) > bounds.max_cells:
        return None
    edges = alignment_edges(tokens, others)
    lattice = build_lattice(tokens, others, edges, max_unchanged, bounds.max_arcs)
    if not lattice.listed.size and tokens.size + others.size:
        return None
    first = lattice.sources
    last = np.repeat(np.arange(lattice.rows.size), np.diff(lattice.arc_starts))
    return np.stack(
        [lattice.rows[first], lattice.rows[last], lattice.columns[first], lattice.columns[last]]
    )


def _numbered(words: Words, numbers: Mapping[str, int]) -> IntArray:
    return np.array([numbers[word] for word in words], dtype=np.int32)
