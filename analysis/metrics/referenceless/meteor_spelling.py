"""`meaning_meteor_spelling`: METEOR's matcher, to which a corrected misspelling is a match.

Asano, Mizumoto and Inui 2017 had variants of the source spell-checked and kept the best score. Here
a source word of letters that the dictionary of spylls does not have is replaced by the first of its
suggestions that the hypothesis has; the larger score of both sources counts. Suggestions for a word
take half a second: the speller is asked once, and only where a hypothesis has something new.
"""

from collections import Counter
from collections.abc import Container, Sequence
from functools import cache, lru_cache
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.base import FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.formula import Named, Number, at_least
from maege.analysis.metrics.languages import ENGLISH
from maege.analysis.metrics.referenceless.loading import Speller, is_known, load_speller
from maege.analysis.metrics.referenceless.meaning import SHORTEST_MISSPELLING
from maege.analysis.metrics.referenceless.meteor import (
    STATISTICS,
    MeteorMeaning,
    MeteorScore,
    load_matcher,
)
from maege.analysis.metrics.score import FamilyScore

CORRECTED = "corrected_"
# What is longer is no word that somebody misspelt.
LONGEST = 40
# Words whose suggestions are remembered.
_REMEMBERED = 1 << 16


class MeteorSpellingMeaning(StatisticsFamily):
    """What `meaning_meteor` counts, with the source as it is and with it corrected."""

    name = "meaning_meteor_spelling"
    version = "1"
    parameters = (*MeteorMeaning.parameters, ("spelling", "en_US-spylls0.1.7,suggested"))
    reads_source = True
    reads_references = False
    languages = ENGLISH
    other_languages = MeteorMeaning.other_languages
    per_reference = False
    statistics = (*STATISTICS, *(f"{CORRECTED}{name}" for name in STATISTICS))
    cost: ClassVar[int] = 100

    def _compute_slice(self, piece: Slice) -> FloatArray:
        sources = [piece.texts[row] for row in piece.sources.tolist()]
        hypotheses = [piece.texts[row] for row in piece.hypotheses.tolist()]
        corrected = list(map(load_corrector().correct, sources, hypotheses))
        matcher = load_matcher()
        plain = matcher.match(sources, hypotheses)
        found = np.hstack([plain, plain])
        changed = [i for i, source in enumerate(sources) if corrected[i] != source]
        found[changed, len(STATISTICS) :] = matcher.match(
            [corrected[i] for i in changed], [hypotheses[i] for i in changed]
        )
        return found


class MeteorSpellingScore(FamilyScore):
    """Equation 2 for both sources, and the larger of the two."""

    family = MeteorSpellingMeaning()

    def sentence_score(self, of: Named) -> Number:
        """Return it."""
        score = MeteorScore().sentence_score
        corrected = {name: of[f"{CORRECTED}{name}"] for name in STATISTICS}
        return at_least(score({name: of[name] for name in STATISTICS}), score(corrected))


@cache
def load_corrector() -> "Corrector":
    """Return the corrector of this process."""
    return Corrector(load_speller())


class Corrector:
    """Corrects misspellings as a hypothesis did; remembers what the speller said."""

    def __init__(self, speller: Speller) -> None:
        """Take who knows words and corrects others."""
        self._speller = speller
        self._suggestions = lru_cache(_REMEMBERED)(self._ask)

    def correct(self, source: str, hypothesis: str) -> str:
        """Return the source, its misspelt words replaced where the hypothesis has a suggestion."""
        words, wanted = source.split(), hypothesis.lower().split()
        if not Counter(wanted) - Counter(source.lower().split()):
            # All that the hypothesis has matches as it is.
            return source
        return " ".join(self._corrected(word, wanted) for word in words)

    def _corrected(self, word: str, wanted: Container[str]) -> str:
        return next((found for found in self._suggestions(word) if found.lower() in wanted), word)

    def _ask(self, word: str) -> Sequence[str]:
        """Return what the speller suggests for a word; nothing for one that it need not correct."""
        may_be_misspelt = SHORTEST_MISSPELLING <= len(word) <= LONGEST and word.isalpha()
        if not may_be_misspelt or is_known(word, self._speller.lookup):
            return ()
        return tuple(self._speller.suggest(word))
