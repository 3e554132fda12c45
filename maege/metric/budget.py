"""What whole sentences of a nested sample would cost, and the most of them that a budget has."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from maege.analysis.metrics.own.interface import Cost
from maege.analysis.metrics.own.results import Inputs, count


@dataclass(frozen=True)
class Step:
    """What the sentence at a place of the order of a corpus adds: inputs, and their cost."""

    corpus: str
    place: int
    n_inputs: int
    cost: Cost


@dataclass(frozen=True)
class Limits:
    """What may be spent: US dollars and hours."""

    usd: float = math.inf
    hours: float = math.inf


@dataclass(frozen=True)
class Affordable:
    """The most sentences of each corpus within the limits, and what they take.

    `n_sentences` is that of the largest corpus where all of them are within.
    """

    n_sentences: int
    n_inputs: int
    hours: float
    usd: float
    is_all: bool


def steps_of(
    sentences: Iterable[tuple[str, int, Inputs]], estimate: Callable[[Inputs], Cost]
) -> list[Step]:
    """Return a step for each sentence: its corpus, its place and the inputs that it adds."""
    return [
        Step(corpus, place, count(inputs), estimate(inputs)) for corpus, place, inputs in sentences
    ]


def total(steps: Iterable[Step]) -> Cost:
    """Return the cost of all steps."""
    costs = [step.cost for step in steps]
    return Cost(
        sum(cost.prompt_tokens for cost in costs),
        sum(cost.completion_tokens for cost in costs),
        sum(cost.usd for cost in costs),
    )


def affordable(
    steps: Sequence[Step], hours_of: Callable[[int], float], limits: Limits
) -> Affordable:
    """Return the most sentences that stay within the limits, 0 where one is too many.

    Args:
        steps: in the order in which a sample takes sentences, of each corpus the first, then of
            each the second, ...
        hours_of: the hours that so many inputs take.
        limits: of the whole.

    """
    found = Affordable(0, 0, 0.0, 0.0, is_all=not steps)
    n_inputs, usd = 0, 0.0
    for at, step in enumerate(steps):
        n_inputs += step.n_inputs
        usd += step.cost.usd
        is_last = at == len(steps) - 1
        if not is_last and steps[at + 1].place == step.place:
            continue
        hours = hours_of(n_inputs)
        if usd > limits.usd or hours > limits.hours:
            break
        found = Affordable(step.place, n_inputs, hours, usd, is_all=is_last)
    return found
