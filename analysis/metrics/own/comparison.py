r"""Optional metrics for comparison, as functions for `maege metric add`; none is built in.

BLEU by sacreBLEU and METEOR by NLTK. Both libraries are in the extra `dev`. To register them:

    maege metric add maege.analysis.metrics.own.comparison:sacrebleu --name sacrebleu \
        --inputs hypothesis,references
    maege metric add maege.analysis.metrics.own.comparison:meteor_2007_stems \
        --name meteor_2007_stems --inputs hypothesis,references
"""

from collections.abc import Sequence
from functools import cache
from typing import Any


def sacrebleu(hypothesis: str, references: Sequence[str]) -> float:
    """Return sentence BLEU by sacreBLEU, 0 to 100, for already tokenised texts.

    Zero counts are smoothed exponentially. Orders longer than the hypothesis are ignored.
    """
    return float(_bleu().sentence_score(hypothesis, list(references)).score)


def meteor_2007_stems(hypothesis: str, references: Sequence[str]) -> float:
    """Return METEOR by NLTK, 0 to 1, from matches of equal words and equal Porter stems.

    NLTK follows Lavie and Agarwal 2007 (alpha .9, beta 3, gamma .5), not Meteor Universal. The
    paper also matches WordNet synonyms, which are omitted here. The best reference counts.
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
