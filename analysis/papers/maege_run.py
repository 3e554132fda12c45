"""The published MAEGE run: its chains and corpora, rankings and LanguageTool scores."""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from scipy.stats import t as student

from maege.analysis.metrics.families import FloatArray, GoldGroup, Request, family_statistics
from maege.analysis.metrics.formula import f_of_sums
from maege.analysis.metrics.m2 import BETA, M2
from maege.analysis.metrics.registry import METRICS, TEXT_FAMILIES
from maege.analysis.papers.numbers import BandedNumber
from maege.analysis.rankings.judged import Judged
from maege.analysis.statistics.correlations import pearson_of_rows
from maege.analysis.statistics.judgments import JudgmentCounts, judgment_counts
from maege.analysis.statistics.pair_agreement import (
    LONGEST_STABLE_SORT,
    TauTests,
    kendall_tau_maege,
    pair_counts,
    published_discordant,
)
from maege.analysis.statistics.trueskill import trueskill_runs
from maege.analysis.texts import content_key

# --- Chains and corpora of the published run ---
#
# Choshen and Abend (2018) sampled chains with Python's `random` and everything else with NumPy's
# global generator, both seeded with 1. The same draws in the same order give the 1809 chains and
# sources behind the printed sentence-level numbers. The corpora of the corpus-level experiment
# cannot be recovered, because their order of annotators depended on the process.
# `published_corpora` follows the same recipe with annotators in their natural order.

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

    `annotator` (positions in `annotators`) and `mask` (bit i is set if edit i is applied) have
    shape (models, sentences). `source_model` is the corpus whose sentence is the random source.
    """

    sentence_ids: NDArray[np.int64]
    annotators: tuple[str, ...]
    annotator: NDArray[np.int16]
    mask: NDArray[np.int64]
    source_model: NDArray[np.int8]


def published_chains(sentences: Iterable[AnnotatedSentence]) -> list[PublishedChain]:
    """Return the chains of the published sentence-level run, from all sentences of the file.

    Sentences with a noop, without annotations or corrected by a single annotator give no chain; the
    last kind still uses random numbers.
    """
    permutations = random.Random(1)  # noqa: S311 (repeats a run, protects nothing)
    order = {name: place for place, name in enumerate(ANNOTATOR_ORDER)}
    drawn_permutations: list[tuple[int, str, tuple[int, ...]]] = []
    for sentence in sentences:
        annotators = sorted(
            sentence.annotators(), key=lambda name: order.get(name, len(ANNOTATOR_ORDER))
        )
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
    sentence draws the corpus that provides its random source. Sentences with a noop or without an
    edit are excluded.

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
    sentence_ids = np.array([sentence.sentence_id for sentence in included], dtype=np.int64)
    for draw in range(draws):
        yield PublishedCorpora(sentence_ids, tuple(labels), *_draw(seed + draw, choices))


def _choices(sentence: AnnotatedSentence, code: Mapping[str, int]) -> list[tuple[int, int]]:
    pairs = sorted((code[label], sentence.n_edits[label]) for label in sentence.annotators())
    largest = max(n for _, n in pairs)
    if largest > MAX_MASK_EDITS:
        raise ValueError(
            f"sentence {sentence.sentence_id}: found {largest} edits of one annotator, expected "
            f"at most {MAX_MASK_EDITS}; leave the sentence out of the lattices"
        )
    return pairs


def _draw(
    seed: int, choices: Sequence[Sequence[tuple[int, int]]]
) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.int8]]:
    state = np.random.RandomState(seed)
    shape = N_MODELS, len(choices)
    annotator, mask = np.empty(shape, np.int16), np.empty(shape, np.int64)
    for model in range(N_MODELS):
        parameters = binomial_parameters(model)
        for place, pairs in enumerate(choices):
            annotator[model, place], n_edits = pairs[state.randint(len(pairs))]
            permutation = state.permutation(n_edits).tolist()
            applied = permutation[: state.binomial(*parameters)]
            mask[model, place] = sum(1 << edit for edit in applied)
    return annotator, mask, state.randint(N_MODELS, size=len(choices)).astype(np.int8)


# --- The ranking of systems from texts ---

# The metrics of the paper that read only texts.
TEXT_METRICS = ("gleu", "ibleu", "bleu", "sari", "max_sari", "min_ld", "ld")
SOURCE = "INPUT"
# The name of a judgment set in the table's columns, and the set behind the numbers.
SETS = {"combined": "combined", "gjg15": "nspt15", "nspt15": "gjg15"}
_THREADS = 2


class Draws(NamedTuple):
    """A number (rho or its p) over all runs: the mean, and the range of 95 % of them."""

    mean: float
    low: float
    high: float


def normalised(text: str) -> str:
    """Return the text as the release compares it: only letters and digits, as one sentence."""
    words = re.sub(r"\W+", " ", text).strip()
    # Single letters are joined: "U . S ." equals "US".
    joined = re.sub(r"(?<=\b\w) (?=\w\b)", "", words).lower().strip()
    return joined[:1].upper() + joined[1:] + "."


def metric_sentence_scores(
    outputs: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]]
) -> dict[str, FloatArray]:
    """Return every text metric's scores of normalised outputs, shape (systems, sentences)."""
    texts = {name: [*map(normalised, sentences)] for name, sentences in outputs.items()}
    listed = [
        tuple(map(normalised, sentence_references))
        for sentence_references in zip(*references, strict=True)
    ]
    families = {name for metric in TEXT_METRICS for name in METRICS[metric].families}
    requests = [
        Request(*request)
        for system_texts in texts.values()
        for request in zip(listed, texts[SOURCE], system_texts, strict=True)
    ]
    statistics = {name: family_statistics(TEXT_FAMILIES[name], requests) for name in families}
    return {
        metric: METRICS[metric].score.sentence_scores(statistics).reshape(len(texts), -1)
        for metric in TEXT_METRICS
    }


def m2_sentence_scores(
    outputs: Mapping[str, Sequence[str]], gold: Sequence[Sequence[str | None]]
) -> FloatArray:
    """Return the best annotator's F0.5 of every output, shape (systems, sentences)."""
    groups = [
        GoldGroup(source, tuple(annotations), tuple(outputs[name][place] for name in outputs))
        for place, (source, annotations) in enumerate(zip(outputs[SOURCE], gold, strict=True))
    ]
    counts = M2().compute_gold(groups)
    return np.stack(
        [
            np.nanmax(np.where(np.isnan(c[..., 0]), np.nan, f_of_sums(c[..., :3], BETA)), axis=1)
            for c in counts
        ],
        axis=1,
    )


def ranking_counts(scores: FloatArray) -> JudgmentCounts:
    """Return the outcomes of a metric that ranks the outputs by scores (systems, sentences)."""
    first, second = np.triu_indices(len(scores), 1)
    preference = np.sign(scores[first] - scores[second]).astype(np.int64)
    repeated = [np.repeat(side, scores.shape[1]) for side in (first, second)]
    return judgment_counts(repeated[0], repeated[1], preference.ravel(), len(scores))


def correlation_draws(
    human_orders: FloatArray, metric: JudgmentCounts, runs: int, seed: int
) -> Draws:
    rho = pearson_of_rows(human_orders, orders(metric, runs, seed + 1))
    low, high = np.quantile(rho, [0.025, 0.975])
    return Draws(float(rho.mean()), float(low), float(high))


def orders(counts: JudgmentCounts, runs: int, seed: int) -> FloatArray:
    """Return the systems' ranks, run by run: shape (runs, systems)."""
    ranks: FloatArray = rankdata(-trueskill_runs(counts, runs, seed, _THREADS), axis=1)
    return ranks


def ranking_draws(
    judgment_sets: Mapping[str, Judged],
    scores: Mapping[str, FloatArray],
    systems: Sequence[str],
    shown: Sequence[int],
    runs: int,
    seed: int,
) -> dict[tuple[str, str], Draws]:
    """Return the draws of rho by metric and judgment set; scores are (systems, sentences)."""
    draws = {}
    for name, judgments in judgment_sets.items():
        ranked = sorted(set(systems) & set(judgments.systems))
        pairs = judgments.among(ranked).different_outputs()
        judged = judgment_counts(pairs.first, pairs.second, pairs.preference, len(ranked))
        human = orders(judged, runs, seed)
        places = [list(systems).index(system) for system in ranked]
        for metric, metric_scores in scores.items():
            system_scores = metric_scores[places]
            counts = ranking_counts(
                system_scores[:, shown] if name == "combined" else system_scores
            )
            draws[metric, name] = correlation_draws(human, counts, runs, seed)
    return draws


def ranking_rows(draws: Mapping[tuple[str, str], Draws], n_systems: int) -> list[BandedNumber]:
    rows = []
    for metric in dict.fromkeys(metric for metric, _ in draws):
        rows += [
            _row(
                "table_1", metric, f"{label}_rho", draws[metric, behind], draws[metric, label].mean
            )
            for label, behind in SETS.items()
        ]
        combined = draws[metric, "combined"]
        low, high = sorted(_p(value, n_systems) for value in (combined.low, combined.high))
        if combined.low < 0 < combined.high:
            low, high = 0.0, 1.0
        p = Draws(_p(combined.mean, n_systems), low, high)
        rows += [
            _row("figure_4", metric, "human_rho", combined, combined.mean),
            _row("table_1", metric, "combined_p", p, p.mean),
        ]
    return rows


def _row(exhibit: str, metric: str, column: str, draws: Draws, corrected: float) -> BandedNumber:
    return BandedNumber(exhibit, metric, column, draws.mean, corrected, draws.low, draws.high)


def _p(rho: float, n: int) -> float:
    if abs(rho) == 1:
        return 0.0
    return float(2 * student.sf(abs(rho) * ((n - 2) / (1 - rho**2)) ** 0.5, n - 2))


# --- LanguageTool in the published MAEGE run, in which similar sentences share one result ---
#
# Choshen and Abend 2018, section 5, as in their release: the program's output went to a file named
# after the sentence without case and punctuation. Sentences with the same file name all got the
# number of errors of the sentence that was written first. The order of writing was the iteration
# order of a Python set, which is random. This module repeats the random order many times.
#
# score = 1 - errors / spaces of the file's name, and 1 if the name has no space

IntArray = NDArray[np.int64]


def tossed_scores(
    texts: Sequence[str], errors: Sequence[int], tosses: int, seed: int
) -> FloatArray:
    """Return the texts' scores in every repetition: shape (tosses, texts), at most 1."""
    names = [normalised(text) for text in texts]
    sharing = defaultdict(list)
    for place, name in enumerate(names):
        sharing[name].append(place)
    own_errors = np.asarray(errors, dtype=np.int64)
    tossed_errors = np.tile(own_errors, (tosses, 1))
    for places in sharing.values():
        distinct = {texts[place]: place for place in places}
        if len(distinct) > 1:
            selected = _drawn(list(distinct), tosses, seed)
            first = np.array(list(distinct.values()))[selected]
            tossed_errors[:, places] = own_errors[first][:, np.newaxis]
    spaces = np.array([name.count(" ") for name in names])
    return np.where(spaces == 0, 1.0, 1 - tossed_errors / np.maximum(spaces, 1))


def published_taus(scores: FloatArray, origins: IntArray) -> TauTests:
    """Return tau over all pairs within chains and its p, for every row of scores.

    A tie counts as agreement, except in chains that are too long for the run's sort to be stable.

    Args:
        scores: shape (tosses, positions), chain by chain, each from its original on.
        origins: for each position the position of its chain's original.
    """
    starts, lengths = np.unique(origins, return_counts=True)
    pairs = [
        start + np.stack(np.triu_indices(length, 1))
        for start, length in zip(starts, lengths, strict=True)
    ]
    lower, upper = np.concatenate(pairs, axis=1)
    discordant = (scores[:, upper] < scores[:, lower]).sum(axis=1)
    for start, length in zip(starts, lengths, strict=True):
        if length > LONGEST_STABLE_SORT:
            chain_scores = scores[:, start : start + length]
            discordant += [
                published_discordant(row) - pair_counts(row).discordant for row in chain_scores
            ]
    return kendall_tau_maege(lower.size - discordant, discordant, 0)


def mean_deltas(
    scores: FloatArray, origins: IntArray, error_types: Sequence[str | None]
) -> dict[str, FloatArray]:
    """Return by type of the last applied edit the mean difference from the chain's original."""
    deltas = scores - scores[:, origins]
    credited = np.array([name or "" for name in error_types])
    return {
        name: deltas[:, credited == name].mean(axis=1)
        for name in sorted({name for name in error_types if name})
    }


def corpus_means(scores: FloatArray, models: ArrayLike) -> FloatArray:
    """Return the mean score of each sampled corpus, shape (tosses, corpora), by ascending model."""
    sentence_models = np.asarray(models)
    return np.stack(
        [scores[:, sentence_models == model].mean(axis=1) for model in np.unique(sentence_models)],
        axis=1,
    )


def _drawn(texts: Sequence[str], tosses: int, seed: int) -> IntArray:
    chances = [
        [content_key(f"{seed}\x1ffile written first\x1f{toss}\x1f{text}") for text in texts]
        for toss in range(tosses)
    ]
    selected: IntArray = np.array(chances, dtype=np.int64).argmin(axis=1)
    return selected
