"""A recommendation, or one for each task, as parts of a page."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from maege.cards.parts import Lines, Part, Table
from maege.recommend.choice import (
    BEST_SET,
    OPTIMISED,
    OVERLAP,
    TEST,
    Recommendation,
    language_name,
    number,
    unit,
)
from maege.recommend.evidence import KINDS, LEVELS, USES, Evidence

_BASIS = {
    TEST: "test",
    BEST_SET: "model confidence set",
    OVERLAP: "intervals overlap, no test",
}
MOST_TIES = 8


def page(recommendation: Recommendation) -> list[Part]:
    """Return the verdict, the evidence, the tied metrics and the limits."""
    parts: list[Part] = [Lines("Which metric should I use?", [" ".join(recommendation.verdict)])]
    if recommendation.evidence:
        parts.append(_evidence(recommendation))
    if recommendation.ties:
        parts.append(_ties(recommendation))
    if recommendation.limits:
        parts.append(
            Lines("What are the limits?", [f"- {limit}" for limit in recommendation.limits])
        )
    if queries := query(recommendation):
        parts.append(Lines("How can I query this?", queries.splitlines()))
    return parts


def record(recommendation: Recommendation) -> dict[str, Any]:
    """Return the recommendation for scripts, with the queries of its numbers."""
    return asdict(recommendation) | {"queries": query(recommendation).splitlines()}


def query(recommendation: Recommendation) -> str:
    """Return commands that show the numbers of all metrics behind a recommendation."""
    rows = recommendation.evidence or [
        row for other in recommendation.elsewhere for row in other.evidence
    ]
    return "\n".join(dict.fromkeys(f'maege results "{select(row)}"' for row in rows))


def select(row: Evidence) -> str:
    """Return the query of all metrics on the data set of the evidence."""
    data = (
        f"judgment_set = '{row.judgment_set}'" if row.judgment_set else f"corpus = '{row.corpus}'"
    )
    return f"from {row.mart} where {data}{_CONDITIONS[row.mart].format(LEVELS.get(row.kind))}"


_CONDITIONS = {
    "best_metrics": " and level = '{}'",
    "corpus_comparisons": " and references_mode = 'one_other'",
    "rating_correlations": "",
    "sentence_agreement": " and is_headline",
    "verdict_agreement": "",
}


def _evidence(recommendation: Recommendation) -> Table:
    kind = KINDS[recommendation.evidence[0].kind]
    return Table(
        f"What is the evidence for {recommendation.metric}?",
        ("data set", " n", f" {kind.measure} [95 % CI]", "best or tied"),
        [
            (row.data_set, f"{row.n:,} {unit(row)}", number(row), _best_set_cell(row))
            for row in recommendation.evidence
        ],
        f"Kind of evidence: {kind.name}. Chance is {'50 %' if kind.is_share else '0'}.",
    )


def _best_set_cell(row: Evidence) -> str:
    """Return whether the metric is in the model confidence set of all metrics."""
    if row.against_chance <= 0:
        return "worse than chance" if row.against_chance else "not better than chance"
    return {True: "yes", False: "no", None: "no test"}[row.in_best_set]


def _ties(recommendation: Recommendation) -> Table:
    ties = recommendation.ties[:MOST_TIES]
    more = len(recommendation.ties) - len(ties)
    return Table(
        f"Which metrics are tied with {recommendation.metric}?",
        ("metric", "data sets", "how this is known"),
        [
            (
                tie.metric,
                f"{tie.n_tied} of {tie.n_compared}",
                f"{_BASIS[tie.basis]}: {'; '.join(tie.details)}",
            )
            for tie in ties
        ],
        (f"And {more} more. " if more else "")
        + "A test shows the difference to the recommended metric, its 95 % CI and the q-value "
        "over all pairs of metrics. Otherwise the estimate of the tied metric is shown.",
    )


def overview(recommendations: Sequence[Sequence[Recommendation]]) -> list[Part]:
    """Return a table with a row for each task, from its recommendations by references at hand."""
    first = recommendations[0]
    limits = (
        limit
        for row in recommendations
        for recommendation in row
        for limit in recommendation.limits
    )
    exploitable = dict.fromkeys(limit for limit in limits if limit.startswith(OPTIMISED))
    language = language_name(first[0].language)
    return [
        Table(
            f"Which metric should I use in {language}?",
            ("task", *(_HEADS[recommendation.references] for recommendation in first), "evidence"),
            [
                (
                    USES[row[0].task].name,
                    *(recommendation.metric or "no evidence" for recommendation in row),
                    _shown(row[0]),
                )
                for row in recommendations
            ],
            f"Evidence: for the metric {_HEADS[first[0].references]}, on the largest data set, "
            "with the 95 % confidence interval. To show ties, limits and contradictions: "
            f"maege recommend --task TASK --language {first[0].language}, where TASK is "
            f"{', '.join(USES)}. {' '.join(exploitable)}".strip(),
        )
    ]


_HEADS = {
    "m2": "with references",
    "texts": "with texts as references",
    "none": "without references",
}


def _shown(recommendation: Recommendation) -> str:
    if not recommendation.evidence:
        return ""
    row = recommendation.evidence[0]
    kind = KINDS[row.kind]
    n_tied = sum(tie.is_on_most for tie in recommendation.ties)
    ties = f"; tied: {n_tied}" if n_tied else ""
    return f"{row.data_set}: {kind.measure} {number(row)}, {row.n:,} {unit(row)}{ties}"
