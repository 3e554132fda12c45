"""The weighted sum of grammaticality, fluency and meaning (Asano et al. 2017, Equation 3).

The weights .07, .83 and .10 are the paper's, tuned on JFLEG. They affect only the sum, so other
weights require no new scoring of texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from maege.analysis.metrics.referenceless.fluency import FluencyScore
from maege.analysis.metrics.referenceless.meaning import MeaningScore
from maege.analysis.metrics.scores.formula import Named, Number
from maege.analysis.metrics.scores.score import Composite, Score, ScoredElsewhere

PUBLISHED = {"grammaticality": 0.07, "fluency": 0.83, "meaning": 0.10}


@dataclass(frozen=True)
class ReferencelessScore(Composite):
    """The weighted sum; a corpus has the mean of its sentences."""

    weights: Mapping[str, float] = field(default_factory=lambda: dict(PUBLISHED))

    @property
    def parts(self) -> Mapping[str, Score]:
        """Return the three scores."""
        return {
            "grammaticality": ScoredElsewhere("grammaticality"),
            "fluency": FluencyScore(),
            "meaning": MeaningScore(),
        }

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The weights, as entries of a signature."""
        return (("weights", ",".join(f"{self.weights[name]:g}" for name in PUBLISHED)),)

    def combine(self, of: Named) -> Number:
        """Return the weighted sum."""
        grammaticality, fluency, meaning = (self.weights[name] * of[name] for name in PUBLISHED)
        return grammaticality + fluency + meaning
