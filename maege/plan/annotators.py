"""How many annotators would do: to order systems as others would, or to hold what people write."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from maege.numbers import format_number
from maege.plan.answers import PlanError, assumed
from maege.plan.questions import check_corpus, check_metrics

if TYPE_CHECKING:
    import duckdb

# What is asked for by default: 19 of 20 pairs in the same order, or half of what people write.
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
    """How alike choices of so many annotators order systems by a metric.

    `steps` are (annotators, share of pairs ordered alike, its range over choices), ascending.
    """

    metric: str
    corpus: str
    reference_set: str
    n_systems: int
    share: float
    steps: tuple[tuple[int, float, float, float], ...]

    @property
    def needed(self) -> int | None:
        """The least number that reaches the share; None where none of them does."""
        return next((n for n, share, *_ in self.steps if share >= self.share), None)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answer takes for granted."""
        return (
            f"annotators that are added correct as those of {self.reference_set} do",
            f"systems lie as close to each other as these {self.n_systems} of {self.corpus}",
            "alike is: as other annotators, as many, would order them; whether both are right is "
            "a question for judges",
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
                f"  {n} of them: {format_number(share)} of the pairs "
                f"({format_number(low)} to {format_number(high)} over choices)"
            )
        most = self.steps[-1][0]
        number = self.needed or f"more than {most}, and larger choices would share annotators"
        yield f"  For {self.share:g} of the pairs: {number}."
        yield from assumed(self.assumptions)


@dataclass(frozen=True)
class Corrections:
    """How many annotators of a sentence hold a share of what a crowd writes.

    `needed` has by measure the number and its 95 % interval; None where `most` do not do. There is
    no interval unless `is_sure`: of fewer than 20 sentences, or 30 answers each.
    """

    corpus: str
    share: float
    n_answers: int
    most: int
    is_sure: bool
    needed: dict[str, tuple[int | None, int | None, int | None]]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answer takes for granted."""
        return (
            f"annotators write what the crowd of {self.corpus} wrote, each as often as it did",
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
            f"Holding {self.share:g} of what people would write of a sentence, "
            f"from {self.n_answers:,} answers, {self.corpus}"
        )
        for measure, (needed, low, high) in self.needed.items():
            ends = f" [{self._number(low)}, {self._number(high)}]" if self.is_sure else ""
            yield f"  {MEASURES[measure]}: {self._number(needed)}{ends}"
        if not self.is_sure:
            yield "  Too little for an interval: it takes 20 sentences, with 30 answers each."
        yield from assumed(self.assumptions)

    def _number(self, found: int | None) -> str:
        return f"more than {self.most:,}" if found is None else f"{found:,}"


def annotators_for_orders(
    marts: "duckdb.DuckDBPyConnection", metric: str, share: float, corpus: str | None
) -> Orders:
    """Return how many annotators order pairs of systems by a metric as others would.

    Args:
        marts: the published marts, of which it reads `ranking_stability`.
        metric: what orders them.
        share: of all pairs, to be ordered alike.
        corpus: whose systems; by default the one with the most.

    Raises:
        UnknownError: the marts know no such metric or corpus.
        PlanError: no four annotators, or no two systems, that the metric scored.

    """
    check_metrics(marts, metric)
    check_corpus(marts, corpus)
    rows = marts.execute(ORDERS, {"metric": metric, "corpus": corpus}).fetchall()
    if not rows:
        raise PlanError(
            f"nothing says how annotators order systems by {metric}"
            f"{f' in {corpus}' if corpus else ''}: it takes two systems beside a reference set of "
            "four annotators or more, scored by m2, errant, gleu or max_sari "
            '(`maege sql "from ranking_stability"`).'
        )
    name, reference_set, n_systems = rows[0][:3]
    steps = tuple(row[3:] for row in rows)
    return Orders(metric, name, reference_set, n_systems, share, steps)


def annotators_for_corrections(
    marts: "duckdb.DuckDBPyConnection", share: float, corpus: str | None
) -> Corrections:
    """Return how many annotators of a sentence hold a share of what people write.

    Args:
        marts: the published marts, of which it reads `coverage`.
        share: of corrections, drawn as a crowd makes them.
        corpus: whose crowd; by default the one with the most answers.

    Raises:
        UnknownError: the marts know no such corpus.
        PlanError: no crowd answered.

    """
    check_corpus(marts, corpus)
    chosen = {"share": share, "corpus": corpus, "estimator": ESTIMATOR}
    rows = marts.execute(CORRECTIONS, chosen).fetchall()
    if not rows:
        raise PlanError(
            f"no crowd corrected sentences{f' of {corpus}' if corpus else ''}: give some of yours "
            "to thirty people or more each (docs/coverage.md), or name a metric, which asks for "
            "annotators that order systems alike."
        )
    name, _, _, _, _, most, n_answers, _ = rows[0]
    is_sure = all(row[-1] for row in rows)
    needed = {row[1]: row[2:5] for row in rows}
    return Corrections(name, share, n_answers, most, is_sure, needed)
