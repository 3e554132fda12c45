"""Write docs/state-of-gec-metrics.md, what is known about metrics, from the published results.

Usage: python -m maege.recommend.state [FILE]
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from maege.names import in_a_sentence
from maege.recommend.choice import (
    MOST_TIED,
    Recommendation,
    Results,
    best_on,
    exploitable,
    favourite,
    language_name,
    number,
    read_results,
    recommend,
    unit,
)
from maege.recommend.evidence import (
    BASELINES,
    HUMAN_KINDS,
    KINDS,
    LEVELS,
    USES,
    VARIANTS,
    Evidence,
    by_data_set,
)
from maege.tables import table_lines
from maege.tasks import JUDGED

if TYPE_CHECKING:
    import duckdb

PAGE = Path("docs/state-of-gec-metrics.md")
FAMILIES = {
    "edits against gold edits": ("m2", "errant", "cleme", "cleme2", "gotoscorer", "imeasure"),
    "n-grams against references": ("gleu", "green", "sari", "bleu", "chrf"),
    "models of fluency, without references": ("fluency",),
    "preserved words, without references": ("meaning",),
    "grammar checker, without references": ("lt", "grammaticality", "referenceless"),
}
OTHER = "other"
ENGLISH = "en"
WIDTH = 120
MOST_NAMED = 4
MOST_LISTED = 6
_HEAD = """
This page is for researchers and organisers of shared tasks. It says which metric to use for which
task, how each family of metrics performs, where the evidence disagrees, and what is not known. It
is generated (`python -m maege.recommend.state`) from the published results: {coverage}.

Brackets are 95 % confidence intervals. Two metrics are *tied* if the model confidence set of a data
set has both, or if the corrected test of the pair is not significant. Data sets with neither only
show whether intervals overlap. Values of different data sets are not comparable; the order of
metrics on one data set is. Near-duplicate variants and distances are excluded. `maege recommend
--task systems` shows all ties and limits of a task, and [methods.md](methods.md) explains the
statistics.
"""
_RULE = """
A metric is recommended if it is best, or tied for best, on most data sets. Human judgments decide
if there are any. The tied metrics are tied with it on more than half of the data sets with both.
{exploitable}
"""
_FAMILIES = """
Each cell has the value on the largest data set with the metric, and the number of data sets on
which the metric is best or tied for best. {measures}. Chance is 50 % for pairs, otherwise 0.
"""
_QUERIES = {
    "families": (
        "from best_metrics inner join metrics using (metric) where level = 'system'",
        "select metric, kendall_tau_a, verdict from sentence_correlations where is_headline",
    ),
    "languages": (
        "from corpora inner join best_metrics using (corpus) where language = 'en'",
        "from corpus_comparisons where references_mode = 'one_other'",
        "from rating_correlations where level in ('system', 'within_item')",
        "from verdict_agreement",
    ),
    "contradictions": (
        "from best_metrics where verdict = 'worse than chance'",
        "from metric_comparisons where q_value <= 0.05 and error_type is null",
    ),
    "unknown": (
        "select level, corpus, judgment_set, metric, n, n_needed from best_metrics "
        "where in_best_set",
        "from metric_availability where not is_available",
    ),
}


def state_page(connection: "duckdb.DuckDBPyConnection") -> str:
    """Return the page in Markdown; a search path to the marts is expected."""
    results = read_results(connection)
    languages = sorted(
        {row.language for row in results.evidence}, key=lambda tag: (tag != "en", tag)
    )
    other_languages = [tag for tag in languages if tag != ENGLISH]
    parts = (
        "# What is known about metrics of grammatical error correction",
        _wrapped(_HEAD.format(coverage=_coverage(connection))),
        "## Recommended metrics for English",
        recommended_table(results, [ENGLISH]),
        _wrapped(_RULE.format(exploitable=_exploitable(results, languages))),
        "## Recommended metrics for other languages",
        recommended_table(results, other_languages)
        if other_languages
        else "No other language has evidence.",
        "## Families of metrics in English",
        _wrapped(_FAMILIES.format(measures=_measures())),
        _families_table(results),
        _queries("families"),
        "## Evidence by language",
        _evidence_table(results, languages),
        _queries("languages"),
        "## Contradictions",
        _bullets(_contradictions(results, languages)),
        _queries("contradictions"),
        "## Open questions",
        _bullets(_unknown(connection, results, languages)),
        _queries("unknown"),
    )
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def _queries(section: str) -> str:
    lines = "\n".join(f'maege results "{query}"' for query in _QUERIES[section])
    return f"```console\n{lines}\n```"


def _coverage(connection: "duckdb.DuckDBPyConnection") -> str:
    ((corpora, sets, languages),) = connection.execute(
        "select (select count(*) from corpora), (select count(distinct judgment_set) from "
        "judgment_sets), (select count(*) from (select language from corpora union select language "
        "from judgment_tasks))"
    ).fetchall()
    return f"{corpora} corpora and {sets} sets of human judgments in {languages} languages"


def recommended_table(results: Results, languages: Sequence[str]) -> str:
    """Return the recommendations by task and language, where a language has any evidence."""
    rows = []
    for task, use in USES.items():
        for language in languages:
            recommendation = recommend(results, task, language)
            if recommendation.metric is None:
                continue
            without = recommend(results, task, language, "none")
            ties = [tie.metric for tie in recommendation.ties if tie.is_on_most]
            rows.append(
                (
                    use.name,
                    language_name(language),
                    _code([recommendation.metric]),
                    _code(ties) or "none",
                    _code([without.metric] if without.metric else []) or "none",
                    str(len(recommendation.evidence)),
                    _shown(recommendation),
                )
            )
    heads = (
        "task",
        "language",
        "metric",
        "tied",
        "without references",
        " data sets",
        "largest one",
    )
    return _table(heads, rows)


def _exploitable(results: Results, languages: Sequence[str]) -> str:
    """Return the limit of the recommended metrics without references."""
    metrics = {recommend(results, task, tag, "none").metric for task in USES for tag in languages}
    names = [f"`{name}`" for name in results.metrics if name in metrics]
    return exploitable(names) if names else ""


def _shown(recommendation: Recommendation) -> str:
    row = recommendation.evidence[0]
    return f"{row.data_set}, {row.n:,} {unit(row)}: {_measured(row)}"


def _measured(row: Evidence) -> str:
    return f"{KINDS[row.kind].symbol} {number(row)}"


def _measures() -> str:
    return ". ".join(
        f"{kind.capitalize()}: {KINDS[kind].measure}, {KINDS[kind].name}" for kind in LEVELS
    )


def _families_table(results: Results) -> str:
    families = {metric: family for family, metrics in FAMILIES.items() for metric in metrics}
    rows = []
    for metric in (*families, *(name for name in results.metrics if name not in families)):
        cells = [_cell(results, kind, metric) for kind in LEVELS]
        if any(cells):
            rows.append((families.get(metric, OTHER), f"`{metric}`", *cells))
    return _table(("family", "metric", *LEVELS), rows)


def _cell(results: Results, kind: str, metric: str) -> str:
    """Return the estimate on the largest English data set, and on how many it is best."""
    groups = _groups(results, ENGLISH, kind)
    metric_rows = [
        (key, row) for key, rows in groups.items() for row in rows if row.metric == metric
    ]
    if not metric_rows:
        return ""
    n_best = sum(metric in best_on(results, groups[key]) for key, _ in metric_rows)
    return f"{number(metric_rows[0][1])}; {n_best} of {len(metric_rows)}"


def _groups(results: Results, language: str, kind: str) -> dict[tuple[str, str], list[Evidence]]:
    return by_data_set(
        [
            row
            for row in results.evidence
            if (row.language, row.kind) == (language, kind) and row.metric in results.metrics
        ]
    )


def _evidence_table(results: Results, languages: Sequence[str]) -> str:
    rows = []
    for language in languages:
        for kind in KINDS:
            for (_, data_set), evidence in _groups(results, language, kind).items():
                best = best_on(results, evidence)
                good = [row for row in evidence if row.against_chance > 0]
                first = next((row for row in evidence if row.metric in best[:1]), None)
                rows.append(
                    (
                        language_name(language),
                        kind,
                        data_set,
                        f"{evidence[0].n:,}",
                        f"{len(good)} of {len(evidence)}",
                        f"`{first.metric}` {_measured(first)}" if first else "none",
                        _code(best[1:]) or "none",
                    )
                )
    heads = ("language", "evidence", "data set", " n", " better than chance", "best", "tied")
    return _table(heads, rows)


# Pairs of kinds of evidence that should favour the same metrics.
_COMPARABLE = (
    ("judged systems", "judged outputs"),
    ("judged systems", "sampled corpora"),
    ("judged outputs", "lattices"),
    ("lattices", "corrupted edits"),
    ("corrupted edits", "edit verdicts"),
)


def _contradictions(results: Results, languages: Sequence[str]) -> Iterator[str]:
    for language in languages:
        for kind in KINDS:
            yield from _between_data_sets(results, language, kind)
        for pair in _COMPARABLE:
            yield from _between_kinds(results, language, *pair)
        yield from _worse_than_chance(results, language)


def _between_data_sets(results: Results, language: str, kind: str) -> Iterator[str]:
    """Yield a sentence if no metric is best or tied for best on all data sets of a kind."""
    groups = _groups(results, language, kind)
    best = {key: best_on(results, rows) for key, rows in groups.items()}
    best = {key: metrics for key, metrics in best.items() if metrics}
    counts = Counter(metric for metrics in best.values() for metric in metrics)
    if len(best) > 1 and max(counts.values()) < len(best):
        often = [f"`{metric}` on {n}" for metric, n in counts.most_common(MOST_NAMED)]
        yield (
            f"{language_name(language)}, {kind}: no metric is best or tied for best on all "
            f"{len(best)} data sets. Most often: {in_a_sentence(often)}."
        )


def _between_kinds(
    results: Results, language: str, first_kind: str, second_kind: str
) -> Iterator[str]:
    """Yield a sentence if two kinds of evidence favour different metrics."""
    favourites = []
    for kind in (first_kind, second_kind):
        groups = _groups(results, language, kind)
        metric = favourite(results, groups)
        if metric is None:
            return
        favourites.append((kind, groups, metric))
    (_, first_groups, first), (_, second_groups, second) = favourites
    if first == second:
        return
    losses = [_loss(results, first_groups, second), _loss(results, second_groups, first)]
    if all(losses):
        yield (
            f"{language_name(language)}: {first_kind} favour `{first}`, {second_kind} favour "
            f"`{second}`. {losses[0]} {losses[1]}"
        )


def _loss(
    results: Results, groups: dict[tuple[str, str], list[Evidence]], metric: str
) -> str | None:
    """Return on which largest data set the metric is not best, None if it is best on all."""
    for (_, data_set), rows in groups.items():
        metric_row = next((row for row in rows if row.metric == metric), None)
        best = best_on(results, rows)
        if metric_row is not None and best and metric not in best:
            first = next(row for row in rows if row.metric == best[0])
            return (
                f"On {data_set}, `{first.metric}` has {_measured(first)} and "
                f"`{metric}` {number(metric_row)}."
            )
    return None


def _worse_than_chance(results: Results, language: str) -> Iterator[str]:
    evidence = [
        row
        for row in results.evidence
        if row.language == language and row.metric in results.metrics
    ]
    for metric in dict.fromkeys(row.metric for row in evidence if row.against_chance < 0):
        bad, good = (
            Counter(
                row.kind for row in evidence if row.metric == metric and row.against_chance == sign
            )
            for sign in (-1, 1)
        )
        n_data_sets = sum(row.metric == metric for row in evidence)
        sentence = (
            f"{language_name(language)}: `{metric}` is worse than chance on {bad.total()} of "
            f"{n_data_sets} data sets ({_counted(bad)})"
        )
        yield sentence + (
            f" and better than chance on {good.total()} ({_counted(good)})." if good else "."
        )


def _counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{kind} {n}" for kind, n in kinds.items())


def _unknown(
    connection: "duckdb.DuckDBPyConnection", results: Results, languages: Sequence[str]
) -> Iterator[str]:
    everywhere = sorted(results.languages)
    for task, use in USES.items():
        missing = [tag for tag in everywhere if recommend(results, task, tag).metric is None]
        if missing:
            yield f"No metric has valid evidence to {use.name} in {_names(missing)}."
    judged = {row.language for row in results.evidence if row.kind in HUMAN_KINDS}
    if unjudged := [tag for tag in languages if tag not in judged]:
        yield f"No human judgments confirm any metric in {_names(unjudged)}."
    without = [
        tag
        for tag in everywhere
        if all(recommend(results, task, tag, "none").metric is None for task in USES)
    ]
    if without:
        yield f"No metric without references has valid evidence in {_names(without)}."
    yield from _undecided(connection, results)
    rated = {row.metric for row in results.evidence if row.mart == "rating_correlations"}
    if rated and (unrated := [name for name in results.metrics if name not in rated]):
        yield (
            f"Ratings were compared with {_code([n for n in results.metrics if n in rated])} only; "
            f"how {_code(unrated)} agree with them is not computed."
        )
    missing = _without_results(connection, results)
    yield (
        (f"These metrics have no results: {_code(missing)}. " if missing else "")
        + "LLM judges and neural metrics have results only if a table above lists them."
    )


def _undecided(connection: "duckdb.DuckDBPyConnection", results: Results) -> Iterator[str]:
    """Yield on how many data sets most metrics are tied, and how much data would separate two."""
    needed = connection.execute(
        "select level, coalesce(judgment_set, corpus), metric, n_needed from best_metrics "
        "where in_best_set and n_needed > n order by n_needed, metric"
    ).fetchall()
    for level in JUDGED:
        kind = next(kind for kind, name in LEVELS.items() if name == level)
        groups = [
            rows
            for (name, _), rows in by_data_set(results.evidence).items()
            if name == kind and rows[0].in_best_set is not None
        ]
        tied = [
            rows
            for rows in groups
            if sum(row.in_best_set is True for row in rows) > MOST_TIED * len(rows)
        ]
        if not tied:
            continue
        largest = max(tied, key=lambda rows: rows[0].n)
        data_set, n = largest[0].data_set, largest[0].n
        first = max(largest, key=lambda row: row.estimate).metric
        rivals = [
            (n_needed, metric)
            for *key, metric, n_needed in needed
            if key == [level, data_set] and metric in results.metrics and metric != first
        ]
        sentence = (
            f"{kind.capitalize()}: more than half of the metrics are tied for best on {len(tied)} "
            f"of {len(groups)} data sets."
        )
        if rivals:
            few, many = rivals[0], rivals[-1]
            unit = KINDS[kind].unit
            sentence += (
                f" {data_set} has {n:,} {unit}; about {few[0]:,} would separate `{few[1]}` from "
                f"`{first}`"
            ) + (f", and {many[0]:,} `{many[1]}`." if many != few else ".")
        yield sentence


def _without_results(connection: "duckdb.DuckDBPyConnection", results: Results) -> list[str]:
    rows = connection.execute(
        "select distinct metric from metric_availability "
        "where corpus is null and not is_available order by metric"
    ).fetchall()
    with_results = {row.metric for row in results.evidence}
    return [
        name
        for (name,) in rows
        if name not in with_results and name not in VARIANTS and name not in BASELINES
    ]


def _names(languages: Sequence[str]) -> str:
    return in_a_sentence([language_name(tag) for tag in languages])


def _code(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_LISTED])
    more = len(names) - MOST_LISTED
    return shown + (f" and {more} more" if more > 0 else "")


def _bullets(lines: Iterator[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "- No entry."


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; a column whose head starts with a space is a number."""
    return "\n".join(table_lines(heads, rows, [head.startswith(" ") for head in heads]))


def main() -> None:
    """Write the page to the file of the first argument, by default into docs/."""
    from maege.shipped.read import results as open_results

    with open_results() as connection:
        text = state_page(connection)
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
