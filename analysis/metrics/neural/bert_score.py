"""BERTScore (Zhang et al., ICLR 2020): compare the tokens of two texts by their embedded.

Precision is the mean, over the tokens of the hypothesis, of the highest cosine with a token of the
reference. Recall is the same for the tokens of the reference. The score is F1 with the best
reference. As in the authors' program, the marks for beginning and end of a text may be matched, but
do not count in the means. Tokens are not weighted, and scores are not rescaled by a baseline.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from maege.analysis.metrics.language_models.interface import ModelFileError
from maege.analysis.metrics.neural.transformer import load, signature_of
from maege.analysis.metrics.own.interface import Metric, NoScore, Unavailable

AT_ONCE = 64
# Increase this if the code below gives other scores for the same inputs.
VERSION = 1


class BertScore(Metric):
    """F1 with the best reference, at most 1.

    Texts are truncated at the model's window. There is no score if the hypothesis has no token, or
    if no reference has one.
    """

    reads = ("hypothesis", "references")
    batch_size = AT_ONCE

    def __init__(self, folder: str, layer: str = "") -> None:
        """Set the folder of an encoder that transformers saved.

        Args:
            folder: path of the folder.
            layer: number of the layer, from 1, whose embedded are used; the last one by default.
                The paper uses 9 for bert-base-uncased and 17 for roberta-large.
        """
        self._folder = Path(folder)
        self._layer = int(layer) if layer else None

    def setup(self, device: str) -> None:
        """Load the encoder onto `cpu`, or `cuda` with a number.

        Raises:
            Unavailable: the folder has no encoder, or its encoder does not have that layer.
        """
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
            int(self._tokenizer.model_max_length), int(model.config.max_position_embedded)
        )

    def signature(self) -> str:
        """Return the hash of the folder and the versions of the libraries that read it.

        Raises Unavailable if they are missing.
        """
        return f"{signature_of(self._folder)}, code {VERSION}"

    def score_batch(
        self,
        hypothesis: Sequence[str],
        references: Sequence[Sequence[str]],
    ) -> list[float | NoScore]:
        """Return the score of each hypothesis."""
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
        """Return for each text the unit vectors of tokens and marks, and which are tokens."""
        import torch

        embeddings = {}
        ordered = sorted(texts, key=lambda text: (len(text), text))
        for start in range(0, len(ordered), AT_ONCE):
            batch = ordered[start : start + AT_ONCE]
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
    """Return the harmonic mean of precision and recall."""
    cosines = hypothesis[0] @ reference[0].T
    precision = float(cosines.amax(dim=1)[hypothesis[1]].mean())
    recall = float(cosines.amax(dim=0)[reference[1]].mean())
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
