"""M2, MaxMatch: count the edits of a hypothesis that agree with those of an annotator.

Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error Correction", and its program, the M2
scorer 3.2. Among all edit sequences that lead from the source to the hypothesis, the scorer takes
the one that agrees best with the annotator (analysis/metrics/m2_search.py). With the numbers of
agreeing edits, proposed edits and gold edits:

    P = agreeing / proposed    R = agreeing / gold    F = (1 + beta^2) P R / (beta^2 P + R)

Annotators who did not annotate a sentence are skipped if another one did, as in the program. P is 1
if nothing is proposed, R is 1 if the gold is empty. For each sentence of a corpus, the annotator is
chosen that maximises F over all sentences so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from maege.analysis.edits import parse_annotation, within
from maege.analysis.metrics.families import EditFamily, FloatArray, GoldGroup
from maege.analysis.metrics.formula import Named, Number, f_of_counts
from maege.analysis.metrics.scores import ChosenScore, Positions, choose_greedily

if TYPE_CHECKING:
    from maege.analysis.metrics.m2_search import Source

BETA = 0.5
MAX_UNCHANGED_WORDS = 2
_NOTHING = (np.nan,) * 4


@dataclass(frozen=True)
class M2(EditFamily):
    """Counts of the M2 scorer for each annotator.

    `max_unchanged_words` is the maximum number of unchanged words in an edit.
    `ignore_whitespace_casing` drops proposed edits that change only white space and case.
    `numbers_first_row` gives an insertion before the first token its position in the hypothesis
    instead of 0, as older releases of the scorer do. The statistic `approximated` is 1 if the
    lattice was too large to be searched.
    """

    beta: float = BETA
    max_unchanged_words: int = MAX_UNCHANGED_WORDS
    ignore_whitespace_casing: bool = False
    numbers_first_row: bool = False

    name: ClassVar[str] = "m2"
    version = "2"
    per_reference = True
    statistics = ("tp", "proposed", "gold", "approximated")
    cost: ClassVar[int] = 3

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """All parameters; those that were added later only if they differ from the default."""
        return (
            ("beta", f"{self.beta:g}"),
            ("max_unchanged_words", str(self.max_unchanged_words)),
            ("ignore_whitespace_casing", "yes" if self.ignore_whitespace_casing else "no"),
            ("silent", "no_error" if self.counts_silence else "passed_over"),
            *((("numbers_first_row", "yes"),) if self.numbers_first_row else ()),
        )

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return the statistics; an edit that ends beyond its sentence counts in the gold."""
        # Imported here, because kernels are compiled at import.
        from maege.analysis.metrics.m2_search import Options, Source

        options = Options(
            self.max_unchanged_words, self.ignore_whitespace_casing, self.numbers_first_row
        )
        results = []
        for text, same_source in groupby(groups, key=attrgetter("source")):
            source = Source(text.split(), options)
            source_groups = list(same_source)
            counts = _counts(source, text, source_groups)
            results += [
                np.array(
                    [
                        counts.get((hypothesis, annotation), _NOTHING)
                        for hypothesis in group.hypotheses
                        for annotation in group.gold
                    ],
                    np.float64,
                ).reshape(len(group.hypotheses), len(group.gold), len(self.statistics))
                for group in source_groups
            ]
        return results


def _counts(
    source: "Source", text: str, groups: Sequence[GoldGroup]
) -> dict[tuple[str, str | None], tuple[float, ...]]:
    from maege.analysis.metrics.m2_search import gold_edits

    wanted: dict[str, dict[str, None]] = {}
    for group in groups:
        present = dict.fromkeys(gold for gold in group.gold if gold is not None)
        for hypothesis in group.hypotheses:
            wanted.setdefault(hypothesis, {}).update(present)
    edits = {gold: parse_annotation(gold) for gold in chain.from_iterable(wanted.values())}
    words = text.split()
    golds = {
        gold: source.gold(gold_edits(words, within(annotation, text)))
        for gold, annotation in edits.items()
    }
    return {
        (hypothesis, gold): (tp, proposed, len(edits[gold]), approximated)
        for hypothesis, annotations in wanted.items()
        for gold, (tp, proposed, approximated) in zip(
            annotations,
            source.counts(hypothesis.split(), [golds[gold] for gold in annotations]),
            strict=True,
        )
    }


class M2NoError(M2):
    name = "m2_no_error"
    counts_silence = True


@dataclass(frozen=True)
class M2Score(ChosenScore):
    beta: float = BETA

    family: ClassVar[M2] = M2()

    def sentence_score(self, of: Named) -> Number:
        return f_of_counts(of["tp"], of["proposed"], of["gold"], self.beta)

    def choose(self, statistics: FloatArray) -> Positions:
        counts = self.counts(statistics)
        tp, proposed, gold = np.moveaxis(counts, -1, 0)
        return choose_greedily(
            counts,
            lambda sums: f_of_counts(sums[..., 0], sums[..., 1], sums[..., 2], self.beta),
            (tp, -(self.beta**2 * gold + proposed)),
        )

    def counts(self, statistics: FloatArray) -> FloatArray:
        return statistics[..., :3]


class M2NoErrorScore(M2Score):
    family = M2NoError()
