"""The random generators of the published MAEGE run, draw by draw."""

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled

Words = NDArray[np.uint32]
Place = NDArray[np.int64]
# A double uses 27 and 26 bits of two words.
_HIGH, _LOW, _TWO_26, _TWO_53 = 5, 6, 67108864.0, 9007199254740992.0


class Binomial(NamedTuple):
    """A binomial distribution of the rarer outcome, sampled by inversion.

    n: number of trials. p: probability of the rarer outcome. none: probability that it never
    occurs. bound: largest number that is sampled. is_flipped: whether failure is the rarer outcome.
    """

    n: int
    p: float
    none: float
    bound: int
    is_flipped: bool


def binomial(n: int, p: float) -> Binomial:
    """Return the binomial of n trials with probability p, as `RandomState.binomial` samples it.

    Raises:
        ValueError: n times the rarer probability is above 30, where NumPy uses another algorithm.
    """
    rarer = 1.0 - p if p > 0.5 else p
    if rarer * n > 30.0:
        raise ValueError(f"expected at most 30 of the rarer outcome, found {n} times {rarer:g}")
    q = 1.0 - rarer
    mean = n * rarer
    bound = int(min(float(n), mean + 10.0 * math.sqrt(mean * q + 1)))
    return Binomial(n, rarer, math.exp(n * math.log(q)), bound, p > 0.5)


def words_of(seed: int, n_words: int) -> Words:
    return np.random.RandomState(seed).randint(0, 2**32, n_words, dtype=np.uint32)


@compiled()
def next_word(words: Words, place: Place) -> int:
    """Return the word at the position and advance; 0 after the last word."""
    at = place[0]
    place[0] = at + 1
    if at >= len(words):
        return 0
    word: int = np.int64(words[at])  # type: ignore[assignment]
    return word


@compiled()
def draw_below(words: Words, place: Place, n: int) -> int:
    """Return the result of `randint(n)`, which is also each swap of `permutation`."""
    highest = n - 1
    if highest == 0:
        return 0
    mask = 1
    while mask < highest:
        mask = 2 * mask + 1
    value = next_word(words, place) & mask
    while value > highest:
        value = next_word(words, place) & mask
    return value


@compiled()
def draw_double(words: Words, place: Place) -> float:
    """Return the result of `random_sample()`."""
    high = next_word(words, place) >> _HIGH
    low = next_word(words, place) >> _LOW
    return (high * _TWO_26 + low) / _TWO_53


@compiled()
def draw_permutation(words: Words, place: Place, n: int, shuffled: Place) -> None:
    """Write the result of `permutation(n)` to the first n elements."""
    for index in range(n):
        shuffled[index] = index
    for last in range(n - 1, 0, -1):
        place_drawn = draw_below(words, place, last + 1)
        swapped = shuffled[last]
        shuffled[last] = shuffled[place_drawn]
        shuffled[place_drawn] = swapped


@compiled()
def draw_binomial(
    words: Words, place: Place, n: int, p: float, none: float, bound: int, is_flipped: bool
) -> int:
    """Return the result of `binomial`."""
    count = 0
    probability = none
    left = draw_double(words, place)
    while left > probability:
        count += 1
        if count > bound:
            count = 0
            probability = none
            left = draw_double(words, place)
        else:
            left -= probability
            probability = ((n - count + 1) * p * probability) / (count * (1.0 - p))
    return n - count if is_flipped else count


# --- Chains and corpora of the published run ---
#
# Choshen and Abend (2018) sampled chains with Python's `random` and everything else with NumPy's
# global generator, both seeded with 1. The same draws in the same order give the 1809 chains and
# sources behind the printed sentence-level numbers. The corpora of the corpus-level experiment
# cannot be recovered, because their order of annotators depended on the process.
# `published_corpora` follows the same recipe with annotators in their natural order.

Integers = NDArray[np.int64]
# The iteration order of a dict with these five keys in the Python version (before 3.6) of the run.
ANNOTATOR_ORDER = ("3", "4", "1", "0", "2")
# Number of 32-bit outputs that an earlier step of the run used before the sources were sampled.
_DISCARDED_OUTPUTS = 26967
N_MODELS = 11
# The paper's variance of the number of applied edits (section 5).
_VARIANCE = 0.9
MAX_MASK_EDITS = 62


@dataclass(frozen=True)
class AnnotatedSentence:
    """A source sentence: the number of edits by each annotator, in the order of the file.

    `has_noop`: an annotator marked the sentence as correct. `has_others`: another annotator, whose
    edits no lattice can use, corrected it.
    """

    sentence_id: int
    n_edits: Mapping[str, int]
    has_noop: bool = False
    has_others: bool = False

    def annotators(self) -> list[str]:
        """Return the annotators with at least one edit, in file order; none with a noop."""
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
    """One draw of the corpora of the corpus models M = 0 ... 10.

    sentence_ids: shape (sentences,).
    annotators: the labels that `annotator` points into.
    annotator: int16, shape (models, sentences).
    mask: int64, same shape; bit i is set where edit i of that annotator is applied.
    source_model: int8, shape (sentences,); the corpus whose sentence is the random source.
    """

    sentence_ids: NDArray[np.int64]
    annotators: tuple[str, ...]
    annotator: NDArray[np.int16]
    mask: NDArray[np.int64]
    source_model: NDArray[np.int8]


def published_chains(sentences: Iterable[AnnotatedSentence]) -> list[PublishedChain]:
    """Return the chains of the published sentence-level run, in its order.

    Sentences with a noop, without annotations or corrected by a single annotator give no chain; the
    last kind still uses random numbers.

    Args:
        sentences: all sentences of the file, in its order.
    """
    permutations = random.Random(1)  # noqa: S311 (repeats a run, protects nothing)
    drawn_permutations: list[tuple[int, str, tuple[int, ...]]] = []
    for sentence in sentences:
        annotators = sorted(sentence.annotators(), key=_place)
        for annotator in annotators:
            n = sentence.n_edits[annotator]
            permutation = tuple(permutations.sample(range(n), n))
            if len(annotators) > 1 or sentence.has_others:
                drawn_permutations.append((sentence.sentence_id, annotator, permutation))

    sources = np.random.RandomState(1)
    sources.randint(0, 2**32, _DISCARDED_OUTPUTS, dtype=np.uint32)
    return [
        PublishedChain(sentence_id, annotator, permutation, sources.randint(len(permutation) + 1))
        for sentence_id, annotator, permutation in drawn_permutations
    ]


def binomial_parameters(model: int) -> tuple[int, float]:
    """Return n and p of the binomial for the number of edits of corpus model M.

    Mean M and variance 0.9 need p = (M - 0.9) / M and n = M / p. The published run passed this n to
    NumPy, which truncated it to an integer, so M = 3 applies 2.8 edits instead of 3.
    """
    if model == 0:
        return 1, 0.0
    p = (model - _VARIANCE) / model
    return int(model / p), p


def published_corpora(
    sentences: Iterable[AnnotatedSentence], draws: int, seed: int = 1
) -> Iterator[PublishedCorpora]:
    """Yield draws of the eleven corpora: draw d uses the legacy generator seeded with seed + d.

    For each model, then each sentence: an annotator, a permutation of that annotator's edits and a
    binomial number k; the first min(k, available) edits are applied. After the last corpus each
    sentence draws the corpus that provides its random source.

    Args:
        sentences: all sentences of the file, in its order; those with a noop or without an edit are
            excluded.

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
    starts = np.cumsum([0, *map(len, choices)])
    flat = np.array([pair for pairs in choices for pair in pairs], dtype=np.int64).reshape(-1, 2)
    sentence_ids = np.array([sentence.sentence_id for sentence in included], dtype=np.int64)
    binomials = [binomial(*binomial_parameters(model)) for model in range(N_MODELS)]
    for draw in range(draws):
        draw_arrays = _draw(seed + draw, starts, flat, binomials)
        yield PublishedCorpora(sentence_ids, tuple(labels), *draw_arrays)


def _choices(sentence: AnnotatedSentence, code: Mapping[str, int]) -> list[tuple[int, int]]:
    """Return (annotator code, number of edits) in the order in which annotators are sampled."""
    pairs = sorted((code[label], sentence.n_edits[label]) for label in sentence.annotators())
    largest = max(n for _, n in pairs)
    if largest > MAX_MASK_EDITS:
        raise ValueError(
            f"sentence {sentence.sentence_id}: found {largest} edits of one annotator, expected "
            f"at most {MAX_MASK_EDITS}; leave the sentence out of the lattices"
        )
    return pairs


def _draw(
    seed: int, starts: Integers, choices: Integers, binomials: list[Binomial]
) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.int8]]:
    n_sentences = len(starts) - 1
    shape = (len(binomials), n_sentences)
    annotator, mask = np.empty(shape, dtype=np.int16), np.empty(shape, dtype=np.int64)
    source_model = np.empty(n_sentences, dtype=np.int8)
    # A number below n needs at most two words on average; more are read if they do not suffice.
    n_words = 1000 + len(binomials) * (6 * n_sentences + 2 * int(choices[:, 1].sum()))
    while True:
        words, place = words_of(seed, n_words), np.zeros(1, dtype=np.int64)
        for model, binomial in enumerate(binomials):
            fill_corpus(words, place, starts, choices, *binomial, annotator[model], mask[model])
        _fill_below(words, place, len(binomials), source_model)
        if place[0] <= n_words:
            return annotator, mask, source_model
        n_words *= 2


@compiled()
def fill_corpus(
    words: Words,
    place: Place,
    starts: Integers,
    choices: Integers,
    n: int,
    p: float,
    none: float,
    bound: int,
    is_flipped: bool,
    annotator: NDArray[np.int16],
    mask: NDArray[np.int64],
) -> None:
    """Sample annotator and edits of each sentence from its (annotator, number of edits) choices."""
    shuffled = np.empty(MAX_MASK_EDITS, dtype=np.int64)
    for sentence in range(len(starts) - 1):
        first = starts[sentence]
        choice = first + draw_below(words, place, starts[sentence + 1] - first)
        available = choices[choice, 1]
        draw_permutation(words, place, available, shuffled)
        k = draw_binomial(words, place, n, p, none, bound, is_flipped)
        applied = 0
        for index in range(min(k, available)):
            applied |= 1 << shuffled[index]
        annotator[sentence] = choices[choice, 0]
        mask[sentence] = applied


@compiled()
def _fill_below(words: Words, place: Place, n: int, numbers: NDArray[np.int8]) -> None:
    """Write the result of `randint(n, size=...)`."""
    for index in range(len(numbers)):
        numbers[index] = draw_below(words, place, n)


def _place(annotator: str) -> int:
    is_known = annotator in ANNOTATOR_ORDER
    return ANNOTATOR_ORDER.index(annotator) if is_known else len(ANNOTATOR_ORDER)
