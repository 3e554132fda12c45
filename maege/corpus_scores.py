"""Corpus scores as a data frame that is also a number if it has one system."""

from typing import Any

from pandas import DataFrame


class CorpusScores(DataFrame):  # type: ignore[misc] # pandas has no types here
    """Corpus scores with the columns system, n_sentences, score and signature, one row per system.

    For a single system, `.score` and `float()` are its score. Parts of the frame are plain frames.
    """

    @property
    def score(self) -> Any:  # noqa: ANN401 (a float or a column)
        """The score of the only system; the column if there are several systems."""
        return float(self["score"].iloc[0]) if len(self) == 1 else self["score"]

    @property
    def signature(self) -> str:
        """The signature of the metric: its name, parameters and version."""
        return str(self["signature"].iloc[0])

    def __float__(self) -> float:
        if len(self) != 1:
            raise TypeError(f"found the scores of {len(self)} systems; expected those of one")
        return float(self.score)
