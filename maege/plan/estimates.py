"""Estimate sample sizes from the confidence intervals in the published marts."""

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from maege.analysis.statistics.resampling import (
    LEAST_SENTENCES,
    LEAST_SYSTEMS,
    margin_shown,
    power_of,
    standard_error,
    units_to_equal,
    units_to_tell,
)
from maege.names import UnknownError, unknown
from maege.numbers import MINUS, format_interval, format_number, format_signed
from maege.rows import records

if TYPE_CHECKING:
    import duckdb

# Fisher's z of a correlation has the variance 1 / (n - 3).
LOST = {"systems": 3}


class PlanError(Exception):
    """The marts lack data for an estimate; the message says which, and how to get them."""


class Estimate(NamedTuple):
    """An estimate: the record for JSON, with its `assumptions`, and the lines for the terminal."""

    record: dict[str, Any]
    lines: list[str]


@dataclass(frozen=True)
class Observed:
    """The observed difference of two metrics or systems, with its interval and number of units.

    `least` is the smallest number of units for any inference (docs/methods.md).
    """

    a: str
    b: str
    question: str
    measure: str
    difference: float
    ci_low: float
    ci_high: float
    unit: str
    n: int
    least: int
    assumptions: tuple[str, ...]


def plan(observed: Observed, difference: float | None, margin: float | None) -> Estimate:
    """Estimate how many units make a difference significant, or show equivalence.

    The numbers are None if no number of units suffices.

    Args:
        observed: the observed difference of the two metrics or systems.
        difference: the difference to detect. Default: the observed one.
        margin: the margin of equivalence. Default: the difference to detect.

    """
    a, b, unit, n = observed.a, observed.b, observed.unit, observed.n
    error = standard_error(observed.ci_low, observed.ci_high)
    to_detect = abs(observed.difference) if difference is None else difference
    lost = LOST.get(unit, 0)
    largest = to_detect if margin is None else margin
    # Without a given margin, the true difference is assumed to be 0 for the equivalence test.
    true_difference = 0.0 if margin is None else observed.difference

    def round_up(units: float) -> int | None:
        return None if math.isinf(units) else max(observed.least, math.ceil(units - 1e-9) + lost)

    needed = round_up(units_to_tell(n - lost, to_detect, error))
    power = power_of(to_detect, error)
    needed_to_equal = round_up(units_to_equal(n - lost, true_difference, error, largest))
    shown = margin_shown(observed.difference, error)
    record = asdict(observed) | {
        "standard_error": error,
        "asked_difference": to_detect,
        f"{unit}_needed": needed,
        "power_now": power,
        "margin": largest,
        f"{unit}_needed_for_equivalence": needed_to_equal,
        "margin_shown": shown,
    }
    ends = format_interval(observed.ci_low, observed.ci_high, format_signed)
    size = "as large as the observed one" if difference is None else f"of {_size(to_detect)}"
    equal = (
        f"no number of {unit} suffices, because the observed difference is larger"
        if needed_to_equal is None
        else f"{needed_to_equal:,} {unit}"
    )
    lines = [
        f"{a} and {b}: {observed.question}",
        f"  Observed: {a} {MINUS} {b} is {format_signed(observed.difference)} {ends} in "
        f"{observed.measure}, with {n:,} {unit}.",
        f"  The observed difference is 0, so no number of {unit} makes it significant."
        if needed is None
        else f"  To find a difference {size} with a power of 80 %: {needed:,} {unit}; the power "
        f"with {n:,} is {100 * power:.0f} %.",
        f"  To show that the two differ by less than {_size(largest)}: {equal}.",
        f"  The present data show that the two differ by less than {_size(shown)} (two one-sided "
        "tests at 5 %).",
    ]
    return Estimate(record, lines)


def judges_needed(ceiling: float, n_judges: int, target: float) -> int:
    """Return how many judges reach a ceiling, by the Spearman-Brown formula (1910).

    `ceiling` is the reliability of all `n_judges` together and `target` the ceiling to reach, both
    between 0 and 1.
    """
    return math.ceil(n_judges * target * (1 - ceiling) / (ceiling * (1 - target)) - 1e-9)


def _size(value: float) -> str:
    return format_number(value, 3 if abs(value) < 0.1 else 2)


AS_HERE = "additional {unit} are like those of {corpus}, with the same variance"
NORMAL = "the difference is about normal, and its standard error falls with the root of {unit}"
LEVELS = "two-sided test at 5 % with a power of 80 %; no correction for multiple tests"

LATTICE = """
select corpus, metric_a, metric_b, difference, ci_low, ci_high, n, too_few
from metric_comparisons
where level = 'sentence' and experiment = 'random_source'
    and measure = 'kendall_tau_a' and least(metric_a, metric_b) = least($a, $b)
    and greatest(metric_a, metric_b) = greatest($a, $b) and corpus = coalesce($corpus, corpus)
order by n desc, corpus
"""
RANKING = """
select
    corpus, metric_a, metric_b, difference, ci_low, ci_high, n, too_few, judgment_set, reference_set
from metric_comparisons
inner join reference_sets using (corpus, reference_set)
where level = 'system' and method = 'trueskill'
    and least(metric_a, metric_b) = least($a, $b)
    and greatest(metric_a, metric_b) = greatest($a, $b) and corpus = coalesce($corpus, corpus)
    and judgment_set = coalesce($judgment_set, judgment_set)
order by not is_default, n desc, judgment_set, reference_set, ci_low is null, test desc
"""
SYSTEMS = """
select
    corpus, system_a as metric_a, system_b as metric_b, difference, ci_low, ci_high, reference_set,
    n_sentences as n, too_few
from system_comparisons
inner join reference_sets using (corpus, reference_set)
where metric = $metric and least(system_a, system_b) = least($a, $b)
    and greatest(system_a, system_b) = greatest($a, $b) and corpus = coalesce($corpus, corpus)
order by not is_default, n desc, corpus, reference_set
"""
JUDGES = """
select
    judgment_set, n_judges, any_value(ceiling) as ceiling, max(n_systems) as n_systems
from human_correlations
inner join judgment_sets using (corpus, judgment_set)
where judgment_set = $judgment_set and method = 'trueskill' and sentence_set = 'judged'
    and resampled = 'both' and system_set in ('base', 'all')
group by judgment_set, n_judges
"""


def metrics_at_sentences(
    marts: "duckdb.DuckDBPyConnection", a: str, b: str, corpus: str | None
) -> Observed:
    """Return the difference of two metrics at ordering corrections of a sentence."""
    check_metrics(marts, a, b)
    row = _first(marts, LATTICE, f"{a} and {b} on one lattice", a=a, b=b, corpus=corpus)
    return _observed(
        a,
        b,
        row,
        f"ordering corrections of one sentence, {row['corpus']}",
        "Kendall's tau",
        ("sentences", LEAST_SENTENCES),
        (AS_HERE, NORMAL, LEVELS),
    )


def metrics_at_judges(
    marts: "duckdb.DuckDBPyConnection",
    a: str,
    b: str,
    corpus: str | None,
    judgment_set: str | None,
) -> Observed:
    """Return the difference of two metrics at ranking systems as judges do."""
    check_metrics(marts, a, b)
    subject = f"the correlations of {a} and {b} with judges"
    row = _first(marts, RANKING, subject, a=a, b=b, corpus=corpus, judgment_set=judgment_set)
    return _observed(
        a,
        b,
        row,
        f"agreeing with {row['judgment_set']} about systems, references {row['reference_set']}",
        "Pearson's r",
        ("systems", LEAST_SYSTEMS),
        (
            AS_HERE,
            "every system has as many judgments as now; more judgments of the same systems do not "
            "replace more systems (human_correlations, `resampled`)",
            NORMAL.replace("of {unit}", "of {unit} less 3 (Fisher's z)"),
            LEVELS,
        ),
    )


def two_systems(
    marts: "duckdb.DuckDBPyConnection", a: str, b: str, metric: str, corpus: str | None
) -> Observed:
    """Return the difference of two systems by a metric."""
    check_metrics(marts, metric)
    _check(marts, "system", "select distinct system from system_comparisons, unnest([system_a, "
           "system_b]) as compared (system)", a, b)  # fmt: skip
    subject = f"{a} and {b} by {metric}"
    row = _first(marts, SYSTEMS, subject, a=a, b=b, metric=metric, corpus=corpus)
    return _observed(
        a,
        b,
        row,
        f"by {metric}, {row['corpus']}, references {row['reference_set']}",
        metric,
        ("sentences", LEAST_SENTENCES),
        (
            AS_HERE,
            NORMAL,
            "the annotators stay the same: the estimate ignores that others would correct "
            "differently (marts coverage, adjusted_scores)",
            LEVELS,
        ),
    )


def judges(marts: "duckdb.DuckDBPyConnection", judgment_set: str, ceiling: float) -> Estimate:
    """Estimate how many judges reach a ceiling, from the ceiling of the present judges."""
    _check(marts, "judgment set", "select judgment_set from judgment_sets", judgment_set)
    row = _first(marts, JUDGES, f"scores of systems by {judgment_set}", judgment_set=judgment_set)
    if row["ceiling"] is None or row["n_judges"] < 2:
        raise PlanError(
            f"{judgment_set} has no ceiling: there is only one judge, or the judges do not agree "
            "with each other, so that more judges would not help."
        )
    needed = judges_needed(row["ceiling"], row["n_judges"], ceiling)
    record = row | {
        "asked_ceiling": ceiling,
        "judges_needed": needed,
        "assumptions": [
            "additional judges agree with the others as these do (Spearman and Brown 1910)",
            "each of them judges as many outputs of the same systems",
        ],
    }
    lines = [
        f"{judgment_set}: scores of {row['n_systems']} systems by {row['n_judges']} judges have a "
        f"ceiling of {row['ceiling']:.2f}",
        f"  For a ceiling of {ceiling:g}: {needed:,} judges.",
    ]
    return Estimate(record, lines)


def _observed(
    a: str,
    b: str,
    row: dict[str, Any],
    question: str,
    measure: str,
    unit: tuple[str, int],
    assumptions: tuple[str, ...],
) -> Observed:
    if row["ci_low"] is None:
        raise PlanError(
            f"{a} and {b} on {row['corpus']}: there is too little data for an estimate, {row['n']} "
            f"{unit[0]} (too few: {row.get('too_few') or 'one has no estimate'}). At least "
            f"{unit[1]} {unit[0]} are needed. Or use a larger, similar corpus: --corpus."
        )
    ends = (row["difference"], row["ci_low"], row["ci_high"])
    if (a, b) != (row["metric_a"], row["metric_b"]):
        ends = (-row["difference"], -row["ci_high"], -row["ci_low"])
    filled = tuple(text.format(unit=unit[0], corpus=row["corpus"]) for text in assumptions)
    return Observed(a, b, question, measure, *ends, unit[0], row["n"], unit[1], filled)


def _first(
    marts: "duckdb.DuckDBPyConnection", query: str, subject: str, **chosen: str | None
) -> dict[str, Any]:
    """Return the first row, which is of the largest corpus and the default references."""
    check_corpus(marts, chosen.get("corpus"))
    rows = records(marts.execute(query, chosen))
    if not rows:
        filters = ", ".join(value for key, value in chosen.items() if value and len(key) > 1)
        raise PlanError(
            f"the marts do not compare {subject}{f' ({filters})' if filters else ''}. They "
            'compare: `maege sql "from metric_comparisons"` and '
            '`maege sql "from system_comparisons"`.'
        )
    return rows[0]


def check_metrics(marts: "duckdb.DuckDBPyConnection", *names: str) -> None:
    """Raise UnknownError for a metric that is not published, and PlanError for a repeated one."""
    _check(marts, "metric", "select metric from metrics where is_selected", *names)
    if len(set(names)) < len(names):
        raise PlanError(f"{names[0]} is compared with itself: name two metrics.")


def check_corpus(marts: "duckdb.DuckDBPyConnection", corpus: str | None) -> None:
    """Raise UnknownError for a corpus that is not published."""
    if corpus is not None:
        _check(marts, "corpus", "select corpus from corpora", corpus)


def _check(marts: "duckdb.DuckDBPyConnection", kind: str, query: str, *names: str) -> None:
    published = sorted({name for (name,) in marts.execute(query).fetchall()})
    for name in names:
        if name not in published:
            raise UnknownError(unknown(kind, name, published))


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


def annotators_for_orders(
    marts: "duckdb.DuckDBPyConnection", metric: str, share: float, corpus: str | None
) -> Estimate:
    """Estimate how many annotators are needed to rank systems as other annotators would.

    `share` is the required share of pairs of systems in the same order. The default corpus is the
    one with the most systems. Raises UnknownError, and PlanError if the metric has scores of fewer
    than four annotators or two systems.
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
    names = ("n_annotators", "share", "draws_low", "draws_high")
    steps = [dict(zip(names, row[3:], strict=True)) for row in rows]
    needed = next((step["n_annotators"] for step in steps if step["share"] >= share), None)
    record = {
        "metric": metric,
        "corpus": name,
        "reference_set": reference_set,
        "n_systems": n_systems,
        "share": share,
        "steps": steps,
        "annotators_needed": needed,
        "assumptions": (
            f"further annotators correct like those of {reference_set}",
            f"systems are as similar to each other as these {n_systems} of {name}",
            "the same order means: as by the same number of other annotators; only judges can "
            "show whether that order is right",
        ),
    }
    most = steps[-1]["n_annotators"]
    number = needed or f"more than {most}; larger disjoint choices of annotators are not possible"
    lines = [
        f"{metric}: ordering pairs of {n_systems} systems as other annotators would, {name}, "
        f"references {reference_set}",
        *(
            f"  {n} annotator{'s' if n > 1 else ''}: {format_number(reached)} of the pairs "
            f"({format_number(low)} to {format_number(high)} over choices)"
            for *_, n, reached, low, high in rows
        ),
        f"  For {share:g} of the pairs: {number}.",
    ]
    return Estimate(record, lines)


def annotators_for_corrections(
    marts: "duckdb.DuckDBPyConnection", share: float, corpus: str | None
) -> Estimate:
    """Estimate how many annotators per sentence cover a share of a crowd's corrections.

    `share` is the required share of the corrections, weighted by how often the crowd wrote them.
    The default corpus is the one with the most answers. A number is None if it is larger than
    `most`. There is an interval only if `is_sure`: 20 sentences have 30 answers each. Raises
    UnknownError, and PlanError if no corpus has corrections by a crowd.
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
    names = ("annotators_needed", "ci_low", "ci_high")
    record = {
        "corpus": name,
        "share": share,
        "n_answers": n_answers,
        "most": most,
        "is_sure": is_sure,
        "needed": {row[1]: dict(zip(names, row[2:5], strict=True)) for row in rows},
        "assumptions": (
            f"annotators write the corrections of the crowd of {name}, equally often",
            f"sentences are like those of {name}",
            "each annotator writes one correction, and two may write the same",
        ),
    }

    def shown(n_annotators: int | None) -> str:
        return f"more than {most:,}" if n_annotators is None else f"{n_annotators:,}"

    lines = [
        f"Annotators needed to cover {share:g} of the corrections that people would write, from "
        f"{n_answers:,} answers, {name}"
    ]
    for _, measure, needed, low, high, *_ in rows:
        ends = f" [{shown(low)}, {shown(high)}]" if is_sure else ""
        lines.append(f"  {MEASURES[measure]}: {shown(needed)}{ends}")
    if not is_sure:
        lines.append(
            "  Too little data for an interval: it needs 20 sentences with 30 answers each."
        )
    return Estimate(record, lines)
