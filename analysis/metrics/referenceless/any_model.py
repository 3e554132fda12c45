"""Fluency by a user's language model: an ARPA file, a KenLM binary, or a transformer.

The score is that of `fluency.py`. Two models are two metrics, identified by name and SHA-256.
"""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import numpy as np

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.families.base import FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.referenceless.fluency import FluencyScore
from maege.analysis.metrics.referenceless.language_models import causal, kenlm_binary
from maege.analysis.metrics.referenceless.language_models.arpa import ArpaModel
from maege.analysis.metrics.referenceless.language_models.causal import CausalModel
from maege.analysis.metrics.referenceless.language_models.interface import (
    STATISTICS,
    LanguageModel,
    ModelFileError,
    check_hash,
)
from maege.analysis.metrics.referenceless.language_models.kenlm_binary import KenlmModel


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
    other_languages = "maege metric add --language-model takes a model of that language"
    statistics = STATISTICS

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The model's name and hash, and the normalisation of the text."""
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
                f"put the file back; or maege metric remove {self.name}, then maege metric add",
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
    packages = causal.PACKAGES if path.is_dir() else {}
    if path.is_file() and _is_kenlm(path):
        packages = kenlm_binary.PACKAGES
    for package, remedy in packages.items():
        if find_spec(package) is None:
            return Missing(f"the package {package} is not installed", remedy)
    return None


def _is_kenlm(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(kenlm_binary.MAGIC)) == kenlm_binary.MAGIC


@cache
def _load_checked(path: Path, sha256: str) -> LanguageModel:
    """Return the model, cached once per process."""
    check_hash(path, sha256)
    return load_model(path)
