"""Estimate the number of annotators needed to rank systems stably, or to cover corrections."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from maege.numbers import format_number
from maege.plan.answers import PlanError, assumed
from maege.plan.questions import check_corpus, check_metrics

if TYPE_CHECKING:
    import duckdb

# Defaults: 95 % of the pairs of systems in the same order, or half of the valid corrections.
ORDERED, HELD = 0.95, 0.5
MEASURES = {"exact": "the same text", "index": "the same words changed"}

ORDERS = """
with largest as (
    select corpus, reference_set
    from ranking_stability
    inner join reference_sets using (corpus, reference_set)
    where metric = $metric and measure = 'pairs' and corpus = coalesce($corpus, corpus)
    order by
        n_systems desc, ranking_stability.n_references desc, not is_default, corpus, reference_set
    limit 1
)
select corpus, reference_set, n_systems, n_references, share, draws_low, draws_high
from ranking_stability
inner join largest using (corpus, reference_set)
where metric = $metric and measure = 'pairs'
order by n_references
"""
CORRECTIONS = """
with largest as (
    select corpus
    from coverage
    where sentence_id is null and corpus = coalesce($corpus, corpus)
    group by corpus
    order by max(n_answers) desc, corpus
    limit 1
)
select
    corpus,
    measure,
    min(n_references) filter (where expected_share >= $share) as needed,
    min(n_references) filter (where ci_high >= $share) as ci_low,
    min(n_references) filter (where ci_low >= $share) as ci_high,
    max(n_references) as most,
    max(n_answers) as n_answers,
    count(ci_low) > 0 as is_sure
from coverage
inner join largest using (corpus)
where sentence_id is null and with_replacement and estimator = $estimator
group by corpus, measure
order by measure
"""
ESTIMATOR = "unseenest_rare"


@dataclass(frozen=True)
class Orders:
    """Agreement of random choices of annotators about the order of systems by a metric.

    `steps` are (number of annotators, share of pairs in the same order, low and high end of its
    range over choices), ascending.
    """

    metric: str
    corpus: str
    reference_set: str
    n_systems: int
    share: float
    steps: tuple[tuple[int, float, float, float], ...]

    @property
    def needed(self) -> int | None:
        """The smallest number of annotators that reaches the share; None if none does."""
        return next((n for n, share, *_ in self.steps if share >= self.share), None)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Assumptions of the estimate."""
        return (
            f"further annotators correct like those of {self.reference_set}",
            f"systems are as similar to each other as these {self.n_systems} of {self.corpus}",
            "the same order means: as by the same number of other annotators; only judges can "
            "show whether that order is right",
        )

    def as_record(self) -> dict[str, Any]:
        """Return what a script reads."""
        names = ("n_annotators", "share", "draws_low", "draws_high")
        steps = [dict(zip(names, step, strict=True)) for step in self.steps]
        found = {"annotators_needed": self.needed, "steps": steps, "assumptions": self.assumptions}
        return asdict(self) | found

    def lines(self) -> Iterator[str]:
        """Yield what a person reads."""
        yield (
            f"{self.metric}: ordering pairs of {self.n_systems} systems as other annotators "
            f"would, {self.corpus}, references {self.reference_set}"
        )
        for n, share, low, high in self.steps:
            yield (
                f"  {n} annotator{'s' if n > 1 else ''}: {format_number(share)} of the pairs "
                f"({format_number(low)} to {format_number(high)} over choices)"
            )
        most = self.steps[-1][0]
        number = (
            self.needed
            or f"more than {most}; larger disjoint choices of annotators are not possible"
        )
        yield f"  For {self.share:g} of the pairs: {number}."
        yield from assumed(self.assumptions)


@dataclass(frozen=True)
class Corrections:
    """The number of annotators per sentence that covers a share of a crowd's corrections.

    `needed` has by measure the number and its 95 % interval; None means more than `most`. There is
    an interval only if `is_sure`: at least 20 sentences with 30 answers each.
    """

    corpus: str
    share: float
    n_answers: int
    most: int
    is_sure: bool
    needed: dict[str, tuple[int | None, int | None, int | None]]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Assumptions of the estimate."""
        return (
            f"annotators write the corrections of the crowd of {self.corpus}, equally often",
            f"sentences are like those of {self.corpus}",
            "each annotator writes one correction, and two may write the same",
        )

    def as_record(self) -> dict[str, Any]:
        """Return what a script reads."""
        names = ("annotators_needed", "ci_low", "ci_high")
        needed = {
            measure: dict(zip(names, found, strict=True)) for measure, found in self.needed.items()
        }
        return asdict(self) | {"needed": needed, "assumptions": self.assumptions}

    def lines(self) -> Iterator[str]:
        """Yield what a person reads."""
        yield (
            f"Annotators needed to cover {self.share:g} of the corrections that "
            f"people would write, from {self.n_answers:,} answers, {self.corpus}"
        )
        for measure, (needed, low, high) in self.needed.items():
            ends = f" [{self._number(low)}, {self._number(high)}]" if self.is_sure else ""
            yield f"  {MEASURES[measure]}: {self._number(needed)}{ends}"
        if not self.is_sure:
            yield "  Too little data for an interval: it needs 20 sentences with 30 answers each."
        yield from assumed(self.assumptions)

    def _number(self, found: int | None) -> str:
        return f"more than {self.most:,}" if found is None else f"{found:,}"


def annotators_for_orders(
    marts: "duckdb.DuckDBPyConnection", metric: str, share: float, corpus: str | None
) -> Orders:
    """Estimate how many annotators are needed to rank systems as other annotators would.

    Args:
        marts: the published marts, of which `ranking_stability` is read.
        metric: the metric that ranks the systems.
        share: required share of pairs of systems in the same order.
        corpus: the corpus of the systems. Default: the one with the most systems.

    Raises:
        UnknownError: the marts do not have the metric or corpus.
        PlanError: the metric has scores of fewer than four annotators or two systems.

    """
    check_metrics(marts, metric)
    check_corpus(marts, corpus)
    rows = marts.execute(ORDERS, {"metric": metric, "corpus": corpus}).fetchall()
    if not rows:
        raise PlanError(
            f"there is no ranking of systems by subsets of annotators with {metric}"
            f"{f' in {corpus}' if corpus else ''}: this needs two systems and a reference set of "
            "four annotators or more, scored by m2, errant, gleu or max_sari "
            '(`maege sql "from ranking_stability"`).'
        )
    name, reference_set, n_systems = rows[0][:3]
    steps = tuple(row[3:] for row in rows)
    return Orders(metric, name, reference_set, n_systems, share, steps)


def annotators_for_corrections(
    marts: "duckdb.DuckDBPyConnection", share: float, corpus: str | None
) -> Corrections:
    """Estimate how many annotators per sentence cover a share of a crowd's corrections.

    Args:
        marts: the published marts, of which `coverage` is read.
        share: required share of the corrections, weighted by how often the crowd wrote them.
        corpus: the corpus of the crowd. Default: the one with the most answers.

    Raises:
        UnknownError: the marts do not have the corpus.
        PlanError: no corpus has corrections by a crowd.

    """
    check_corpus(marts, corpus)
    chosen = {"share": share, "corpus": corpus, "estimator": ESTIMATOR}
    rows = marts.execute(CORRECTIONS, chosen).fetchall()
    if not rows:
        raise PlanError(
            f"there are no corrections by a crowd{f' in {corpus}' if corpus else ''}: have at "
            "least 30 people correct some of your sentences (docs/coverage.md). Or name a metric "
            "to estimate the annotators for a stable ranking of systems."
        )
    name, _, _, _, _, most, n_answers, _ = rows[0]
    is_sure = all(row[-1] for row in rows)
    needed = {row[1]: row[2:5] for row in rows}
    return Corrections(name, share, n_answers, most, is_sure, needed)
