"""A language model of characters, trained on a file; docs/your-metric.md has an entry to copy.

The score measures spelling and how usual the words are, in any language. It does not depend on the
source or on the meaning of the text.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from maege.analysis.metrics.char_ngrams import ORDER, CharModel
from maege.analysis.metrics.own.interface import Metric, Unavailable


class CharLm(Metric):
    """The mean log probability of a character and the end of the text, natural (Lau et al. 2015).

    With sources, the score is the difference to the mean log probability by a model of the sources,
    in which rare words and long words cancel out (Moore and Lewis 2010).
    """

    reads = ("hypothesis",)
    batch_size = 256

    def __init__(self, texts: str, sources: str = "") -> None:
        """Name a file of correct texts, and one of texts before correction; one text per line."""
        self._paths = [Path(texts), *([Path(sources)] if sources else [])]

    def signature(self) -> str:
        """Return the order, the smoothing, and hashes of the texts."""
        hashes = [hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in self._paths]
        return f"order:{ORDER}|smoothing:witten_bell|sha256:{','.join(hashes)}"

    def setup(self, device: str) -> None:
        """Train the models: seconds for a million characters.

        Raises:
            Unavailable: a file cannot be read or has no text.

        """
        del device
        self._models = [CharModel(_texts(path)) for path in self._paths]

    def score_batch(self, hypothesis: Sequence[str]) -> list[float]:
        """Return the score of each text."""
        log_p, *source_log_ps = (model.score(hypothesis) for model in self._models)
        for source_log_p in source_log_ps:
            log_p = log_p - source_log_p
        return [
            float(total) / (len(text) + 1) for total, text in zip(log_p, hypothesis, strict=True)
        ]


def _texts(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"{path}: {error}") from None
    texts = [" ".join(line.split()) for line in lines]
    if not any(texts):
        raise Unavailable(f"{path}: found no text; expected one text per line")
    return list(filter(None, texts))
