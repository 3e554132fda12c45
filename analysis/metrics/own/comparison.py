r"""Metrics to compare with, as functions for `maege metric add`; none of them is built in.

BLEU by sacreBLEU, METEOR by NLTK, and GREEN, which no library that is kept up has alone.
The two libraries are in the extra `dev`. To register them:

    maege metric add analysis.metrics.own.comparison:sacrebleu --name sacrebleu \
        --inputs hypothesis,references
    maege metric add analysis.metrics.own.comparison:meteor_2007_stems --name meteor_2007_stems \
        --inputs hypothesis,references
    maege metric add analysis.metrics.own.comparison:green --name green \
        --inputs source,hypothesis,references

GREEN: Koyama, Nagata, Takamura and Okazaki 2024, "n-gram F-score for evaluating grammatical error
correction". Each n-gram, with its counts s, h and r in source, hypothesis and reference, is
true where the hypothesis inserts, deletes or keeps as the reference does, a false positive where it
does more, a false negative where it does less:

    TP = max(0, min(h, r) - s) + max(0, s - max(h, r)) + min(s, h, r)
    FP = max(0, h - max(s, r)) + max(0, min(s, r) - h)
    FN = max(0, r - max(s, h)) + max(0, min(s, h) - r)

Precision and recall are geometric means over n = 1 to 4, GREEN is their F-score with beta = 2.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

GREEN_ORDERS = 4
GREEN_BETA = 2.0

Counts = NDArray[np.float64]


def sacrebleu(hypothesis: str, references: Sequence[str]) -> float:
    """Return sentence BLEU by sacreBLEU, 0 to 100, of texts as they are tokenised.

    Zero counts are smoothed exponentially and orders are those that the hypothesis has.
    """
    return float(_bleu().sentence_score(hypothesis, list(references)).score)


def meteor_2007_stems(hypothesis: str, references: Sequence[str]) -> float:
    """Return METEOR by NLTK, 0 to 1, of equal words and equal Porter stems alone.

    NLTK follows Lavie and Agarwal 2007 (alpha .9, beta 3, gamma .5), not Meteor Universal; the
    paper also matches synonyms of WordNet, which are left out here. Of references the best counts.
    """
    from nltk.translate.meteor_score import single_meteor_score

    tokens = hypothesis.split()
    return max(
        float(
            single_meteor_score(
                reference.split(), tokens, stemmer=_stemmer(), wordnet=_NoSynonyms()
            )
        )
        for reference in references
    )


def green(source: str, hypothesis: str, references: Sequence[str]) -> float:
    """Return sentence GREEN, 0 to 1, against the reference with which it is highest."""
    return green_of_counts(green_counts(source, hypothesis, references))


def green_counts(source: str, hypothesis: str, references: Sequence[str]) -> Counts:
    """Return TP, FP and FN of each order, shape (4, 3), of the reference that GREEN chooses.

    Summed over sentences they give the corpus score.
    """
    in_source, in_hypothesis = _ngrams(source), _ngrams(hypothesis)
    counted = [_count(in_source, in_hypothesis, _ngrams(reference)) for reference in references]
    return max(counted, key=green_of_counts)


def green_of_counts(counts: Counts) -> float:
    """Return GREEN of TP, FP and FN of each order; an order without n-grams counts as perfect."""
    true, extra, lacking = counts.T
    precision = _geometric_mean(true, true + extra)
    recall = _geometric_mean(true, true + lacking)
    if precision + recall == 0:
        return 0.0
    weight = GREEN_BETA**2
    return (1 + weight) * precision * recall / (weight * precision + recall)


def _ngrams(text: str) -> Counter[tuple[str, ...]]:
    tokens = text.split()
    return Counter(
        tuple(tokens[start : start + order])
        for order in range(1, GREEN_ORDERS + 1)
        for start in range(len(tokens) - order + 1)
    )


def _count(
    in_source: Counter[tuple[str, ...]],
    in_hypothesis: Counter[tuple[str, ...]],
    in_reference: Counter[tuple[str, ...]],
) -> Counts:
    counts = [[0, 0, 0] for _ in range(GREEN_ORDERS)]
    for ngram in in_source.keys() | in_hypothesis.keys() | in_reference.keys():
        s, h, r = in_source[ngram], in_hypothesis[ngram], in_reference[ngram]
        of_order = counts[len(ngram) - 1]
        of_order[0] += max(0, min(h, r) - s) + max(0, s - max(h, r)) + min(s, h, r)
        of_order[1] += max(0, h - max(s, r)) + max(0, min(s, r) - h)
        of_order[2] += max(0, r - max(s, h)) + max(0, min(s, h) - r)
    return np.array(counts, dtype=np.float64)


def _geometric_mean(right: Counts, everything: Counts) -> float:
    shares = [r / e if e else 1.0 for r, e in zip(right.tolist(), everything.tolist(), strict=True)]
    return math.prod(shares) ** (1 / len(shares))


class _NoSynonyms:
    """A WordNet in which no word has a synonym."""

    def synsets(self, word: str) -> list[Any]:
        del word
        return []


@cache
def _bleu() -> Any:  # noqa: ANN401 (a class of sacreBLEU, which is not typed)
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize="none", effective_order=True)


@cache
def _stemmer() -> Any:  # noqa: ANN401
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()
