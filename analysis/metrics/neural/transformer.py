"""Transformers in local folders, as saved by the library transformers; `Transformer` is causal.

Nothing is downloaded. The first token of a text follows the tokeniser's mark for the beginning, or
for the end if there is none. A text longer than the model's window is scored window by window. ROOM
limits the logits in memory, whatever the vocabulary: with 50,000 tokens, those of 650 positions,
130 MB. This module was not tested on CUDA.
"""

from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.language_models.interface import ModelFileError, file_hash
from maege.analysis.metrics.own.interface import Unavailable

LIBRARIES = ("torch", "transformers")
ROOM = 1 << 25
# Maximum length of a text if neither the tokeniser nor the model has one.
_WINDOW = 1024


class Transformer:
    """A loaded model with its tokeniser."""

    def __init__(self, folder: Path, device: str) -> None:
        """Load the folder onto `cpu`, or `cuda` with a number.

        Raises:
            ModelFileError: the folder is incomplete, or has no causal model.
        """
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
        """Return the ids of each text's tokens, without marks."""
        return [self._tokenizer.encode(text, add_special_tokens=False) for text in texts]

    def names(self, tokens: Sequence[int]) -> list[str]:
        """Return the tokeniser's names of the tokens."""
        named: list[str] = self._tokenizer.convert_ids_to_tokens(list(tokens))
        return named

    def log_p_of_tokens(self, texts: Sequence[Sequence[int]]) -> list[FloatArray]:
        """Return the natural log probability of each token, given the tokens before it."""
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
        """Return for each text the sum over its tokens, and the number of tokens."""
        logs = self.log_p_of_tokens(self.tokens(texts))
        return [(float(text_logs.sum()), len(text_logs)) for text_logs in logs]

    def _batches(self, lengths: Sequence[int]) -> list[int]:
        """Return the starts of batches of ascending lengths, and the end."""
        bounds = [0]
        for place, length in enumerate(lengths):
            n = place + 1 - bounds[-1]
            if n > 1 and n * (length + 1) > self._places:
                bounds.append(place)
        return [*bounds, len(lengths)] if lengths else []

    def _log_p(self, batch: Sequence[Sequence[int]]) -> FloatArray:
        """Return one row per text, padded at the end."""
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
    """Return the hash of a folder and the versions of the libraries that read it.

    Raises:
        Unavailable: the libraries are not installed, or the folder does not exist.
    """
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
    """Return the tokeniser and the model of a folder: a causal model, or an encoder.

    Raises:
        ModelFileError: the folder has none, or damaged ones.
    """
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
