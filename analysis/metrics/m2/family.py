"""M2, MaxMatch: how many edits of a hypothesis are among those of an annotator.

Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error Correction", and its program, the
M2 scorer 3.2. Nobody says which edits a hypothesis consists of, so the scorer takes those, among
all that lead from the source to the hypothesis (analysis/metrics/m2/lattice.py), that agree best
with the annotator (analysis/metrics/m2/search.py). With the number of edits that agree, of those
proposed and of those in the gold:

    P = agreeing / proposed    R = agreeing / gold    F = (1 + beta^2) P R / (beta^2 P + R)

An annotator without a line is passed over where another one has one, as in the program.
P is 1 with nothing proposed, R is 1 with nothing in the gold. Each sentence of a corpus counts
with the annotator who makes the F of all sentences up to it largest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from maege.analysis.edits import Annotation, Edit, parse_annotation, within
from maege.analysis.metrics.families.base import EditFamily, FloatArray, GoldGroup
from maege.analysis.metrics.families.gold_rows import arrays_of_groups
from maege.analysis.metrics.m2.encoding import Encoder
from maege.analysis.metrics.m2.search import Limits, count_requests, proposed_edits
from maege.analysis.metrics.scores.annotators import chosen_annotators
from maege.analysis.metrics.scores.f_score import f_of_counts
from maege.analysis.metrics.scores.formula import Named, Number
from maege.analysis.metrics.scores.score import ChosenScore, Positions

BETA = 0.5
MAX_UNCHANGED_WORDS = 2

# Some 100 MB each: a lattice with more arcs, or an alignment with more cells, is approximated.
MAX_ARCS = 1 << 21
MAX_CELLS = 1 << 21


@dataclass(frozen=True)
class M2(EditFamily):
    """Counts of the M2 scorer for each annotator.

    `max_unchanged_words` bounds how many unchanged words an edit may span;
    `ignore_whitespace_casing` drops proposed edits of nothing but white space and case; `beta` is
    for scores and choices; `numbers_first_row` gives an insertion before the first token its place
    in the hypothesis, as older releases of the scorer do, and not 0
    (analysis/metrics/m2/first_row.py). `approximated` is 1 where the lattice was too large to be
    searched as the original does.
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
        """All of them; of those that came later, only what is not the default."""
        return (
            ("beta", f"{self.beta:g}"),
            ("max_unchanged_words", str(self.max_unchanged_words)),
            ("ignore_whitespace_casing", "yes" if self.ignore_whitespace_casing else "no"),
            ("silent", "no_error" if self.counts_silence else "passed_over"),
            *((("numbers_first_row", "yes"),) if self.numbers_first_row else ()),
        )

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return tp, proposed, gold and approximated of every group, in order.

        Shape (hypotheses, annotations, 4); NaN in the rows of annotators without a line. An
        edit that ends beyond its sentence counts in the gold; one that starts before it raises
        ValueError.
        """
        encoder = Encoder()
        requests = []
        for group in groups:
            source = encoder.add_source(group.source)
            gold = [parse_annotation(text) for text in group.gold if text is not None]
            first, last = encoder.add_gold(
                group.source, (within(edits, group.source) for edits in gold), [*map(len, gold)]
            )
            requests += [
                (source, encoder.add_hypothesis(hypothesis), first, last)
                for hypothesis in group.hypotheses
            ]
        counts = count_requests(
            encoder.sources(),
            encoder.hypotheses(),
            encoder.gold(),
            np.array(requests, dtype=np.int32).reshape(-1, 4),
            encoder.folded(self.ignore_whitespace_casing),
            limits(self.max_unchanged_words, self.numbers_first_row),
        )
        return list(arrays_of_groups(groups, counts))


class M2NoError(M2):
    """The same, where who saw no error and left no line counts as an annotator without edits."""

    name = "m2_no_error"
    counts_silence = True


def limits(max_unchanged_words: int, numbers_first_row: bool = False) -> Limits:
    """Return the limits of edits and lattices; ValueError for a negative number of words."""
    if max_unchanged_words < 0:
        message = f"max_unchanged_words is {max_unchanged_words}; give 0 or more"
        raise ValueError(message)
    return Limits(max_unchanged_words, MAX_ARCS, MAX_CELLS, numbers_first_row)


def edit_sequence(
    source: str,
    hypothesis: str,
    annotation: Annotation = (),
    max_unchanged_words: int = MAX_UNCHANGED_WORDS,
    ignore_whitespace_casing: bool = False,
) -> tuple[Edit, ...]:
    """Return the edits that the hypothesis is taken to propose to this annotator, in order.

    Without the unchanged words at their ends, as the scorer prints them.
    """
    encoder = Encoder()
    encoder.add_source(source)
    encoder.add_hypothesis(hypothesis)
    encoder.add_gold(source, [annotation])
    edits = proposed_edits(
        encoder.sources().tokens,
        encoder.hypotheses().tokens,
        encoder.gold(),
        0,
        encoder.folded(ignore_whitespace_casing),
        limits(max_unchanged_words),
    )
    words, other_words = source.split(), hypothesis.split()
    return tuple(
        _without_common_words(start, words[start:end], other_words[other_start:other_end])
        for start, end, other_start, other_end in edits.tolist()
    )


def _without_common_words(start: int, words: list[str], others: list[str]) -> Edit:
    shorter = min(len(words), len(others))
    before = 0
    while before < shorter and words[before] == others[before]:
        before += 1
    after = 0
    while after < shorter - before and words[-1 - after] == others[-1 - after]:
        after += 1
    correction = " ".join(others[before : len(others) - after])
    return Edit(start + before, start + len(words) - after, "", (correction,))


@dataclass(frozen=True)
class M2Score(ChosenScore):
    """F of the annotator with the highest; of a corpus, of those that make it largest so far."""

    beta: float = BETA

    family: ClassVar[M2] = M2()

    def sentence_score(self, of: Named) -> Number:
        """Return F against one annotator, in the scorer's form for comparing them."""
        return f_of_counts(of["tp"], of["proposed"], of["gold"], self.beta)

    def choose(self, statistics: FloatArray) -> Positions:
        """Return whom the scorer chooses."""
        return choose_cumulative(statistics, self.beta)

    def counts(self, statistics: FloatArray) -> FloatArray:
        """Return tp, proposed and gold."""
        return statistics[..., :3]


class M2NoErrorScore(M2Score):
    """The same, where silence of an annotator who saw no error counts."""

    family = M2NoError()


def choose_cumulative(statistics: FloatArray, beta: float = BETA) -> Positions:
    """Return the position of the annotator with whom each sentence counts, shape (..., sentences).

    `statistics` has shape (..., sentences, annotators, 3 or more), sentences in file order. The
    annotator makes F of all sentences up to this one largest; ties go to more agreeing edits, then
    to fewer proposed + beta^2 gold, then to the first. Annotators of NaN are passed over; raises
    ValueError where a sentence has none other.
    """
    return chosen_annotators(statistics, beta, by_shares=False)


def choose_per_sentence(statistics: FloatArray, beta: float = BETA) -> Positions:
    """Return the position of the annotator with the best F of the sentence alone.

    As choose_cumulative otherwise, from statistics of shape (..., annotators, 3 or more).
    """
    return chosen_annotators(statistics[..., np.newaxis, :, :], beta, by_shares=False)[..., 0]
