"""How many systems get each chunk of a gold wrong, and the sums of that over a hypothesis."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.metrics.gotoscorer.chunks import IS_RIGHT, OUTCOMES, TN, Chunk, Gold, Hypothesis


class Systems:
    """What all systems do to a source."""

    def __init__(self, outputs: Sequence[tuple[Hypothesis, int]]) -> None:
        """Take different outputs, each with the number of systems that have it."""
        self._outputs = outputs
        self._of_source: Counter[Chunk] = Counter()
        for output, n in outputs:
            wrong = (chunk for chunk, outcome in output.errors.items() if not IS_RIGHT[outcome])
            self._of_source.update(dict.fromkeys(wrong, n))
        self._of_whole_source = self._of_source.total()

    def weigh(self, gold: Gold) -> "Weights":
        """Return the weights of the chunks of a gold."""
        of_edits = [0] * len(gold.edits)
        for output, n in self._outputs:
            for place, outcome in enumerate(output.outcomes(gold.edits)):
                of_edits[place] += n * (not IS_RIGHT[outcome])
        more = sum(number * self._of_source[chunk] for chunk, number in gold.more.items())
        total = self._of_whole_source + more + sum(of_edits)
        return Weights(gold, self._of_source, of_edits, total, sum(n for _, n in self._outputs))


@dataclass(frozen=True)
class Weights:
    """The numbers of systems that get a chunk of the gold wrong, and their total."""

    gold: Gold
    of_source: Counter[Chunk]
    of_edits: Sequence[int]
    total: int
    n_systems: int

    def sums(self, hypothesis: Hypothesis) -> tuple[list[int], list[int]]:
        """Return weights and numbers of the hypothesis' tp, fp, fn and tn.

        What it does not touch is right, but for edits.
        """
        gold = self.gold
        weights, numbers = [0] * len(OUTCOMES), [0] * len(OUTCOMES)
        for chunk, outcome in hypothesis.errors.items():
            number = 1 + gold.more.get(chunk, 0)
            numbers[outcome] += number
            weights[outcome] += number * self.of_source.get(chunk, 0)
        for outcome, weight in zip(hypothesis.outcomes(gold.edits), self.of_edits, strict=True):
            numbers[outcome] += 1
            weights[outcome] += weight
        numbers[TN] += gold.n_chunks - sum(numbers)
        weights[TN] += self.total - sum(weights)
        return _counts(weights), _counts(numbers)


def _counts(of_outcomes: Sequence[int]) -> list[int]:
    tp, fp, fp_and_fn, fn, tn = of_outcomes
    return [tp, fp + fp_and_fn, fn + fp_and_fn, tn]
