"""A metric of the user's own: a function that somebody else wrote, or scores made elsewhere.

Its score is its only statistic. What such a function may do wrong (raise, return NaN, infinity, no
number, a list of the wrong length) is kept as the failure of the inputs that caused it; these have
no score. The other inputs, and other metrics, are not touched by it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from analysis.extraction.pipeline import Missing
from analysis.metrics.own.declared import OwnMetric, declared_metrics, find_metrics_file
from analysis.metrics.own.functions import (
    FunctionError,
    check_arguments,
    load_function,
    search_folders,
    source_sha256,
)

# Work of one call in units of the cheapest family: some thousand calls make a chunk.
COST = 20
LONGEST_FAILURE = 200

Inputs = Mapping[str, Sequence[Any]]


class Scored(NamedTuple):
    """A score, NaN where there is none, and why there is none."""

    score: float
    failure: str | None = None


@dataclass(frozen=True)
class OwnFamily:
    """One metric of metrics.yml, as workers get it.

    `content` names what its scores come from besides its inputs: the hash of the function's module,
    or of the scores that were loaded. `missing` says why the function cannot be called.
    """

    metric: str
    definition: OwnMetric
    folders: tuple[str, ...]
    content: str
    missing: Missing | None = None

    @property
    def name(self) -> str:
        """The family's name, which no family of the warehouse has."""
        return f"own:{self.metric}"

    def signature(self) -> str:
        """Return what the cache key holds: all that a score depends on besides its inputs."""
        about = self.definition
        kind = "scores" if about.function is None else "sha256"
        parts = [self.metric]
        if about.function is not None:
            parts.append(f"function:{about.function}")
        parts.append(f"inputs:{'+'.join(about.inputs)}")
        parts += [f"{key}:{value}" for key, value in sorted(about.parameters.items())]
        return "|".join([*parts, f"{kind}:{self.content[:12]}", f"v:{about.version}"])

    def compute(self, inputs: Inputs) -> list[Scored]:
        """Return one result for each input, whose parts stand in lists of one length."""
        n_inputs = len(next(iter(inputs.values())))
        if self.definition.function is None:
            raise ValueError(f"the scores of {self.metric} come from a file, not from a function")
        try:
            loaded = load_function(self.definition.function, self.folders)
        except FunctionError as error:
            return [Scored(math.nan, _shortened(str(error)))] * n_inputs
        function = partial(loaded, **self.definition.parameters)
        if self.definition.batch:
            return score_batch(function, inputs)
        names = tuple(inputs)
        return [
            _called(function, dict(zip(names, values, strict=True)))
            for values in zip(*inputs.values(), strict=True)
        ]


def own_families(loaded_scores: Mapping[str, str] | None = None) -> list[OwnFamily]:
    """Return the metrics of metrics.yml by function and by file, with the functions imported.

    Args:
        loaded_scores: by metric, the hash of the scores that came by file.

    Raises:
        ValueError: metrics.yml has faults.

    """
    path = find_metrics_file()
    folders = search_folders(path)
    families = []
    for name, definition in declared_metrics(path).items():
        if definition.language_model is not None:
            continue
        content, missing = (loaded_scores or {}).get(name, "none"), None
        if definition.function is not None:
            try:
                check_arguments(load_function(definition.function, folders), definition.arguments)
                content = source_sha256(definition.function, folders)
            except FunctionError as error:
                content = "missing"
                missing = Missing(
                    f"{definition.function} cannot be called: {_shortened(str(error))}",
                    "install or correct the module, or name another function: "
                    f"maege metric remove {name}, then maege metric add",
                )
        families.append(OwnFamily(name, definition, folders, content, missing))
    return families


def score_batch(function: Callable[..., Any], inputs: Inputs) -> list[Scored]:
    """Return the results of a function that scores lists, halved until it is known what fails."""
    n_inputs = len(next(iter(inputs.values())))
    try:
        values = list(function(**{name: _copied(values) for name, values in inputs.items()}))
        if len(values) != n_inputs:
            raise ValueError(f"{len(values)} scores for {n_inputs} inputs")
    # Whatever a function raises, even SystemExit, is the failure of its inputs alone.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        if n_inputs == 1:
            return [_failed(error)]
        middle = n_inputs // 2
        halves = (slice(0, middle), slice(middle, None))
        return [
            result
            for half in halves
            for result in score_batch(function, {k: v[half] for k, v in inputs.items()})
        ]
    return [_checked(value) for value in values]


def _called(function: Callable[..., Any], arguments: dict[str, Any]) -> Scored:
    try:
        return _checked(function(**arguments))
    except (Exception, SystemExit) as error:  # noqa: BLE001 (as in a batch)
        return _failed(error)


def _copied(values: Sequence[Any]) -> list[Any]:
    """Return lists that a function may change without changing another call's."""
    return [list(value) if isinstance(value, list) else value for value in values]


def _checked(value: Any) -> Scored:  # noqa: ANN401 (that is the question)
    if type(value) is float and math.isfinite(value):
        return Scored(value)
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        shown = _shortened(repr(value))
        return Scored(math.nan, f"not a number: {type(value).__name__} {shown}")
    if math.isfinite(number):
        return Scored(number)
    return Scored(math.nan, f"not a finite number: {number}")


def _failed(error: BaseException) -> Scored:
    return Scored(math.nan, _shortened(f"{type(error).__name__}: {error}"))


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_FAILURE else line[: LONGEST_FAILURE - 3] + "..."
