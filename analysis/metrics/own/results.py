"""Results of a user's function, as scores and failures.

If the function raises, or returns NaN, infinity, something that is not a number, or a list of the
wrong length, the failure is stored for the inputs that caused it.
"""

import math
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from maege.analysis.metrics.own.interface import NoScore, Unavailable

LONGEST_FAILURE = 200

Inputs = Mapping[str, Sequence[Any]]


class Scored(NamedTuple):
    """A score, or NaN and the reason for the missing score."""

    score: float
    failure: str | None = None
    # Whether the call raised an exception, in contrast to returning an invalid score.
    raised: bool = False


def ended_by(code: int) -> str:
    """Return why a scoring process ended; raise KeyboardInterrupt if Ctrl-C ended it.

    Ctrl-C reaches all processes, and is not a fault of any input.
    """
    if code == -signal.SIGINT:
        raise KeyboardInterrupt
    if code < 0:
        with suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"


def count(inputs: Inputs) -> int:
    """Return the number of inputs."""
    return len(next(iter(inputs.values())))


def part_of(inputs: Inputs, start: int, stop: int) -> Inputs:
    """Return the inputs from `start` to `stop` (exclusive)."""
    return {name: values[start:stop] for name, values in inputs.items()}


def score_batch(function: Callable[..., Any], inputs: Inputs) -> list[Scored]:
    """Return the results of a function that scores lists, halving lists that fail.

    Raises Unavailable if the function does, because that is not a fault of any input.
    """
    n_inputs = count(inputs)
    try:
        values = list(function(**{name: _copied(values) for name, values in inputs.items()}))
        if len(values) != n_inputs:
            raise ValueError(f"{len(values)} scores for {n_inputs} inputs")
    except Unavailable:
        raise
    # Any other exception of a function, even SystemExit, is a failure of its inputs only.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        if n_inputs == 1:
            return [_failed(error)]
        middle = n_inputs // 2
        return [
            *score_batch(function, part_of(inputs, 0, middle)),
            *score_batch(function, part_of(inputs, middle, n_inputs)),
        ]
    return [checked(value) for value in values]


def score_one(function: Callable[..., Any], arguments: dict[str, Any]) -> Scored:
    """Return the result of one call."""
    try:
        return checked(function(**arguments))
    except (Exception, SystemExit) as error:  # noqa: BLE001 (as in a batch)
        return _failed(error)


def _copied(values: Sequence[Any]) -> list[Any]:
    """Return copies of lists, so that a function cannot change the arguments of another call."""
    return [list(value) if isinstance(value, list) else value for value in values]


def checked(value: Any) -> Scored:  # noqa: ANN401 (that is the question)
    """Return the score that a function returned, or the reason why it is invalid."""
    if type(value) is float and math.isfinite(value):
        return Scored(value)
    if isinstance(value, NoScore):
        return Scored(math.nan, shortened(value.reason))
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        shown = shortened(repr(value))
        return Scored(math.nan, f"not a number: {type(value).__name__} {shown}")
    if math.isfinite(number):
        return Scored(number)
    return Scored(math.nan, f"not a finite number: {number}")


def preference(result: Scored) -> Scored:
    """Return the result if it is a valid preference between two texts, else the reason."""
    if result.failure is None and abs(result.score) > 1:
        return Scored(math.nan, f"not a preference from -1 to 1: {result.score:g}")
    return result


def _failed(error: BaseException) -> Scored:
    return Scored(math.nan, shortened(f"{type(error).__name__}: {error}"), raised=True)


def shortened(text: str) -> str:
    """Return the text on one line, truncated if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_FAILURE else line[: LONGEST_FAILURE - 3] + "..."
