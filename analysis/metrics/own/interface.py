"""The interface of user metrics with a set-up: `maege.Metric` and its return values.

Any class with `score_batch` is such a metric, and `Metric` has the defaults. This module imports
only the standard library, because the metric may run in another Python.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    """Return the rule that inputs with `other` break, None if they are valid."""
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
        seconds: timeout of a call of `score_batch`, unless `maege metric add` sets one.
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
        """Return everything that scores depend on besides the module and the parameters.

        Examples are the hash of weights and the versions of libraries. Called before `setup`.
        """
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
