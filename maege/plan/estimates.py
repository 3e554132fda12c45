"""Estimate sample sizes from the confidence intervals in the published marts."""

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from maege.analysis.statistics.resampling import (
    LEAST_SENTENCES,
    LEAST_SYSTEMS,
    margin_shown,
    power_of,
    standard_error,
    units_to_equal,
    units_to_tell,
)
from maege.cards.parts import render_text
from maege.names import UnknownError, unknown
from maege.rows import records

if TYPE_CHECKING:
    import duckdb

Kind = Literal["sentences", "judges", "systems"]
# Fisher's z of a correlation has the variance 1 / (n - 3).
LOST = {"systems": 3}


class PlanError(Exception):
    """The marts lack data for an estimate; the message says which, and how to get them."""


class Estimate(NamedTuple):
    """An estimate: the record for JSON, with its `assumptions`, and the text for the terminal."""

    record: dict[str, Any]
    text: str


@dataclass(frozen=True)
class Observed:
    """The observed difference of two metrics or systems, with its interval and number of units."""

    kind: Kind
    a: str
    b: str
    question: str
    measure: str
    difference: float
    ci_low: float
    ci_high: float
    corpus: str
    unit: str
    n: int
    least: int


def plan(observed: Observed, difference: float | None, margin: float | None) -> Estimate:
    """Estimate how many units make a difference significant, or show equivalence.

    `difference` is to be detected, by default the observed one. `margin` is that of equivalence, by
    default the difference to detect. Numbers are None if no number of units suffices.
    """
    unit, n = observed.unit, observed.n
    error = standard_error(observed.ci_low, observed.ci_high)
    to_detect = abs(observed.difference) if difference is None else difference
    lost = LOST.get(unit, 0)
    largest = to_detect if margin is None else margin
    # Without a given margin, the true difference is assumed to be 0 for the equivalence test.
    true_difference = 0.0 if margin is None else observed.difference

    def round_up(units: float) -> int | None:
        return None if math.isinf(units) else max(observed.least, math.ceil(units - 1e-9) + lost)

    needed = round_up(units_to_tell(n - lost, to_detect, error))
    needed_to_equal = round_up(units_to_equal(n - lost, true_difference, error, largest))
    record = asdict(observed) | {
        "standard_error": error,
        "asked_difference": to_detect,
        f"{unit}_needed": needed,
        "power_now": power_of(to_detect, error),
        "margin": largest,
        f"{unit}_needed_for_equivalence": needed_to_equal,
        "margin_shown": margin_shown(observed.difference, error),
    }
    return _estimate(
        "difference",
        record,
        is_asked=difference is not None,
        needed=needed,
        needed_to_equal=needed_to_equal,
    )


def _estimate(template: str, record: dict[str, Any], **values: Any) -> Estimate:  # noqa: ANN401
    text = render_text(f"plan/{template}.txt.j2", **record, **values)
    assumptions = text.partition("Assumed:\n")[2].splitlines()
    return Estimate(
        record | {"assumptions": [line.removeprefix("  - ") for line in assumptions]}, text
    )


def judges_needed(ceiling: float, n_judges: int, target: float) -> int:
    """Return how many judges reach a ceiling, by the Spearman-Brown formula (1910).

    `ceiling` is the reliability of all `n_judges` together and `target` the ceiling to reach, both
    between 0 and 1.
    """
    return math.ceil(n_judges * target * (1 - ceiling) / (ceiling * (1 - target)) - 1e-9)


@dataclass(frozen=True)
class Question:
    """A query of differences, the largest data first, and texts about its parameters and rows.

    `least` is the smallest number of units for any inference (docs/methods.md).
    """

    query: str
    subject: str
    text: str
    measure: str
    unit: str
    least: int


QUESTIONS: dict[Kind, Question] = {
    "sentences": Question(
        """
        select corpus, metric_a, metric_b, difference, ci_low, ci_high, n, too_few
        from metric_comparisons
        where
            level = 'sentence' and experiment = 'random_source' and measure = 'kendall_tau_a'
            and (metric_a, metric_b) in (($a, $b), ($b, $a)) and corpus = coalesce($corpus, corpus)
        order by n desc, corpus
        """,
        "{a} and {b} on one lattice",
        "ordering corrections of one sentence, {corpus}",
        "Kendall's tau",
        "sentences",
        LEAST_SENTENCES,
    ),
    "judges": Question(
        """
        select
            corpus, metric_a, metric_b, difference, ci_low, ci_high, n, too_few, judgment_set,
            reference_set
        from metric_comparisons
        inner join reference_sets using (corpus, reference_set)
        where
            level = 'system' and method = 'trueskill'
            and (metric_a, metric_b) in (($a, $b), ($b, $a)) and corpus = coalesce($corpus, corpus)
            and judgment_set = coalesce($judgment_set, judgment_set)
        order by not is_default, n desc, judgment_set, reference_set, ci_low is null, test desc
        """,
        "the correlations of {a} and {b} with judges",
        "agreeing with {judgment_set} about systems, references {reference_set}",
        "Pearson's r",
        "systems",
        LEAST_SYSTEMS,
    ),
    "systems": Question(
        """
        select
            corpus, system_a as metric_a, system_b as metric_b, difference, ci_low, ci_high,
            reference_set, n_sentences as n, too_few
        from system_comparisons
        inner join reference_sets using (corpus, reference_set)
        where
            metric = $metric and (system_a, system_b) in (($a, $b), ($b, $a))
            and corpus = coalesce($corpus, corpus)
        order by not is_default, n desc, corpus, reference_set
        """,
        "{a} and {b} by {metric}",
        "by {metric}, {corpus}, references {reference_set}",
        "{metric}",
        "sentences",
        LEAST_SENTENCES,
    ),
}
JUDGES = """
select
    judgment_set, n_judges, any_value(ceiling) as ceiling, max(n_systems) as n_systems
from human_correlations
inner join judgment_sets using (corpus, judgment_set)
where judgment_set = $judgment_set and method = 'trueskill' and sentence_set = 'judged'
    and resampled = 'both' and system_set in ('base', 'all')
group by judgment_set, n_judges
"""


def observe(
    marts: "duckdb.DuckDBPyConnection",
    kind: Kind,
    a: str,
    b: str,
    **chosen: str | None,
) -> Observed:
    """Return the difference of two metrics or systems, on the largest data by default.

    `chosen` are the other parameters of the question's query: corpus, judgment set or metric.
    """
    question = QUESTIONS[kind]
    if kind == "systems":
        _check_metrics(marts, str(chosen["metric"]))
        query = "from (select unnest([system_a, system_b]) from system_comparisons)"
        _check(marts, "system", query, a, b)
    else:
        _check_metrics(marts, a, b)
    _check_corpus(marts, chosen["corpus"])
    rows = records(marts.execute(question.query, {"a": a, "b": b, **chosen}))
    if not rows:
        filters = ", ".join(filter(None, chosen.values()))
        raise PlanError(
            f"the marts do not compare {question.subject.format(a=a, b=b, **chosen)}"
            f"{f' ({filters})' if filters else ''}. They compare: "
            '`maege sql "from metric_comparisons"` and `maege sql "from system_comparisons"`.'
        )
    row, unit = rows[0], question.unit
    if row["ci_low"] is None:
        raise PlanError(
            f"{a} and {b} on {row['corpus']}: there is too little data for an estimate, {row['n']} "
            f"{unit} (too few: {row['too_few'] or 'one has no estimate'}). At least "
            f"{question.least} {unit} are needed. Or use a larger, similar corpus: --corpus."
        )
    ends = (row["difference"], row["ci_low"], row["ci_high"])
    if a != row["metric_a"]:
        ends = (-row["difference"], -row["ci_high"], -row["ci_low"])
    text, measure = (text.format_map(chosen | row) for text in (question.text, question.measure))
    n, least = row["n"], question.least
    return Observed(kind, a, b, text, measure, *ends, row["corpus"], unit, n, least)


def judges(marts: "duckdb.DuckDBPyConnection", judgment_set: str, ceiling: float) -> Estimate:
    """Estimate how many judges reach a ceiling, from the ceiling of the present judges."""
    _check(marts, "judgment set", "select judgment_set from judgment_sets", judgment_set)
    row = next(iter(records(marts.execute(JUDGES, {"judgment_set": judgment_set}))), None)
    if row is None or row["ceiling"] is None or row["n_judges"] < 2:
        raise PlanError(
            f"{judgment_set} has no ceiling: there are no scores of systems, one judge, or judges "
            "who do not agree with each other, so that more judges would not help."
        )
    needed = judges_needed(row["ceiling"], row["n_judges"], ceiling)
    return _estimate("judges", row | {"asked_ceiling": ceiling, "judges_needed": needed})


def _check_metrics(marts: "duckdb.DuckDBPyConnection", *names: str) -> None:
    _check(marts, "metric", "select metric from metrics where is_selected", *names)
    if len(set(names)) < len(names):
        raise PlanError(f"{names[0]} is compared with itself: name two metrics.")


def _check_corpus(marts: "duckdb.DuckDBPyConnection", corpus: str | None) -> None:
    if corpus is not None:
        _check(marts, "corpus", "select corpus from corpora", corpus)


def _check(marts: "duckdb.DuckDBPyConnection", kind: str, query: str, *names: str) -> None:
    published = sorted({name for (name,) in marts.execute(query).fetchall()})
    for name in names:
        if name not in published:
            raise UnknownError(unknown(kind, name, published))


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
select
    corpus, reference_set, n_systems, n_references as n_annotators, share, draws_low, draws_high
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
    min(n_references) filter (where expected_share >= $share) as annotators_needed,
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


def annotators_for_orders(
    marts: "duckdb.DuckDBPyConnection", metric: str, share: float, corpus: str | None
) -> Estimate:
    """Estimate how many annotators are needed to rank systems as other annotators would.

    `share` is the required share of pairs of systems in the same order. The default corpus is the
    one with the most systems.
    """
    _check_metrics(marts, metric)
    _check_corpus(marts, corpus)
    steps = records(marts.execute(ORDERS, {"metric": metric, "corpus": corpus}))
    if not steps:
        raise PlanError(
            f"there is no ranking of systems by subsets of annotators with {metric}"
            f"{f' in {corpus}' if corpus else ''}: this needs two systems and a reference set of "
            "four annotators or more, scored by m2, errant, gleu or max_sari "
            '(`maege sql "from ranking_stability"`).'
        )
    about = {name: steps[0][name] for name in ("corpus", "reference_set", "n_systems")}
    record = {
        "metric": metric,
        **about,
        "share": share,
        "steps": [{key: step[key] for key in step if key not in about} for step in steps],
        "annotators_needed": next(
            (step["n_annotators"] for step in steps if step["share"] >= share), None
        ),
    }
    return _estimate("orders", record)


def annotators_for_corrections(
    marts: "duckdb.DuckDBPyConnection", share: float, corpus: str | None
) -> Estimate:
    """Estimate how many annotators per sentence cover a share of a crowd's corrections.

    The corrections are weighted by how often the crowd wrote them. The default corpus is the one
    with the most answers. A number is None if it is larger than `most`. There is an interval only
    if `is_sure`: 20 sentences have 30 answers each.
    """
    _check_corpus(marts, corpus)
    chosen = {"share": share, "corpus": corpus, "estimator": ESTIMATOR}
    rows = records(marts.execute(CORRECTIONS, chosen))
    if not rows:
        raise PlanError(
            f"there are no corrections by a crowd{f' in {corpus}' if corpus else ''}: have at "
            "least 30 people correct some of your sentences (docs/coverage.md). Or name a metric "
            "to estimate the annotators for a stable ranking of systems."
        )
    keys = ("annotators_needed", "ci_low", "ci_high")
    record = {
        **{key: rows[0][key] for key in ("corpus", "n_answers", "most")},
        "share": share,
        "is_sure": all(row["is_sure"] for row in rows),
        "needed": {row["measure"]: {key: row[key] for key in keys} for row in rows},
    }
    return _estimate("corrections", record)
