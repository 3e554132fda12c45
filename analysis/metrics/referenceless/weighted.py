"""The weighted sum of grammaticality, fluency and meaning (Asano et al. 2017, Equation 3).

The weights .07, .83 and .10 are the paper's, tuned on JFLEG. They belong to the sum alone: another
choice scores nothing anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.metrics.formula import Named, Number
from analysis.metrics.referenceless.fluency import FluencyScore
from analysis.metrics.referenceless.meaning import MeaningScore
from analysis.metrics.score import Composite, Score, ScoredElsewhere

PUBLISHED = {"grammaticality": 0.07, "fluency": 0.83, "meaning": 0.10}
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class ReferencelessScore(Composite):
    """The sum; a corpus has the mean of its sentences."""

    weights: Mapping[str, float] = field(default_factory=lambda: dict(PUBLISHED))

    @property
    def parts(self) -> Mapping[str, Score]:
        """The three scores."""
        return {
            "grammaticality": ScoredElsewhere("grammaticality"),
            "fluency": FluencyScore(),
            "meaning": MeaningScore(),
        }

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The weights, as a signature has them."""
        return (("weights", ",".join(f"{self.weights[name]:g}" for name in PUBLISHED)),)

    def combine(self, of: Named) -> Number:
        """Return the sum."""
        grammaticality, fluency, meaning = (self.weights[name] * of[name] for name in PUBLISHED)
        return grammaticality + fluency + meaning


def read_weights(value: Any) -> dict[str, float]:  # noqa: ANN401 (whatever the variable holds)
    """Return the weights of the variable; raise ValueError unless they are three that make 1."""
    wanted = f"expected {', '.join(PUBLISHED)}, each at least 0, together 1"
    if not isinstance(value, Mapping) or value.keys() != PUBLISHED.keys():
        raise ValueError(f"variable referenceless_weights: found {value!r}; {wanted}")
    weights = {}
    for name in PUBLISHED:
        weight = value[name]
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not is_number or not 0 <= weight <= 1:
            raise ValueError(f"variable referenceless_weights: found {name}: {weight!r}; {wanted}")
        weights[name] = float(weight)
    if abs(sum(weights.values()) - 1) > _TOLERANCE:
        raise ValueError(
            f"variable referenceless_weights: found a sum of {sum(weights.values()):g}; {wanted}"
        )
    return weights
