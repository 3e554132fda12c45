"""Fluency: the probability of a text relative to the probability of its single words.

Asano, Mizumoto and Inui 2017, "Reference-based Metrics can be Replaced with Reference-less Metrics
in Evaluating Grammatical Error Correction Systems", Equation 1, after the acceptability measure
SLOR of Lau, Clark and Lappin 2015:

    score = (log10 P_m - log10 P_u) / tokens, at least 0 and at most 1

P_m is the language model's probability of the text, and P_u the product of its unigram
probabilities. The paper does not give the base of the logarithm. Only with base 10 are most scores
below 1, as the paper says. The model may also be the user's: an ARPA file, a KenLM binary, or a
transformer, identified by name and SHA-256.

`referenceless` is the weighted sum of grammaticality, fluency and meaning (Equation 3), with the
paper's weights, tuned on JFLEG.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.families import ENGLISH, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.formula import Named, Number, at_least, at_most, is_equal, where
from maege.analysis.metrics.language_models import (
    KENLM_MAGIC,
    STATISTICS,
    TRIGRAM_SHA256,
    TRIGRAM_VERSION,
    ArpaModel,
    CausalModel,
    KenlmModel,
    LanguageModel,
    Trigram,
)
from maege.analysis.metrics.meaning import MeaningScore, missing_package
from maege.analysis.metrics.model_files import ModelFileError, check_hash
from maege.analysis.metrics.scores import Composite, FamilyScore, Score, ScoredElsewhere


class Fluency(StatisticsFamily):
    name = "fluency"
    parameters = (
        ("model", f"pocketsphinx{TRIGRAM_VERSION}-en-us-trigram"),
        ("sha256", TRIGRAM_SHA256[:12]),
        ("case", "lower"),
        ("unknown", "counted"),
    )
    languages = ENGLISH
    other_languages = "a language model in metrics.yml makes fluency by a model of that language"
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        scores: FloatArray = load_trigram().score([piece.texts[row] for row in rows.tolist()])
        return scores[requests]


class FluencyScore(FamilyScore):
    family = Fluency()

    def sentence_score(self, of: Named) -> Number:
        tokens = of["lm_tokens"]
        likelier = (of["log10_pm"] - of["log10_pu"]) / tokens
        return where(is_equal(tokens, 0), 0.0, at_most(at_least(likelier, 0), 1))


load_trigram = cache(Trigram)


@dataclass(frozen=True)
class ModelFluency(StatisticsFamily):
    # One family per model, whereas other families are one per class.
    name: str  # type: ignore[misc]
    path: Path
    sha256: str
    lower: bool
    languages: frozenset[str] | None = None  # type: ignore[misc]
    cost: int = 1  # type: ignore[misc]

    other_languages = "add a language model of that language to metrics.yml"
    statistics = STATISTICS

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        return (
            ("model", self.path.name.replace("|", "_")),
            ("sha256", self.sha256[:12]),
            ("case", "lower" if self.lower else "mixed"),
            ("unknown", "counted"),
        )

    def missing(self) -> Missing | None:
        try:
            check_hash(self.path, self.sha256)
        except (ModelFileError, OSError) as error:
            return Missing(
                str(error),
                f"put the file back, or correct {self.name} in metrics.yml",
            )
        return missing_reader(self.path)

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        texts = [piece.texts[row] for row in rows.tolist()]
        if self.lower:
            texts = [text.lower() for text in texts]
        scores: FloatArray = _load_checked(self.path, self.sha256).score(texts)
        return scores[requests]


@dataclass(frozen=True)
class ModelFluencyScore(FluencyScore):
    family: ModelFluency  # type: ignore[assignment, misc]


def load_model(path: Path) -> LanguageModel:
    """Raise ModelFileError if the model is missing or damaged, or its package not installed."""
    if not path.exists():
        raise ModelFileError(f"{path}: expected a language model, found no such file")
    if missing := missing_reader(path):
        raise ModelFileError(f"{path}: {missing.reason}, which reads it; {missing.remedy}")
    if path.is_dir():
        return CausalModel(path)
    return KenlmModel(path) if _is_kenlm(path) else ArpaModel(path)


def missing_reader(path: Path) -> Missing | None:
    if path.is_dir():
        return missing_package("torch", "transformers")
    return missing_package("kenlm") if path.is_file() and _is_kenlm(path) else None


def _is_kenlm(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(KENLM_MAGIC)) == KENLM_MAGIC


@cache
def _load_checked(path: Path, sha256: str) -> LanguageModel:
    check_hash(path, sha256)
    return load_model(path)


PUBLISHED = {"grammaticality": 0.07, "fluency": 0.83, "meaning": 0.10}


@dataclass(frozen=True)
class ReferencelessScore(Composite):
    weights: Mapping[str, float] = field(default_factory=lambda: dict(PUBLISHED))

    @property
    def parts(self) -> Mapping[str, Score]:
        return {
            "grammaticality": ScoredElsewhere("grammaticality"),
            "fluency": FluencyScore(),
            "meaning": MeaningScore(),
        }

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        return (("weights", ",".join(f"{self.weights[name]:g}" for name in PUBLISHED)),)

    def combine(self, of: Named) -> Number:
        grammaticality, fluency, meaning = (self.weights[name] * of[name] for name in PUBLISHED)
        return grammaticality + fluency + meaning
