"""The file metrics.yml: user-defined metrics, scored along with the built-in ones.

Users write it; `maege metric check` says what to write instead of a fault (maege/metric/file.py).
"""

import os
from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic import field_validator as check_field
from pydantic import model_validator as check_model

from maege.analysis.metrics.own.interface import INPUTS, problem_with_reads

Input = Literal["source", "hypothesis", "other", "references"]
# Reserved words: where the marts name a metric, these mean all metrics or no metric.
RESERVED = ("all", "none")
CHANCE = "chance_"

MetricName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
# A signature separates its parts by bars.
Value = Annotated[str, StringConstraints(pattern=r"^[^|\n]+$", strip_whitespace=True)]
Function = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$")
]

# A BCP 47 tag.
Language = Annotated[
    str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", strip_whitespace=True)
]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OwnMetric(_Part):
    """docs/your-metric.md describes the keys. Paths are relative to metrics.yml."""

    function: Function | None = None
    metric_class: Function | None = None
    python: Value | None = None
    language_model: Value | None = None
    sha256: Sha256 | None = None
    lower: bool = False
    inputs: tuple[Input, ...] = ()
    batch: bool = False
    higher_is_better: bool = True
    version: Value = "1"
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    parameters: dict[MetricName, Value] = Field(default_factory=dict)
    settings: dict[MetricName, Value] = Field(default_factory=dict)
    languages: tuple[Language, ...] = ()
    sample_sentences: Annotated[int, Field(ge=1)] | None = None
    draws: Annotated[int, Field(ge=1)] | None = None
    # For files written before version 2 of the marts: all lattices are the paper's.
    mode: Literal["paper"] | None = None

    @check_field("inputs")
    @classmethod
    def _in_order(cls, inputs: tuple[Input, ...]) -> tuple[Input, ...]:
        if len(set(inputs)) < len(inputs):
            raise ValueError("each input once")
        return tuple(sorted(inputs, key=INPUTS.index))

    @check_model(mode="after")
    def _check_combinations(self) -> Self:
        if self.batch and self.function is None:
            raise ValueError("a function where there is batch: true")
        if sum(way is not None for way in (self.function, self.metric_class)) > 1:
            raise ValueError("one of function and metric_class")
        parts = [name for name in ("sample_sentences", "draws") if getattr(self, name)]
        if parts and not (self.function or self.metric_class):
            raise ValueError(f"a function or metric_class where there is {' or '.join(parts)}")
        if (self.python is not None or self.settings) and self.metric_class is None:
            raise ValueError("a metric_class where there is python or settings")
        if duplicates := sorted(self.parameters.keys() & self.settings.keys()):
            raise ValueError(f"{', '.join(duplicates)} as a parameter or as a setting, not as both")
        if self.compares:
            if self.metric_class is None:
                raise ValueError("a metric_class where there is other: no function compares texts")
            if problem := problem_with_reads(self.inputs):
                raise ValueError(problem)
        if not (self.inputs or self.metric_class or self.language_model):
            raise ValueError(f"the key inputs, some of {', '.join(INPUTS)}")
        if self.language_model is None:
            if self.sha256 is not None or self.lower:
                raise ValueError("a language_model where there is sha256 or lower")
        elif self.function or self.metric_class or self.inputs not in ((), ("hypothesis",)):
            raise ValueError("inputs: [hypothesis] and no function where there is a language_model")
        return self

    @check_field("parameters")
    @classmethod
    def _named_otherwise_than_inputs(cls, parameters: dict[str, str]) -> dict[str, str]:
        if reserved := sorted(parameters.keys() & set(INPUTS)):
            raise ValueError(f"names that no input has: not {', '.join(reserved)}")
        return parameters

    @property
    def arguments(self) -> tuple[str, ...]:
        return (*self.inputs, *self.parameters)

    @property
    def compares(self) -> bool:
        return "other" in self.inputs

    @property
    def asks_all_draws(self) -> bool:
        # Classes are too expensive, except comparisons, because steps are sampled only once.
        return self.draws is None and (self.metric_class is None or self.compares)

    def scope(self, n_draws: int | None, n_all_draws: int) -> str | None:
        parts = []
        if self.sample_sentences is not None:
            parts.append(f"{self.sample_sentences:,} sentences of each corpus")
        if n_draws is not None and n_draws < n_all_draws:
            parts.append(f"{n_draws} of {n_all_draws} draws of sampled corpora")
        if self.compares:
            parts.append("single edits only, because it compares texts")
        return ", ".join(parts) or None

    @property
    def by_file(self) -> bool:
        return not (self.function or self.metric_class or self.language_model)


def _not_reserved(name: str) -> str:
    if name in RESERVED or name.startswith(CHANCE):
        raise ValueError(
            f"a name that the marts do not use: not {', '.join(RESERVED)}, {CHANCE}..."
        )
    return name


class MetricsFile(_Part):
    """The whole file; `languagetool` selects LanguageTool's metrics, if this project enabled it."""

    metrics: dict[Annotated[MetricName, AfterValidator(_not_reserved)], OwnMetric] = Field(
        default_factory=dict
    )
    languagetool: bool = False


def find_metrics_file() -> Path:
    return Path(os.environ.get("MAEGE_METRICS") or "metrics.yml")


def declared_metrics(path: Path) -> dict[str, OwnMetric]:
    return declared_file(path).metrics


def declared_file(path: Path) -> MetricsFile:
    if not path.exists():
        return MetricsFile()
    try:
        # Values are read as text, because a version may be 1.0.
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
        return MetricsFile.model_validate(content or {})
    except (ValueError, OSError, yaml.YAMLError, RecursionError) as error:
        faults = str(error)
        if isinstance(error, ValidationError):
            faults = "; ".join(
                f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}, found {fault['input']!r}"
                for fault in error.errors()
            )
        raise ValueError(
            f"{path}: {faults}\nmaege metric check names the lines and says what to write instead."
        ) from None
