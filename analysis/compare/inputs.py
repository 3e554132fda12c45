"""What a comparison is given: gold, outputs, and what is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from maege.analysis.compare.edits.gold import Gold
from maege.analysis.compare.results import GoldEdits, Note
from maege.analysis.edits import Annotation
from maege.analysis.metrics.errant import BETA, Matching


@dataclass(frozen=True)
class GoldInput:
    """The gold as its file has it.

    `references` are the texts that edits are to be extracted from, a list a sentence, where no file
    has edits; `texts` those that metrics of texts read where a file has them beside the edits.
    """

    path: str
    sha256: str
    gold: Gold
    references: Sequence[tuple[str, ...]] | None = None
    texts: Sequence[tuple[str, ...]] | None = None

    @property
    def reference_texts(self) -> Sequence[tuple[str, ...]] | None:
        """The texts that metrics of texts read; None where they are made from edits."""
        return self.texts if self.references is None else self.references


@dataclass(frozen=True)
class Output:
    """A system's output: a text for each sentence, and the edits where its file has them."""

    name: str
    path: str
    sha256: str
    texts: tuple[str, ...]
    annotations: tuple[Annotation, ...] | None = None
    empty_lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Settings:
    """What is asked for; `gold_edits` None leaves the choice to the gold's types.

    `types` are patterns of error types, all of them if empty, None for no table of types.
    """

    metrics: tuple[str, ...] = ("errant", "m2")
    match: Matching = "cs"
    gold_edits: GoldEdits | None = None
    beta: float = BETA
    tier: int = 3
    types: tuple[str, ...] | None = ()
    resamples: int = 10_000
    seed: int = 1
    alpha: float = 0.05
    all_pairs: bool = False
    margin: float | None = None
    language: str = "en"


@dataclass(frozen=True)
class Inputs:
    """All that is compared; the first output is the baseline."""

    gold: GoldInput
    outputs: tuple[Output, ...]
    settings: Settings
    maege: str
    notes: tuple[Note, ...] = field(default=())
