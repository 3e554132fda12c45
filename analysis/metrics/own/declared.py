"""The file metrics.yml: metrics of the user's own, scored beside the built-in ones.

`maege metric` writes it, and says of each fault on which line it stands (maege/metrics_file.py).
"""

import os
from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic import field_validator as check_field
from pydantic import model_validator as check_model

INPUTS = ("source", "hypothesis", "references")

Input = Literal["source", "hypothesis", "references"]
MetricName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
# A signature separates its parts by bars.
Value = Annotated[str, StringConstraints(pattern=r"^[^|\n]+$", strip_whitespace=True)]
Function = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$")
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OwnMetric(_Part):
    """One metric: what it reads, and the function that scores it, None where scores come by file.

    `parameters` stand in the signature, so that a change rescores; the function is not given them.
    """

    function: Function | None = None
    inputs: Annotated[tuple[Input, ...], Field(min_length=1)]
    batch: bool = False
    higher_is_better: bool = True
    version: Value = "1"
    parameters: dict[MetricName, Value] = Field(default_factory=dict)

    @check_field("inputs")
    @classmethod
    def _in_order(cls, inputs: tuple[Input, ...]) -> tuple[Input, ...]:
        if len(set(inputs)) < len(inputs):
            raise ValueError("each input once")
        return tuple(sorted(inputs, key=INPUTS.index))

    @check_model(mode="after")
    def _batches_are_of_functions(self) -> Self:
        if self.batch and self.function is None:
            raise ValueError("a function where there is batch: true")
        return self


class MetricsFile(_Part):
    """The whole file."""

    metrics: dict[MetricName, OwnMetric] = Field(default_factory=dict)


def find_metrics_file() -> Path:
    """Return the file that MAEGE_METRICS names, else metrics.yml in the current directory."""
    return Path(os.environ.get("MAEGE_METRICS") or "metrics.yml")


def declared_metrics(path: Path) -> dict[str, OwnMetric]:
    """Return the metrics by name, none where there is no such file; raise ValueError on faults.

    Whether a function can be imported is not looked at.
    """
    if not path.exists():
        return {}
    try:
        # Types are not guessed: a version may be 1.0.
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
        return MetricsFile.model_validate(content or {}).metrics
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
        raise ValueError(
            f"{path} has faults; maege metric list names each with its line\n{error}"
        ) from error
