"""A causal transformer in a local folder, as the library transformers saves one.

Nothing is downloaded. P_m is the product of each token's probability after those before it; the
history of the first is the tokeniser's mark for the beginning, or for the end where there is none.
Tokens are the tokeniser's. A transformer has no unigrams: those are counted in a text and stand in
the folder, `unigrams.tsv`, a token, a tab and a count a line. A token without a count is unknown:
it counts as a token and is in neither sum. A text longer than the model's window is scored window
by window.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from maege.analysis.metrics.base import FloatArray
from maege.analysis.metrics.referenceless.language_models import STATISTICS, ModelFileError

UNIGRAMS = "unigrams.tsv"
PACKAGES = {
    "torch": "pip install torch==2.15.0",
    "transformers": "pip install transformers==5.23.0",
}
_BATCH = 32
# Where neither the tokeniser nor the model says how long a text may be.
_WINDOW = 1024


class CausalModel:
    """A loaded transformer; texts of like length are scored together."""

    def __init__(self, folder: Path) -> None:
        """Load the folder; raise ModelFileError where it is incomplete."""
        self._tokenizer, self._model = _load(folder)
        self._log10_unigrams = _read_unigrams(folder / UNIGRAMS)
        first = self._tokenizer.bos_token_id
        first = self._tokenizer.eos_token_id if first is None else first
        if first is None:
            raise ModelFileError(
                f"{folder}: expected a tokeniser with a mark for the beginning or the end of a "
                "text, found none"
            )
        self._first = int(first)
        window = getattr(self._model.config, "max_position_embeddings", None) or _WINDOW
        self._longest = int(window) - 1

    def score(self, texts: Sequence[str]) -> FloatArray:
        """Return one row a text, with the columns of STATISTICS."""
        tokens = [self._tokenizer.encode(text, add_special_tokens=False) for text in texts]
        windows = [
            (row, ids[start : start + self._longest])
            for row, ids in enumerate(tokens)
            for start in range(0, len(ids), self._longest)
        ]
        windows.sort(key=lambda window: len(window[1]))
        result = np.zeros((len(texts), len(STATISTICS)))
        for start in range(0, len(windows), _BATCH):
            batch = windows[start : start + _BATCH]
            found = self._log10([ids for _, ids in batch])
            for (row, ids), log10 in zip(batch, found, strict=True):
                result[row] += self._statistics(ids, log10)
        return result

    def _log10(self, batch: Sequence[Sequence[int]]) -> FloatArray:
        """Return log10 of each token after those before it, one row a text, padded at the end."""
        import torch

        width = max(map(len, batch)) + 1
        padding = [width - 1 - len(ids) for ids in batch]
        rows = zip(batch, padding, strict=True)
        ids = torch.tensor([[self._first, *ids, *[self._first] * pad] for ids, pad in rows])
        mask = torch.tensor([[1] * (width - pad) + [0] * pad for pad in padding])
        with torch.no_grad():
            logits = self._model(input_ids=ids, attention_mask=mask).logits[:, :-1]
        log_of_next = torch.log_softmax(logits.double(), dim=-1)
        chosen = log_of_next.gather(2, ids[:, 1:, None])[..., 0] / math.log(10)
        result: FloatArray = chosen.numpy()
        return result

    def _statistics(self, ids: Sequence[int], log10: FloatArray) -> tuple[float, float, int, int]:
        names = self._tokenizer.convert_ids_to_tokens(list(ids))
        unigrams = [self._log10_unigrams.get(name) for name in names]
        known = [place for place, unigram in enumerate(unigrams) if unigram is not None]
        return (
            math.fsum(log10[place] for place in known),
            math.fsum(unigram for unigram in unigrams if unigram is not None),
            len(ids),
            len(ids) - len(known),
        )


def count_unigrams(folder: Path, texts: Iterable[str]) -> int:
    """Return how many tokens the texts have, after writing how often each occurs to the folder.

    Raises ModelFileError where the folder has no tokeniser or the texts have no token.
    """
    tokenizer, _ = _load(folder)
    counts: Counter[str] = Counter()
    for text in texts:
        ids = tokenizer.encode(text, add_special_tokens=False)
        counts.update(tokenizer.convert_ids_to_tokens(ids))
    if not counts:
        raise ModelFileError(f"{folder}: expected a text to count tokens in, found an empty one")
    # As JSON, because a token may hold a tab or the end of a line.
    lines = [f"{json.dumps(token)}\t{count}\n" for token, count in counts.most_common()]
    (folder / UNIGRAMS).write_text("".join(lines), encoding="utf-8")
    return counts.total()


def _load(folder: Path) -> tuple[Any, Any]:
    """Return the tokeniser and the model of a folder."""
    if not (folder / "config.json").is_file():
        raise ModelFileError(
            f"{folder}: expected a folder that transformers saved, found no config.json in it"
        )
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    # Every worker is a process of its own.
    torch.set_num_threads(1)
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True)
    # Whatever the library makes of a damaged file: its errors have no common class.
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise ModelFileError(f"{folder}: not a causal language model: {said[:300]}") from error
    return tokenizer, model.eval()


def _read_unigrams(path: Path) -> dict[str, float]:
    """Return log10 of every token's share of all tokens."""
    if not path.is_file():
        raise ModelFileError(
            f"{path}: expected the counts of the model's tokens, found no such file; "
            "maege metric add --unigrams TEXT makes it"
        )
    counts: dict[str, int] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            token, count = _read_count(line.rstrip("\n"))
            if token is None or count == 0:
                raise ModelFileError(
                    f"{path}:{number}: expected a token in double quotes, a tab and a count above "
                    f"0, found {line.rstrip()[:80]!r}; maege metric add --unigrams TEXT makes the "
                    "file anew"
                )
            counts[token] = count
    total = sum(counts.values())
    return {token: math.log10(count / total) for token, count in counts.items()}


def _read_count(line: str) -> tuple[str | None, int]:
    written, _, count = line.rpartition("\t")
    try:
        token = json.loads(written)
    except ValueError:
        token = None
    if not isinstance(token, str) or not count.isdecimal():
        return None, 0
    return token, int(count)
