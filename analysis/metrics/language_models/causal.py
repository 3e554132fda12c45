"""Fluency by a causal transformer in a local folder (`neural/transformer.py`).

P_m is the product of the probabilities of each token given the tokens before it, with the
tokeniser's tokens. A transformer has no unigrams. They are counted in a text and stored in the
folder as `unigrams.tsv`: one token, a tab and a count per line. A token without a count is unknown:
it counts as a token but adds to neither probability.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.language_models.interface import (
    STATISTICS,
    ModelFileError,
)
from maege.analysis.metrics.neural.transformer import Transformer, load

UNIGRAMS = "unigrams.tsv"
PACKAGES = {
    "torch": "pip install torch==2.15.0",
    "transformers": "pip install transformers==5.23.0",
}


class CausalModel:
    """A loaded transformer with the unigrams of its folder."""

    def __init__(self, folder: Path) -> None:
        """Load the folder; raise ModelFileError if it is incomplete.

        It scores on a GPU if there is one.
        """
        self._model = Transformer(folder, _device())
        self._log10_unigrams = _read_unigrams(folder / UNIGRAMS)

    def score(self, texts: Sequence[str]) -> FloatArray:
        """Return one row per text, with the columns of STATISTICS."""
        tokens = self._model.tokens(texts)
        logs = self._model.log_p_of_tokens(tokens)
        rows = [
            self._statistics(ids, text_logs / math.log(10))
            for ids, text_logs in zip(tokens, logs, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(STATISTICS))

    def _statistics(self, ids: Sequence[int], log10: FloatArray) -> tuple[float, float, int, int]:
        names = self._model.names(ids)
        unigrams = [self._log10_unigrams.get(name) for name in names]
        places = [i for i, unigram in enumerate(unigrams) if unigram is not None]
        return (
            math.fsum(log10[i] for i in places),
            math.fsum(unigram for unigram in unigrams if unigram is not None),
            len(ids),
            len(ids) - len(places),
        )


def count_unigrams(folder: Path, texts: Iterable[str]) -> int:
    """Count the tokens of texts, write the counts to the folder, and return the number of tokens.

    Raises ModelFileError if the folder has no tokeniser or the texts have no token.
    """
    tokenizer, _ = load(folder)
    counts: Counter[str] = Counter()
    for text in texts:
        ids = tokenizer.encode(text, add_special_tokens=False)
        counts.update(tokenizer.convert_ids_to_tokens(ids))
    if not counts:
        raise ModelFileError(f"{folder}: expected a text to count tokens in, found an empty one")
    # As JSON, because a token may contain a tab or a line end.
    lines = [f"{json.dumps(token)}\t{count}\n" for token, count in counts.most_common()]
    (folder / UNIGRAMS).write_text("".join(lines), encoding="utf-8")
    return counts.total()


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _read_unigrams(path: Path) -> dict[str, float]:
    """Return log10 of the relative frequency of each token."""
    if not path.is_file():
        raise ModelFileError(
            f"{path}: expected the counts of the model's tokens, found no such file; "
            "maege metric unigrams FOLDER TEXT makes it"
        )
    counts: dict[str, int] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            token, count = _read_count(line.rstrip("\n"))
            if token is None or count == 0:
                raise ModelFileError(
                    f"{path}:{number}: expected a token in double quotes, a tab and a count above "
                    f"0, found {line.rstrip()[:80]!r}; maege metric unigrams FOLDER TEXT makes "
                    "the file anew"
                )
            counts[token] = count
    total = sum(counts.values())
    return {token: math.log10(count / total) for token, count in counts.items()}


def _read_count(line: str) -> tuple[str | None, int]:
    quoted, _, count = line.rpartition("\t")
    try:
        token = json.loads(quoted)
    except ValueError:
        token = None
    if not isinstance(token, str) or not count.isdecimal():
        return None, 0
    return token, int(count)
