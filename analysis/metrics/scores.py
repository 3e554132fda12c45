"""From sufficient statistics to scores, of sentences and of corpora.

Sentence functions take arrays whose last axis holds the statistics of a family in its order of
columns (before it, for GLEU, MAX-SARI and MinLD, the references) and return an array without them.
Corpus functions take the statistics of all sentences and return one number. The formulas and
their papers stand at the head of each metric's module.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from analysis.metrics import gleu as gleu_family
from analysis.metrics.base import FloatArray
from analysis.metrics.draws import reference_draws
from analysis.metrics.ngrams import MAX_ORDER

IBLEU_ALPHA = 0.8
ORDERS = np.arange(1, MAX_ORDER + 1)
BLEU_MATCHES = slice(3, 3 + MAX_ORDER)

# Of n-grams of source and hypothesis: those that no reference has, or the count that the reference
# lacks; the last lets a sentence with more penalties than matches count below 0.
Penalty = Literal["absent", "difference", "difference_unclipped"]
Reference = Literal["py2", "py3", "expected"]


def bleu(statistics: FloatArray) -> FloatArray:
    """Return sentence BLEU in 0..1 with smoothing method 3 of Chen and Cherry 2014.

    The k-th order without a match gets 1 / (2**k * total) as its precision; without any common
    token the score is 0.
    """
    length, closest, order = (statistics[..., column, np.newaxis] for column in range(3))
    matches = statistics[..., BLEU_MATCHES]
    used = order >= ORDERS
    totals = np.maximum(length + 1 - ORDERS, 1)
    unmatched = used & (matches == 0)
    smoothed = 1 / (2.0 ** np.cumsum(unmatched, axis=-1) * totals)
    precisions = np.where(unmatched, smoothed, np.maximum(matches, 1) / totals)
    logarithms = np.where(used, np.log(precisions), 0).sum(axis=-1, keepdims=True)
    brevity = np.minimum(0, 1 - closest / np.maximum(length, 1))
    score = np.exp(brevity + logarithms / np.maximum(order, 1))
    matched: FloatArray = np.where(matches[..., :1] > 0, score, 0)[..., 0]
    return matched


def ibleu(bleu_statistics: FloatArray, source_statistics: FloatArray) -> FloatArray:
    """Return 0.8 BLEU with the references plus 0.2 BLEU with the source, as MAEGE's run had it."""
    return IBLEU_ALPHA * bleu(bleu_statistics) + (1 - IBLEU_ALPHA) * bleu(source_statistics)


def ibleu_minus(bleu_statistics: FloatArray, source_statistics: FloatArray) -> FloatArray:
    """Return 0.8 BLEU with the references minus 0.2 BLEU with the source, in -0.2..0.8."""
    return IBLEU_ALPHA * bleu(bleu_statistics) - (1 - IBLEU_ALPHA) * bleu(source_statistics)


def gleu_per_reference(statistics: FloatArray, penalty: Penalty = "absent") -> FloatArray:
    """Return sentence GLEU against each reference, shape (..., references).

    As in the original program every statistic of 0 counts as 1, lengths and totals too.
    """
    smoothed = np.maximum(_gleu_terms(statistics, penalty), 1)
    return _gleu(smoothed)


def gleu(statistics: FloatArray) -> FloatArray:
    """Return sentence GLEU as the original program computes it: the mean over the references."""
    mean: FloatArray = gleu_per_reference(statistics).mean(axis=-1)
    return mean


def gleu_equation(statistics: FloatArray) -> FloatArray:
    """Return sentence GLEU by Equation 1 of the paper: the mean over the references."""
    mean: FloatArray = gleu_per_reference(statistics, "difference").mean(axis=-1)
    return mean


def sari(statistics: FloatArray) -> FloatArray:
    """Return sentence SARI in 0..1, the mean of keep, delete and add."""
    mean: FloatArray = statistics.mean(axis=-1)
    return mean


def max_sari(statistics: FloatArray) -> FloatArray:
    """Return the largest SARI with a single reference."""
    best: FloatArray = sari(statistics).max(axis=-1)
    return best


def ld(statistics: FloatArray) -> FloatArray:
    """Return 1 - distance / length of the source, at most 1, below 0 for far longer hypotheses.

    An empty source scores 1.
    """
    distance, length = statistics[..., 0], statistics[..., 1]
    similarity: FloatArray = np.where(length > 0, 1 - distance / np.maximum(length, 1), 1)
    return similarity


def min_ld(statistics: FloatArray) -> FloatArray:
    """Return 1 - distance / length of the reference, for the reference where that is largest."""
    best: FloatArray = ld(statistics).max(axis=-1)
    return best


def sentence_scores(metric: str, statistics: Mapping[str, FloatArray]) -> FloatArray:
    """Return one score per request, from what each family's `compute` returned, by family name.

    Raises KeyError for an unknown metric or a family that is missing.
    """
    score, families, per_reference = _SENTENCE_SCORES[metric]
    arrays = [statistics[family] for family in families]
    if not per_reference:
        arrays = [array[:, 0, :] for array in arrays]
    return score(*arrays)


_SENTENCE_SCORES: dict[str, tuple[Callable[..., FloatArray], tuple[str, ...], bool]] = {
    "bleu": (bleu, ("bleu",), False),
    "ibleu": (ibleu, ("bleu", "source_bleu"), False),
    "ibleu_minus": (ibleu_minus, ("bleu", "source_bleu"), False),
    "gleu": (gleu, ("gleu",), True),
    "gleu_equation": (gleu_equation, ("gleu",), True),
    "sari": (sari, ("sari",), False),
    "max_sari": (max_sari, ("sari_single",), True),
    "min_ld": (min_ld, ("reference_distance",), True),
    "ld": (ld, ("source_distance",), False),
}


def bleu_addends(statistics: FloatArray) -> FloatArray:
    """Return what each sentence adds to corpus BLEU, shape (..., sentences, 10).

    Both lengths, four matches, four totals.
    """
    totals = np.maximum(statistics[..., :1] + 1 - ORDERS, 0)
    return np.concatenate([statistics[..., :2], statistics[..., BLEU_MATCHES], totals], axis=-1)


def bleu_of_sums(sums: FloatArray) -> FloatArray:
    """Return corpus BLEU in 0..1 from summed addends, shape (..., 10).

    Equal to sacreBLEU (Post 2018) without tokenisation, divided by 100: orders without a match are
    smoothed by successive halves, a corpus without n-grams of some order scores 0.
    """
    length, closest = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2 : 2 + MAX_ORDER], sums[..., 2 + MAX_ORDER :]
    halvings = 2.0 ** np.cumsum(matches == 0, axis=-1)
    precisions = np.where(matches == 0, 1 / halvings, matches) / np.maximum(totals, 1)
    brevity = np.minimum(0, 1 - closest / np.maximum(length, 1))
    defined = matches.any(axis=-1) & totals.all(axis=-1)
    score: FloatArray = np.where(defined, np.exp(brevity + np.log(precisions).mean(axis=-1)), 0)
    return score


def corpus_bleu(statistics: FloatArray) -> float:
    """Return corpus BLEU in 0..1 from statistics of shape (sentences, 7)."""
    return float(bleu_of_sums(bleu_addends(statistics).sum(axis=0)))


def gleu_addends(statistics: FloatArray, penalty: Penalty = "absent") -> FloatArray:
    """Return what each sentence adds to expected corpus GLEU: its terms summed over references.

    Shape (..., sentences, 10): both lengths, four clipped numerators, four totals.
    """
    total: FloatArray = _gleu_terms(statistics, penalty).sum(axis=-2)
    return total


def gleu_of_sums(sums: FloatArray) -> FloatArray:
    """Return corpus GLEU in 0..1 from summed addends, shape (..., 10); a sum of 0 scores 0."""
    score: FloatArray = np.where(sums.all(axis=-1), _gleu(np.maximum(sums, TINY)), 0)
    return score


def corpus_gleu(
    statistics: FloatArray, rng: Reference = "py2", penalty: Penalty = "absent"
) -> FloatArray:
    """Return corpus GLEU in 0..1 from statistics of shape (..., sentences, references, 14).

    The mean over 500 iterations that draw one reference per sentence, as the generators of Python
    2 (the original program's) or Python 3 draw them; `expected` takes every sentence's mean over
    its references instead, which is what many draws converge to. A sum of 0 scores 0.
    """
    if rng == "expected":
        return gleu_of_sums(gleu_addends(statistics, penalty).sum(axis=-2))
    terms = _gleu_terms(statistics, penalty)
    *systems, sentences, references, width = terms.shape
    n_systems = int(np.prod(systems))
    draws = reference_draws(sentences, references, rng)
    rows = np.moveaxis(terms.reshape(n_systems, sentences * references, width), 0, 1)
    drawn = np.arange(sentences) * references + draws
    # A sparse product, because a dense one starts threads that fight over the workers' cores. The
    # terms are whole numbers, so that it is exact whatever the order of its sums.
    chosen = csr_array(
        (np.ones(drawn.size), drawn.ravel(), np.arange(len(draws) + 1) * sentences),
        shape=(len(draws), sentences * references),
    )
    totals = chosen @ rows.reshape(sentences * references, n_systems * width)
    scores = gleu_of_sums(totals.reshape(len(draws), *systems, width))
    # Along the last axis each system's mean is summed alike, however many systems there are.
    mean: FloatArray = np.moveaxis(scores, 0, -1).copy().mean(axis=-1)
    return mean


def corpus_mean(scores: FloatArray) -> float:
    """Return the mean of sentence scores: the corpus score of all metrics but BLEU and GLEU."""
    return float(scores.mean())


TINY = np.finfo(np.float64).tiny


def _gleu_terms(statistics: FloatArray, penalty: Penalty) -> FloatArray:
    """Return both lengths, four numerators, four totals, on the last axis."""
    start = gleu_family.PENALTY if penalty == "absent" else gleu_family.DIFFERENCE_PENALTY
    overlaps = statistics[..., gleu_family.OVERLAP : gleu_family.OVERLAP + MAX_ORDER]
    penalties = statistics[..., start : start + MAX_ORDER]
    numerators = overlaps - penalties
    if penalty != "difference_unclipped":
        numerators = np.maximum(numerators, 0)
    totals = np.maximum(statistics[..., :1] + 1 - ORDERS, 0)
    return np.concatenate([statistics[..., :2], numerators, totals], axis=-1)


def _gleu(terms: FloatArray) -> FloatArray:
    """Return GLEU from positive terms."""
    numerators, totals = terms[..., 2 : 2 + MAX_ORDER], terms[..., 2 + MAX_ORDER :]
    brevity = np.minimum(0, 1 - terms[..., 1] / terms[..., 0])
    score: FloatArray = np.exp(brevity + np.log(numerators / totals).mean(axis=-1))
    return score
