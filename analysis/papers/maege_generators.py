"""The random generators of the published MAEGE run, draw by draw.

Choshen and Abend (2018) drew chains with Python's `random` and everything else with NumPy's
global generator, both seeded with 1. Repeating those draws in their order gives back the 1809
chains and sources behind the printed sentence-level numbers. The corpora of the corpus-level
experiment cannot be recovered (their order of annotators was an accident of the process), so
`published_corpora` follows the same recipe with annotators in their natural order.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The iteration order of a dict of these five keys in the Python before 3.6 that ran it.
ANNOTATOR_ORDER = ("3", "4", "1", "0", "2")
# 32-bit outputs that an earlier step of the run had consumed before the sources were drawn.
_DISCARDED_OUTPUTS = 26967
N_MODELS = 11
# The paper's variance of the number of applied edits (section 5).
_VARIANCE = 0.9
MAX_MASK_EDITS = 62


@dataclass(frozen=True)
class AnnotatedSentence:
    """One source sentence: how many edits each annotator made, in the file's order.

    `has_noop` tells whether any annotator marked the sentence as correct.
    """

    sentence_id: int
    n_edits: Mapping[str, int]
    has_noop: bool = False

    def annotators(self) -> list[str]:
        """Return the annotators with at least one edit, in the file's order; none beside a noop."""
        if self.has_noop:
            return []
        return [annotator for annotator, n in self.n_edits.items() if n > 0]


@dataclass(frozen=True)
class PublishedChain:
    """One chain: element q applies the first q edits of `permutation` (indices into the edits)."""

    sentence_id: int
    annotator: str
    permutation: tuple[int, ...]
    source_position: int


@dataclass(frozen=True)
class PublishedCorpora:
    """Draws of the corpora of the corpus models M = 0 ... 10.

    sentence_ids: shape (sentences,).
    annotators: the labels that `annotator` points into.
    annotator: int16, shape (draws, models, sentences).
    mask: int64, same shape; bit i is set where edit i of that annotator is applied.
    n_edits: int16, same shape; the number of applied edits.
    applied: int16, flat; the edits in the order of application, `n_edits` of them for each cell
        of the arrays above in row-major order.
    source_model: int8, shape (draws, sentences); the corpus whose sentence is the random source.
    """

    sentence_ids: NDArray[np.int64]
    annotators: tuple[str, ...]
    annotator: NDArray[np.int16]
    mask: NDArray[np.int64]
    n_edits: NDArray[np.int16]
    applied: NDArray[np.int16]
    source_model: NDArray[np.int8]


def published_chains(sentences: Iterable[AnnotatedSentence]) -> list[PublishedChain]:
    """Return the chains of the published sentence-level run, in its order.

    Sentences with a noop, without annotations or with a single annotator give no chain; the last
    kind still consumes draws.

    Args:
        sentences: all sentences of the file, in its order.

    """
    permutations = random.Random(1)  # noqa: S311 (repeats a run, protects nothing)
    kept: list[tuple[int, str, tuple[int, ...]]] = []
    for sentence in sentences:
        annotators = sorted(sentence.annotators(), key=_place)
        for annotator in annotators:
            n = sentence.n_edits[annotator]
            permutation = tuple(permutations.sample(range(n), n))
            if len(annotators) > 1:
                kept.append((sentence.sentence_id, annotator, permutation))

    sources = np.random.RandomState(1)
    sources.randint(0, 2**32, _DISCARDED_OUTPUTS, dtype=np.uint32)
    return [
        PublishedChain(sentence_id, annotator, permutation, sources.randint(len(permutation) + 1))
        for sentence_id, annotator, permutation in kept
    ]


def binomial_parameters(model: int) -> tuple[int, float]:
    """Return n and p of the binomial from which corpus model M draws its number of edits.

    Mean M and variance 0.9 ask for p = (M - 0.9) / M and n = M / p; the published run passed
    that n to NumPy, which cut it to an integer, so M = 3 applies 2.8 edits and not 3.
    """
    if model == 0:
        return 1, 0.0
    p = (model - _VARIANCE) / model
    return int(model / p), p


def published_corpora(
    sentences: Iterable[AnnotatedSentence], draws: int, seed: int = 1
) -> PublishedCorpora:
    """Return draws of the eleven corpora: draw d uses the legacy generator seeded with seed + d.

    For each model, then each sentence: an annotator, a permutation of that annotator's edits and
    a binomial number k; the first min(k, available) edits are applied. After the last corpus each
    sentence draws the corpus that provides its random source.

    Args:
        sentences: all sentences of the file, in its order; those with a noop or without an edit
            are left out.
        draws: how many independent sets of eleven corpora.
        seed: of the first draw.

    Raises:
        ValueError: an annotator has more edits in a sentence than a mask has bits.

    """
    included = [sentence for sentence in sentences if sentence.annotators()]
    labels = sorted(
        {label for sentence in included for label in sentence.annotators()},
        key=lambda label: (len(label), label),
    )
    code = {label: index for index, label in enumerate(labels)}
    choices = [_choices(sentence, code) for sentence in included]

    shape = (draws, N_MODELS, len(included))
    annotator = np.empty(shape, dtype=np.int16)
    mask = np.empty(shape, dtype=np.int64)
    n_edits = np.empty(shape, dtype=np.int16)
    source_model = np.empty((draws, len(included)), dtype=np.int8)
    applied: list[int] = []
    for draw in range(draws):
        state = np.random.RandomState(seed + draw)
        for model in range(N_MODELS):
            picks = [_pick(state, choice, *binomial_parameters(model)) for choice in choices]
            annotator[draw, model] = [label for label, _ in picks]
            n_edits[draw, model] = [len(edits) for _, edits in picks]
            mask[draw, model] = [sum(1 << edit for edit in edits) for _, edits in picks]
            applied.extend(edit for _, edits in picks for edit in edits)
        source_model[draw] = state.randint(N_MODELS, size=len(included))
    return PublishedCorpora(
        sentence_ids=np.array([sentence.sentence_id for sentence in included], dtype=np.int64),
        annotators=tuple(labels),
        annotator=annotator,
        mask=mask,
        n_edits=n_edits,
        applied=np.array(applied, dtype=np.int16),
        source_model=source_model,
    )


def _choices(sentence: AnnotatedSentence, code: Mapping[str, int]) -> list[tuple[int, int]]:
    """Return (annotator code, number of edits) in the order in which annotators are drawn."""
    pairs = sorted((code[label], sentence.n_edits[label]) for label in sentence.annotators())
    largest = max(n for _, n in pairs)
    if largest > MAX_MASK_EDITS:
        raise ValueError(
            f"sentence {sentence.sentence_id}: found {largest} edits of one annotator, expected "
            f"at most {MAX_MASK_EDITS}; leave the sentence out of the lattices"
        )
    return pairs


def _pick(
    state: np.random.RandomState, choices: Sequence[tuple[int, int]], n: int, p: float
) -> tuple[int, list[int]]:
    label, available = choices[state.randint(len(choices))]
    permutation = state.permutation(available)
    k = state.binomial(n, p)
    return label, permutation[:k].tolist()


def _place(annotator: str) -> int:
    known = annotator in ANNOTATOR_ORDER
    return ANNOTATOR_ORDER.index(annotator) if known else len(ANNOTATOR_ORDER)
