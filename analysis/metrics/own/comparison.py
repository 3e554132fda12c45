r"""Metrics to compare with, as functions for `maege metric add`; none of them is built in.

BLEU by sacreBLEU and METEOR by NLTK; both libraries are in the extra `dev`. To register them:

    maege metric add maege.analysis.metrics.own.comparison:sacrebleu --name sacrebleu \
        --inputs hypothesis,references
    maege metric add maege.analysis.metrics.own.comparison:meteor_2007_stems \
        --name meteor_2007_stems --inputs hypothesis,references
"""

from collections.abc import Sequence
from functools import cache
from typing import Any


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
