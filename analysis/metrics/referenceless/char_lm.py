"""How likely the characters of a text are, to a model of the characters of correct texts.

    score = ln p(text) / (number of its characters + 1)

p is that of `char_ngrams.py`, the end of the text being one more character. Nothing is downloaded
and no language is built in: `maege train char_lm` trains a model of each language on the gold of a
corpus. The score says how well a text is spelt and how usual its words are, and knows neither the
source nor what the text means. As an acceptability measure it is the "mean log probability" of Lau,
Clark and Lappin 2015, over characters.
"""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Literal

import numpy as np

from maege.analysis.metrics.base import FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.formula import Named, Number
from maege.analysis.metrics.referenceless.char_ngrams import ORDER, CharModel
from maege.analysis.metrics.score import FamilyScore

Part = Literal["gold", "sources"]
# No text that a model is trained on has one.
_BETWEEN = "\n"


@dataclass(frozen=True)
class Training:
    """The texts that a model is trained on, and where they are from.

    `packed` holds them as few bytes, because every chunk of work takes the model along; `sha256`
    names them, as hex digits. `corpus` is never scored by the model, nor is one in another language
    than `language`, a tag of BCP 47.
    """

    corpus: str
    part: Part
    language: str
    sha256: str
    packed: bytes

    @classmethod
    def on(cls, texts: Sequence[str], corpus: str, part: Part, language: str) -> "Training":
        """Return the training on these texts, none of which has a line feed."""
        joined = _BETWEEN.join(texts).encode()
        # Of `en-GB` all English can be read.
        of = language.partition("-")[0]
        return cls(corpus, part, of, hashlib.sha256(joined).hexdigest(), zlib.compress(joined))

    def texts(self) -> list[str]:
        """Return the texts, in their order."""
        return zlib.decompress(self.packed).decode().split(_BETWEEN)


def trainings_in(rows: Sequence[tuple[list[str], str, Part, str]]) -> list[Training]:
    """Return the trainings that the model stg_char_lm__trainings has, in the order of languages."""
    return sorted((Training.on(*row) for row in rows), key=attrgetter("language"))


@dataclass(frozen=True)
class CharLm(StatisticsFamily):
    """What the model of one language says of a hypothesis; untrained, every text is certain."""

    training: Training | None = None

    version = "1"
    reads_source = False
    reads_references = False
    per_reference = False
    other_languages = "maege train char_lm --corpus CORPUS, with one in that language"
    statistics = ("log_p", "lm_characters")

    @property
    def name(self) -> str:  # type: ignore[override]
        """One a language: what a training changes are the statistics of its own."""
        return f"char_lm:{self.training.language}" if self.training else "char_lm"

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The order, the smoothing and the texts."""
        sha256 = self.training.sha256[:12] if self.training else "none"
        return (("order", str(ORDER)), ("smoothing", "witten_bell"), ("sha256", sha256))

    @property
    def languages(self) -> frozenset[str] | None:  # type: ignore[override]
        """The language of the training."""
        return frozenset({self.training.language}) if self.training else None

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        texts = [piece.texts[row] for row in rows.tolist()]
        characters = np.array([len(text) + 1.0 for text in texts])
        log_p = _model(self.training).score(texts) if self.training else np.zeros(len(texts))
        scores: FloatArray = np.column_stack([log_p, characters])
        return scores[requests]


@dataclass(frozen=True)
class CharLmScore(FamilyScore):
    """The mean over characters, in nats; a corpus has the mean of its sentences.

    Each of the families has the corpora in its language.
    """

    families: tuple[CharLm, ...] = (CharLm(),)

    @property
    def family(self) -> CharLm:  # type: ignore[override]
        """The first, whose statistics have the names of all."""
        return self.families[0]

    @property
    def languages(self) -> frozenset[str] | None:
        """Those of the trainings; None where there is none."""
        known = [family.languages for family in self.families if family.languages is not None]
        return frozenset[str]().union(*known) or None

    def sentence_score(self, of: Named) -> Number:
        """Return it."""
        return of["log_p"] / of["lm_characters"]


@lru_cache(maxsize=1)
def _model(training: Training) -> CharModel:
    """Return the model of this process."""
    return CharModel(training.texts())
