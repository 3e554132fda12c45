"""An n-gram model in KenLM's binary format, built from an ARPA file; read by the package kenlm."""

from pathlib import Path
from typing import Any

from maege.analysis.metrics.referenceless.language_models.interface import ModelFileError
from maege.analysis.metrics.referenceless.language_models.ngram_model import END, START, NgramModel

MAGIC = b"mmap lm http://kheafield.com/code"
# This release has only source code, so pip needs a compiler.
PACKAGES = {"kenlm": "pip install kenlm==0.3.0 (needs a C++ compiler and CMake)"}


class KenlmModel(NgramModel[Any]):
    """A loaded binary; a history is a state of KenLM."""

    def __init__(self, path: Path) -> None:
        """Load the file; raise ModelFileError if KenLM cannot read it."""
        import kenlm

        try:
            self._model: Any = kenlm.Model(str(path))
        except (OSError, RuntimeError, ValueError) as error:
            raise ModelFileError(f"{path}: KenLM cannot read it: {error}") from None
        if START not in self._model or END not in self._model:
            raise ModelFileError(f"{path}: expected <s> and </s> among the words, found one alone")
        self._new_state = kenlm.State
        self.start, self.empty = kenlm.State(), kenlm.State()
        self._model.BeginSentenceWrite(self.start)
        self._model.NullContextWrite(self.empty)

    def unigram(self, word: str) -> float | None:
        """Return log10 of the word's probability, None if the model does not know it."""
        return self.after(self.empty, word)[0] if word in self._model else None

    def after(self, history: Any, word: str) -> tuple[float, Any]:  # noqa: ANN401 (a state)
        """Return log10 of a word's probability after a history, and the next history."""
        following = self._new_state()
        return float(self._model.BaseScore(history, word, following)), following
