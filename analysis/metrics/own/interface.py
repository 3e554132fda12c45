"""The interface of user metrics: `maege.Metric`, its return values, and how they are called.

Any class with `score_batch` is a metric with a set-up. If a function or `score_batch` raises, or
returns an invalid score or a list of the wrong length, the failure is stored for the inputs that
caused it. This module imports only the standard library, because the metric may run in another
Python.
"""

import hashlib
import importlib
import importlib.util
import inspect
import math
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

INPUTS = ("source", "hypothesis", "other", "references")


class Unavailable(Exception):  # noqa: N818 (a state, which no input is to blame for)
    """The metric is unavailable for now. Scores so far are kept; a later build resumes."""


@dataclass(frozen=True)
class NoScore:
    """A missing score with its reason; `None` and NaN mean the same without a reason."""

    reason: str


@dataclass(frozen=True)
class Cost:
    """The cost of scoring some inputs: tokens sent and answered, and US dollars."""

    prompt_tokens: float = 0
    completion_tokens: float = 0
    usd: float = 0


def problem_with_reads(reads: Sequence[str]) -> str | None:
    if "other" in reads and ("hypothesis" not in reads or "references" in reads):
        return "hypothesis together with other, without references"
    return None


class Metric:
    """A metric that is set up once per process and scores in batches.

    Attributes:
        reads: some of source, hypothesis, references, the arguments of `score_batch`. Each is a
            list with one entry per input; an entry of references is a list of texts. With `other`,
            a second text to compare with the hypothesis, the score is a preference: 1 if the
            hypothesis is better, -1 if the other text is better, 0 if neither is. Each pair is
            scored in both orders.
        batch_size: maximum number of inputs per call. The inputs of a call have similar lengths.
        processes: number of scoring processes; "auto" uses the number of workers of the build.
        device: argument of `setup`. "auto" is cuda:0, cuda:1 ... for the first, second ... process,
            or cpu without a GPU.
        seconds: timeout of a call of `score_batch`, unless metrics.yml has one.
        per_text: `score_batch(texts)` returns a number for each text and is called once per text
            and process; `combine` computes the score from these numbers.
        higher_is_better: False for a count of errors.
    """

    reads: Sequence[str] = ("source", "hypothesis")
    batch_size: int = 64
    processes: int | str = 1
    device: str = "auto"
    seconds: float = 600
    per_text: bool = False
    higher_is_better: bool = True

    def setup(self, device: str) -> None:
        """Load models and other slow resources, without a timeout; may raise Unavailable."""

    def signature(self) -> str:
        """Return what scores depend on besides module and parameters, such as a hash of weights."""
        return ""

    def notice(self) -> str:
        """Return a notice for the user, such as that texts leave the machine."""
        return ""

    def score_batch(self, *texts: Any, **inputs: Any) -> Sequence[float | NoScore | None]:  # noqa: ANN401
        """Return one score per input; may raise Unavailable."""
        raise NotImplementedError

    def combine(self, values: Mapping[str, float], **inputs: Any) -> float | NoScore | None:  # noqa: ANN401
        """Return the score of one input from the numbers of its texts, by text."""
        raise NotImplementedError

    def estimate(self, **inputs: Any) -> Cost:  # noqa: ANN401, ARG002
        """Return the cost of scoring these inputs; the default is no cost."""
        return Cost()


# --- Import and call the functions and classes that metrics.yml names ---


class FunctionError(Exception):
    """The function is not available; the message says why."""


def search_folders(metrics_file: Path) -> tuple[str, ...]:
    folders = (metrics_file.resolve().parent, Path.cwd())
    return tuple(dict.fromkeys(str(folder) for folder in folders))


def load_function(name: str, folders: tuple[str, ...]) -> Callable[..., Any]:
    module_name, _, function_name = name.partition(":")
    sys.path.extend(folder for folder in folders if folder not in sys.path)
    importlib.invalidate_caches()
    try:
        module = importlib.import_module(module_name)
    # A module's import may fail in any way, and may even end the program.
    except (Exception, SystemExit) as error:
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        raise FunctionError(f"{module_name} cannot be imported: {problem}") from error
    function = getattr(module, function_name, None)
    if not callable(function):
        problem = "no" if function is None else f"a {type(function).__name__}, not a function,"
        raise FunctionError(f"{module_name} has {problem} {function_name}")
    checked: Callable[..., Any] = function
    return checked


def source_sha256(name: str, folders: tuple[str, ...]) -> str:
    load_function(name, folders)
    module = name.partition(":")[0]
    file = importlib.import_module(module).__file__
    if file is None:
        raise FunctionError(f"{module} has no source file")
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def problem_with_source(name: str, folders: tuple[str, ...], sha256: str) -> str | None:
    module = name.partition(":")[0]
    sys.path.extend(folder for folder in folders if folder not in sys.path)
    importlib.invalidate_caches()
    try:
        spec = importlib.util.find_spec(module)
    # The packages around a module are imported, which may fail in any way.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return f"{module} cannot be found: {type(error).__name__}: {error}"
    if spec is None or not spec.origin or not Path(spec.origin).is_file():
        return f"{module}: expected a module with SHA-256 {sha256[:12]}, found none"
    content = hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()
    if content != sha256:
        return f"{spec.origin}: expected SHA-256 {sha256[:12]}, found {content[:12]}"
    return None


def check_arguments(function: Callable[..., Any], inputs: Sequence[str]) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some compiled functions do not tell
        return
    try:
        signature.bind(**dict.fromkeys(inputs))
    except TypeError as error:
        call = ", ".join(f"{name}=..." for name in inputs)
        raise FunctionError(
            f"it is called as {function.__name__}({call}), but takes {signature}: {error}"
        ) from None


LONGEST_FAILURE = 200

Inputs = Mapping[str, Sequence[Any]]


class Scored(NamedTuple):
    """A score, or NaN and the reason for the missing score."""

    score: float
    failure: str | None = None
    # Whether the call raised an exception, in contrast to returning an invalid score.
    raised: bool = False


def ended_by(code: int) -> str:
    # Ctrl-C ends all processes.
    if code == -signal.SIGINT:
        raise KeyboardInterrupt
    if code < 0:
        with suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"


def count(inputs: Inputs) -> int:
    return len(next(iter(inputs.values())))


def part_of(inputs: Inputs, start: int, stop: int) -> Inputs:
    return {name: values[start:stop] for name, values in inputs.items()}


def score_batch(function: Callable[..., Any], inputs: Inputs) -> list[Scored]:
    """Return the results of a function that scores lists, halving lists that fail."""
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
    try:
        return checked(function(**arguments))
    except (Exception, SystemExit) as error:  # noqa: BLE001 (as in a batch)
        return _failed(error)


def _copied(values: Sequence[Any]) -> list[Any]:
    # So that a function cannot change the arguments of another call.
    return [list(value) if isinstance(value, list) else value for value in values]


def checked(value: Any) -> Scored:  # noqa: ANN401 (that is the question)
    if type(value) is float and math.isfinite(value):
        return Scored(value)
    if isinstance(value, NoScore):
        return Scored(math.nan, shortened(value.reason))
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        text = shortened(repr(value))
        return Scored(math.nan, f"not a number: {type(value).__name__} {text}")
    if math.isfinite(number):
        return Scored(number)
    return Scored(math.nan, f"not a finite number: {number}")


def preference(result: Scored) -> Scored:
    if result.failure is None and abs(result.score) > 1:
        return Scored(math.nan, f"not a preference from -1 to 1: {result.score:g}")
    return result


def _failed(error: BaseException) -> Scored:
    return Scored(math.nan, shortened(f"{type(error).__name__}: {error}"), raised=True)


def shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_FAILURE else line[: LONGEST_FAILURE - 3] + "..."
