"""Likelihood of a text's characters, by a model of the characters of correct texts.

    char_lm = ln p(text) / (number of its characters + 1)
    char_lm_ratio = (ln p(text) - ln q(text)) / (number of its characters + 1)

p is a model of correct texts, and q a model of their uncorrected sources. Both are models of
`char_ngrams.py`, which treat the end of the text as one more character. Nothing is downloaded and
no language is built in: `maege train char_lm` trains models of each language on the gold of a
corpus. The score measures spelling and how common the words are. It does not depend on the source
or on the meaning of the text. As an acceptability measure it is the "mean log probability" of Lau,
Clark and Lappin 2015, over characters. In the ratio, the effects of rare and long words cancel out.
It is the cross-entropy difference of Moore and Lewis 2010.
"""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Literal

import numpy as np

from maege.analysis.metrics.families.base import FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.referenceless.language_models.char_ngrams import ORDER, CharModel
from maege.analysis.metrics.scores.formula import Named, Number
from maege.analysis.metrics.scores.score import FamilyScore

Part = Literal["gold", "sources"]
# Separator that no training text contains.
_BETWEEN = "\n"


@dataclass(frozen=True)
class Training:
    """Training data of a model: correct texts, their sources before correction, and their origin.

    `packed` and `packed_sources` store the texts in few bytes, because every chunk of work carries
    the model. `sha256` identifies both, as hex digits. In the part `sources` both are the same.
    The model never scores `corpus`, except its other half if `is_half`. It also scores no corpus in
    a language other than `language`, a BCP 47 tag.
    """

    corpus: str
    part: Part
    language: str
    sha256: str
    packed: bytes
    packed_sources: bytes
    is_half: bool = False

    @classmethod
    def on(
        cls,
        texts: Sequence[str],
        sources: Sequence[str],
        corpus: str,
        part: Part,
        language: str,
        *,
        is_half: bool = False,
    ) -> "Training":
        """Return the training data of these texts, which contain no line feed."""
        both = [_BETWEEN.join(part_of).encode() for part_of in (texts, sources)]
        digests = b"".join(hashlib.sha256(joined).digest() for joined in both)
        packed, packed_sources = map(zlib.compress, both)
        # A model of `en-GB` can read all English.
        of = language.partition("-")[0]
        sha256 = hashlib.sha256(digests).hexdigest()
        return cls(corpus, part, of, sha256, packed, packed_sources, is_half)

    def texts(self) -> list[str]:
        """Return the texts, in their order."""
        return zlib.decompress(self.packed).decode().split(_BETWEEN)

    def sources(self) -> list[str]:
        """Return the source of each text."""
        return zlib.decompress(self.packed_sources).decode().split(_BETWEEN)


def trainings_in(
    rows: Sequence[tuple[list[str], list[str], str, Part, str, list[str] | None]],
) -> list[Training]:
    """Return the trainings in the model stg_char_lm__trainings, sorted by language."""
    trainings = [
        Training.on(texts, sources, corpus, part, language, is_half=half is not None)
        for texts, sources, corpus, part, language, half in rows
    ]
    return sorted(trainings, key=attrgetter("language"))


@dataclass(frozen=True)
class CharLm(StatisticsFamily):
    """Log probabilities of a hypothesis by the models of one language; 0 without training."""

    training: Training | None = None

    version = "1"
    reads_source = False
    reads_references = False
    per_reference = False
    other_languages = "maege train char_lm --corpus CORPUS, with another one in that language"
    statistics = ("log_p", "source_log_p", "lm_characters")

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name, one per language: training changes only the statistics of its own language."""
        return f"char_lm:{self.training.language}" if self.training else "char_lm"

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Order, smoothing and hash of the texts, and whether they are half of a corpus."""
        sha256 = self.training.sha256[:12] if self.training else "none"
        half = (("trained_on", "half"),) if self.training and self.training.is_half else ()
        return (("order", str(ORDER)), ("smoothing", "witten_bell"), ("sha256", sha256), *half)

    @property
    def languages(self) -> frozenset[str] | None:  # type: ignore[override]
        """The language of the training."""
        return frozenset({self.training.language}) if self.training else None

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        texts = [piece.texts[row] for row in rows.tolist()]
        characters = np.array([len(text) + 1.0 for text in texts])
        log_p = [np.zeros(len(texts))] * 2
        if self.training:
            log_p = [model.score(texts) for model in _models(self.training)]
        scores: FloatArray = np.column_stack([*log_p, characters])
        return scores[requests]


@dataclass(frozen=True)
class CharLmScore(FamilyScore):
    """The mean log probability per character, in nats; a corpus has the mean of its sentences.

    Each family scores the corpora in its language.
    """

    families: tuple[CharLm, ...] = (CharLm(),)

    @property
    def family(self) -> CharLm:  # type: ignore[override]
        """The first family, whose statistics have the same names as those of all families."""
        return self.families[0]

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages of the trainings; None without trainings."""
        known = [family.languages for family in self.families if family.languages is not None]
        return frozenset[str]().union(*known) or None

    def sentence_score(self, of: Named) -> Number:
        """Return the mean log probability per character."""
        return of["log_p"] / of["lm_characters"]


class CharLmRatioScore(CharLmScore):
    """Log ratio of the text's likelihoods as a correct text and as a source, per character."""

    def sentence_score(self, of: Named) -> Number:
        """Return the log ratio per character."""
        return (of["log_p"] - of["source_log_p"]) / of["lm_characters"]


@lru_cache(maxsize=1)
def _models(training: Training) -> tuple[CharModel, CharModel]:
    """Return this process's models of the texts and of their sources."""
    model = CharModel(training.texts())
    return model, CharModel(training.sources()) if training.part == "gold" else model
