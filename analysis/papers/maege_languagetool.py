"""LanguageTool in the published MAEGE run, in which similar sentences share one result.

Choshen and Abend 2018, section 5, as in their release: the program's output went to a file named
after the sentence without case and punctuation. Sentences with the same file name all got the
number of errors of the sentence that was written first. The order of writing was the iteration
order of a Python set, which is random. This module repeats the random order many times.

score = 1 - errors / spaces of the file's name, and 1 if the name has no space
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.keys import content_key
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.papers.maege_rankings import normalised
from maege.analysis.statistics.correlations import Correlations
from maege.analysis.statistics.pair_agreement import (
    LONGEST_STABLE_SORT,
    kendall_tau_maege,
    pair_counts,
    published_discordant,
)

IntArray = NDArray[np.int64]
_PURPOSE = "file written first"


def tossed_scores(
    texts: Sequence[str], errors: Sequence[int], tosses: int, seed: int
) -> FloatArray:
    """Return the texts' scores in every repetition: shape (tosses, texts), at most 1.

    In each repetition, one of the distinct texts that share a file is selected with equal
    probability.

    Args:
        texts: sentences, with repetitions.
        errors: LanguageTool's number of errors in each text alone.
        tosses: number of repetitions.
        seed: determines the selected texts, together with the repetition and the text.

    """
    names = [normalised(text) for text in texts]
    sharing = defaultdict(list)
    for place, name in enumerate(names):
        sharing[name].append(place)
    own = np.asarray(errors, dtype=np.int64)
    written = np.tile(own, (tosses, 1))
    for places in sharing.values():
        distinct = {texts[place]: place for place in places}
        if len(distinct) > 1:
            drawn = _drawn(list(distinct), tosses, seed)
            first = np.array(list(distinct.values()))[drawn]
            written[:, places] = own[first][:, np.newaxis]
    spaces = np.array([name.count(" ") for name in names])
    return np.where(spaces == 0, 1.0, 1 - written / np.maximum(spaces, 1))


def published_taus(scores: FloatArray, origins: IntArray) -> Correlations:
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
            of_chain = scores[:, start : start + length]
            discordant += [
                published_discordant(row) - pair_counts(row).discordant for row in of_chain
            ]
    return kendall_tau_maege(lower.size - discordant, discordant, 0)


def mean_deltas(
    scores: FloatArray, origins: IntArray, error_types: Sequence[str | None]
) -> dict[str, FloatArray]:
    """Return for each error type the mean difference from the chain's original, by repetition.

    Args:
        scores: shape (tosses, positions).
        origins: for each position the position of its chain's original.
        error_types: of the last edit applied at each position, None for originals.

    """
    deltas = scores - scores[:, origins]
    credited = np.array([name or "" for name in error_types])
    return {
        name: deltas[:, credited == name].mean(axis=1)
        for name in sorted({name for name in error_types if name})
    }


def corpus_means(scores: FloatArray, models: ArrayLike) -> FloatArray:
    """Return the mean score of each sampled corpus, shape (tosses, corpora), by ascending model.

    Args:
        scores: shape (tosses, sentences of all corpora).
        models: for each sentence the expected number of edits of its corpus.

    """
    of_sentence = np.asarray(models)
    return np.stack(
        [scores[:, of_sentence == model].mean(axis=1) for model in np.unique(of_sentence)], axis=1
    )


def _drawn(texts: Sequence[str], tosses: int, seed: int) -> IntArray:
    """Return the position of the selected text in each repetition."""
    chances = [
        [content_key(f"{seed}\x1f{_PURPOSE}\x1f{toss}\x1f{text}") for text in texts]
        for toss in range(tosses)
    ]
    drawn: IntArray = np.array(chances, dtype=np.int64).argmin(axis=1)
    return drawn
