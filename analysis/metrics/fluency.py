"""Fluency: the probability of a text relative to the probability of its single words.

Asano, Mizumoto and Inui 2017, "Reference-based Metrics can be Replaced with Reference-less Metrics
in Evaluating Grammatical Error Correction Systems", Equation 1, after the acceptability measure
SLOR of Lau, Clark and Lappin 2015:

    score = (log10 P_m - log10 P_u) / tokens, at least 0 and at most 1

P_m is the language model's probability of the text, and P_u the product of its unigram
probabilities. The paper does not give the base of the logarithm. Only with base 10 are most scores
below 1, as the paper says.

The model may also be the user's: an ARPA file, a KenLM binary, or a transformer. Two models are two
metrics, identified by name and SHA-256.

`referenceless` is the weighted sum of grammaticality, fluency and meaning (Equation 3). The weights
.07, .83 and .10 are the paper's, tuned on JFLEG. They affect only the sum, so other weights require
no new scoring of texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import numpy as np

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.families import ENGLISH, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.formula import Named, Number, at_least, at_most, is_equal, where
from maege.analysis.metrics.language_models import (
    KENLM_MAGIC,
    KENLM_PACKAGES,
    STATISTICS,
    TRANSFORMER_PACKAGES,
    TRIGRAM_SHA256,
    TRIGRAM_VERSION,
    ArpaModel,
    CausalModel,
    KenlmModel,
    LanguageModel,
    Trigram,
)
from maege.analysis.metrics.meaning import MeaningScore
from maege.analysis.metrics.model_files import (
    ModelFileError,
    check_hash,
)
from maege.analysis.metrics.scores import Composite, FamilyScore, Score, ScoredElsewhere


class Fluency(StatisticsFamily):
    """Statistics of a hypothesis under the trigram model."""

    name = "fluency"
    version = "1"
    parameters = (
        ("model", f"pocketsphinx{TRIGRAM_VERSION}-en-us-trigram"),
        ("sha256", TRIGRAM_SHA256[:12]),
        ("case", "lower"),
        ("unknown", "counted"),
    )
    reads_source = False
    reads_references = False
    languages = ENGLISH
    other_languages = "a language model in metrics.yml makes fluency by a model of that language"
    per_reference = False
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        scores: FloatArray = load_trigram().score([piece.texts[row] for row in rows.tolist()])
        return scores[requests]


class FluencyScore(FamilyScore):
    """Equation 1; 0 for a text without a word."""

    family = Fluency()

    def sentence_score(self, of: Named) -> Number:
        tokens = of["lm_tokens"]
        likelier = (of["log10_pm"] - of["log10_pu"]) / tokens
        return where(is_equal(tokens, 0), 0.0, at_most(at_least(likelier, 0), 1))


@cache
def load_trigram() -> Trigram:
    return Trigram()


@dataclass(frozen=True)
class ModelFluency(StatisticsFamily):
    """Statistics of a hypothesis under a language model, in original or lower case."""

    # One family per model, whereas other families are one per class.
    name: str  # type: ignore[misc]
    path: Path
    sha256: str
    lower: bool
    languages: frozenset[str] | None = None  # type: ignore[misc]

    version = "1"
    reads_source = False
    reads_references = False
    per_reference = False
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
        """Return why the model cannot be used on this machine, None if it can be."""
        try:
            check_hash(self.path, self.sha256)
        except (ModelFileError, OSError) as error:
            return Missing(
                str(error),
                f"put the file back, or correct {self.name} in metrics.yml",
            )
        return missing_package(self.path)

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        texts = [piece.texts[row] for row in rows.tolist()]
        if self.lower:
            texts = [text.lower() for text in texts]
        scores: FloatArray = _load_checked(self.path, self.sha256).score(texts)
        return scores[requests]


@dataclass(frozen=True)
class TransformerFluency(ModelFluency):
    """Fluency by a transformer, which takes about a hundred times as long."""

    cost: ClassVar[int] = 400


@dataclass(frozen=True)
class ModelFluencyScore(FluencyScore):
    """Fluency by one model."""

    family: ModelFluency  # type: ignore[assignment, misc]


def load_model(path: Path) -> LanguageModel:
    """Return the model of a file or folder.

    Raises ModelFileError if it is missing or damaged, or if a required package is not installed.
    """
    if not path.exists():
        raise ModelFileError(f"{path}: expected a language model, found no such file")
    if missing := missing_package(path):
        raise ModelFileError(f"{path}: {missing.reason}, which reads it; {missing.remedy}")
    if path.is_dir():
        return CausalModel(path)
    return KenlmModel(path) if _is_kenlm(path) else ArpaModel(path)


def missing_package(path: Path) -> Missing | None:
    """Return the first missing package that is needed to read the file or folder."""
    packages = TRANSFORMER_PACKAGES if path.is_dir() else {}
    if path.is_file() and _is_kenlm(path):
        packages = KENLM_PACKAGES
    for package, remedy in packages.items():
        if find_spec(package) is None:
            return Missing(f"the package {package} is not installed", remedy)
    return None


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
    """The weighted sum; a corpus has the mean of its sentences."""

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
