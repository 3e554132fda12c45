"""Write docs/state-of-gec-metrics.md, what is known about metrics, from the published results.

Usage: python -m maege.recommend.state [FILE]
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from maege.cards.parts import render_text
from maege.recommend.choice import (
    MOST_TIED,
    Groups,
    best_by_data_set,
    best_on,
    exploitable,
    favourite,
    in_order,
    language_name,
    number,
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
    Results,
    by_data_set,
    read_results,
)
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
_WITHOUT_RESULTS = """
select distinct metric from metric_availability
where corpus is null and not is_available order by metric
"""
MOST_LISTED = 6


def state_page(connection: "duckdb.DuckDBPyConnection") -> str:
    """Return the page in Markdown; a search path to the marts is expected."""
    results = read_results(connection)
    languages = in_order({row.language for row in results.evidence})
    ((n_corpora, n_judgment_sets),) = connection.execute(
        "select (select count(*) from corpora), (select count(distinct judgment_set) from "
        "judgment_sets)"
    ).fetchall()
    without_references = {
        recommend(results, task, tag, "none").metric for task in USES for tag in languages
    }
    names = [f"`{name}`" for name in results.metrics if name in without_references]
    text = render_text(
        "recommend/state.md.j2",
        **_unknown(connection, results, languages),
        n_corpora=n_corpora,
        n_judgment_sets=n_judgment_sets,
        n_languages=len(results.languages),
        languages=languages,
        kinds=KINDS,
        levels=LEVELS,
        recommended_rows=lambda languages: _recommended(results, languages),
        exploitable=exploitable(names) if names else "",
        families=_families(results),
        evidence=_evidence(results, languages),
        contradictions=[_contradictions(results, language) for language in languages],
        code=_code,
    )
    return f"{text}\n"


def _recommended(results: Results, languages: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for task, use in USES.items():
        for language in languages:
            recommendation = recommend(results, task, language)
            if recommendation.metric is None:
                continue
            without = recommend(results, task, language, "none").metric
            first = recommendation.evidence[0]
            yield (
                use.name,
                language_name(language),
                _code([recommendation.metric]),
                _code([tie.metric for tie in recommendation.ties if tie.is_on_most]),
                _code([without] if without else []),
                str(len({row.data_set for row in recommendation.evidence})),
                f"{first.data_set}, {first.n:,} {unit(first)}: {_measured(first)}",
            )


def _measured(row: Evidence) -> str:
    return f"{KINDS[row.kind].symbol} {number(row)}"


def _families(results: Results) -> Iterator[tuple[str, ...]]:
    families = {metric: family for family, metrics in FAMILIES.items() for metric in metrics}
    for metric in dict.fromkeys((*families, *results.metrics)):
        cells = [_cell(results, kind, metric) for kind in LEVELS]
        if any(cells):
            yield families.get(metric, "other"), f"`{metric}`", *cells


def _cell(results: Results, kind: str, metric: str) -> str:
    """Return the estimate on the largest English data set, and on how many it is best."""
    groups = _groups(results, "en", kind)
    rows = [row for rows in groups.values() for row in rows if row.metric == metric]
    if not rows:
        return ""
    n_best = sum(metric in metrics for metrics in best_by_data_set(results, groups).values())
    return f"{number(rows[0])}; {n_best} of {len({row.data_set for row in rows})}"


def _groups(results: Results, language: str, kind: str) -> dict[tuple[str, str], list[Evidence]]:
    return by_data_set(
        [
            row
            for row in results.evidence
            if (row.language, row.kind) == (language, kind) and row.metric in results.metrics
        ]
    )


def _evidence(results: Results, languages: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for language in languages:
        for kind in KINDS:
            for (_, data_set), evidence in _groups(results, language, kind).items():
                best = best_on(results, evidence)
                good = {row.metric for row in evidence if row.against_chance > 0}
                first = next((row for row in evidence if row.metric in best[:1]), None)
                yield (
                    language_name(language),
                    kind,
                    data_set,
                    f"{evidence[0].n:,}",
                    f"{len(good)} of {len({row.metric for row in evidence})}",
                    f"`{first.metric}` {_measured(first)}" if first else "none",
                    _code(best[1:]),
                )


# Pairs of kinds of evidence that should favour the same metrics.
_COMPARABLE = (
    ("judged systems", "judged outputs"),
    ("judged systems", "sampled corpora"),
    ("judged outputs", "lattices"),
    ("lattices", "corrupted edits"),
    ("corrupted edits", "edit verdicts"),
)


def _contradictions(results: Results, language: str) -> dict[str, Any]:
    evidence = [
        row
        for row in results.evidence
        if row.language == language and row.metric in results.metrics
    ]
    bad = dict.fromkeys(row.metric for row in evidence if row.against_chance < 0)
    return {
        "language": language_name(language),
        "spread": _between_data_sets(results, language),
        "opposed": _between_kinds(results, language),
        "bad": [_kinds_by_sign([row for row in evidence if row.metric == name]) for name in bad],
    }


def _between_data_sets(results: Results, language: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the kinds of evidence for which no metric is best or tied for best on all data sets."""
    for kind in KINDS:
        best = best_by_data_set(results, _groups(results, language, kind))
        counts = Counter(metric for metrics in best.values() for metric in metrics)
        if len(best) > 1 and max(counts.values()) < len(best):
            often = [f"`{metric}` on {n}" for metric, n in counts.most_common(4)]
            yield kind, len(best), often


def _between_kinds(results: Results, language: str) -> Iterator[list[tuple[str, str, str]]]:
    """Yield two kinds of evidence with the metric that each favours, and the loss of the other."""
    for kinds in _COMPARABLE:
        groups = [_groups(results, language, kind) for kind in kinds]
        first, second = (favourite(results, each) for each in groups)
        if first is None or second is None or first == second:
            continue
        losses = _loss(results, groups[0], second), _loss(results, groups[1], first)
        if all(losses):
            yield [*zip(kinds, (first, second), losses, strict=True)]


def _loss(results: Results, groups: Groups, metric: str) -> str:
    """Return on which largest data set the metric is not best; nothing if it is best on all."""
    for key, best in best_by_data_set(results, groups).items():
        by_metric = {row.metric: row for row in groups[key]}
        if metric in by_metric and metric not in best:
            return (
                f"On {key[1]}, `{best[0]}` has {_measured(by_metric[best[0]])} and "
                f"`{metric}` {number(by_metric[metric])}."
            )
    return ""


def _kinds_by_sign(rows: Sequence[Evidence]) -> dict[str, Any]:
    worse, better = (
        Counter(
            kind for kind, _ in by_data_set([row for row in rows if row.against_chance == sign])
        )
        for sign in (-1, 1)
    )
    n_data_sets = len(by_data_set(rows))
    return {"metric": rows[0].metric, "n": n_data_sets, "worse": worse, "better": better}


def _unknown(
    connection: "duckdb.DuckDBPyConnection", results: Results, languages: Sequence[str]
) -> dict[str, Any]:
    everywhere = sorted(results.languages)
    without_evidence = {
        use.name: [tag for tag in everywhere if recommend(results, task, tag).metric is None]
        for task, use in USES.items()
    }
    judged = {row.language for row in results.evidence if row.kind in HUMAN_KINDS}
    rated = {row.metric for row in results.evidence if row.mart == "rating_correlations"}
    listed = {row.metric for row in results.evidence} | {*VARIANTS, *BASELINES}
    return {
        "without_evidence": [
            (use, [*map(language_name, tags)]) for use, tags in without_evidence.items() if tags
        ],
        "unjudged": [language_name(tag) for tag in languages if tag not in judged],
        "always_referenced": [
            language_name(tag)
            for tag in everywhere
            if all(recommend(results, task, tag, "none").metric is None for task in USES)
        ],
        "undecided": _undecided(connection, results),
        "rated": [name for name in results.metrics if name in rated],
        "unrated": [name for name in results.metrics if name not in rated],
        "without_results": [
            name
            for (name,) in connection.execute(_WITHOUT_RESULTS).fetchall()
            if name not in listed
        ],
    }


def _undecided(
    connection: "duckdb.DuckDBPyConnection", results: Results
) -> Iterator[dict[str, Any]]:
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
        first = max(largest, key=lambda row: row.estimate)
        yield {
            "kind": kind,
            "n_tied": len(tied),
            "n_groups": len(groups),
            "first": first,
            "n": largest[0].n,
            "rivals": [
                (metric, n_needed)
                for *key, metric, n_needed in needed
                if key == [level, first.data_set]
                and metric in results.metrics
                and metric != first.metric
            ],
        }


def _code(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_LISTED])
    more = len(names) - MOST_LISTED
    return shown + (f" and {more} more" if more > 0 else "") or "none"


def main() -> None:
    """Write the page to the file of the first argument, by default into docs/."""
    from maege.shipped.read import results as open_results

    with open_results() as connection:
        text = state_page(connection)
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
