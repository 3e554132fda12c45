"""Questions about two metrics, two systems or judges, answered from the published marts."""

from typing import TYPE_CHECKING, Any

from maege.analysis.statistics.resampling import LEAST_SENTENCES, LEAST_SYSTEMS
from maege.plan.answers import PlanError, Seen, judges_needed
from maege.unknown import UnknownError, unknown

if TYPE_CHECKING:
    import duckdb

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
) -> Seen:
    """Return the difference of two metrics at ordering corrections of a sentence."""
    check_metrics(marts, a, b)
    row = _first(marts, LATTICE, f"{a} and {b} on one lattice", a=a, b=b, corpus=corpus)
    return _seen(
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
) -> Seen:
    """Return the difference of two metrics at ranking systems as judges do."""
    check_metrics(marts, a, b)
    what = f"the correlations of {a} and {b} with judges"
    chosen = {"corpus": corpus, "judgment_set": judgment_set}
    row = _first(marts, RANKING, what, a=a, b=b, **chosen)
    return _seen(
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
) -> Seen:
    """Return the difference of two systems by a metric."""
    check_metrics(marts, metric)
    _check(marts, "system", "select distinct system from system_comparisons, unnest([system_a, "
           "system_b]) as one (system)", a, b)  # fmt: skip
    what = f"{a} and {b} by {metric}"
    row = _first(marts, SYSTEMS, what, a=a, b=b, metric=metric, corpus=corpus)
    return _seen(
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


def judges(marts: "duckdb.DuckDBPyConnection", judgment_set: str, ceiling: float) -> dict[str, Any]:
    """Estimate how many judges reach a ceiling, from the ceiling of the present judges."""
    _check(marts, "judgment set", "select judgment_set from judgment_sets", judgment_set)
    what = f"scores of systems by {judgment_set}"
    row = _first(marts, JUDGES, what, judgment_set=judgment_set)
    if row["ceiling"] is None or row["n_judges"] < 2:
        raise PlanError(
            f"{judgment_set} has no ceiling: there is only one judge, or the judges do not agree "
            "with each other, so that more judges would not help."
        )
    return row | {
        "asked_ceiling": ceiling,
        "judges_needed": judges_needed(row["ceiling"], row["n_judges"], ceiling),
        "assumptions": [
            "additional judges agree with the others as these do (Spearman and Brown 1910)",
            "each of them judges as many outputs of the same systems",
        ],
    }


def _seen(
    a: str,
    b: str,
    row: dict[str, Any],
    question: str,
    measure: str,
    unit: tuple[str, int],
    assumptions: tuple[str, ...],
) -> Seen:
    if row["ci_low"] is None:
        raise PlanError(
            f"{a} and {b} on {row['corpus']}: there is too little data for an estimate, {row['n']} "
            f"{unit[0]} (too few: {row.get('too_few') or 'one has no estimate'}). At least "
            f"{unit[1]} {unit[0]} are needed. Or use a larger, similar corpus: --corpus."
        )
    ends = (row["difference"], row["ci_low"], row["ci_high"])
    if (a, b) != (row["metric_a"], row["metric_b"]):
        ends = (-row["difference"], -row["ci_high"], -row["ci_low"])
    said = tuple(one.format(unit=unit[0], corpus=row["corpus"]) for one in assumptions)
    return Seen(a, b, question, measure, *ends, unit[0], row["n"], unit[1], said)


def _first(
    marts: "duckdb.DuckDBPyConnection", query: str, what: str, **chosen: str | None
) -> dict[str, Any]:
    """Return the first row, which is of the largest corpus and the default references."""
    check_corpus(marts, chosen.get("corpus"))
    found = marts.execute(query, chosen)
    names = [column[0] for column in found.description or ()]
    row = found.fetchone()
    if row is None:
        given = ", ".join(value for key, value in chosen.items() if value and len(key) > 1)
        raise PlanError(
            f"the marts do not compare {what}{f' ({given})' if given else ''}. They compare: "
            '`maege sql "from metric_comparisons"` and `maege sql "from system_comparisons"`.'
        )
    return dict(zip(names, row, strict=True))


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
    known = sorted({row[0] for row in marts.execute(query).fetchall()})
    for name in names:
        if name not in known:
            raise UnknownError(unknown(kind, name, known))
