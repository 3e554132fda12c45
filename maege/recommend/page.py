"""A recommendation, or one for each task, as parts of a page."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from maege.cards.parts import Part, read_parts
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
_CONDITIONS = {
    "best_metrics": " and level = '{}'",
    "corpus_comparisons": " and references_mode = 'one_other'",
    "rating_correlations": "",
    "sentence_agreement": " and is_headline",
    "verdict_agreement": "",
}


def page(recommendation: Recommendation) -> list[Part]:
    """Return the verdict, the evidence, the tied metrics and the limits."""
    return read_parts(
        "recommend/page.txt.j2",
        choice=recommendation,
        queries=queries(recommendation),
        ties=recommendation.ties[:MOST_TIES],
        basis=_BASIS,
        kinds=KINDS,
        number=number,
        unit=unit,
    )


def record(recommendation: Recommendation) -> dict[str, Any]:
    """Return the recommendation for scripts, with the queries of its numbers."""
    return asdict(recommendation) | {"queries": queries(recommendation)}


def queries(recommendation: Recommendation) -> list[str]:
    """Return commands that show the numbers of all metrics behind a recommendation."""
    rows = recommendation.evidence or [
        row for other in recommendation.elsewhere for row in other.evidence
    ]
    return list(dict.fromkeys(f'maege results "{_query_of_data_set(row)}"' for row in rows))


def _query_of_data_set(row: Evidence) -> str:
    data = (
        f"judgment_set = '{row.judgment_set}'" if row.judgment_set else f"corpus = '{row.corpus}'"
    )
    return f"from {row.mart} where {data}{_CONDITIONS[row.mart].format(LEVELS.get(row.kind))}"


def overview(recommendations: Sequence[Sequence[Recommendation]]) -> list[Part]:
    """Return a table with a row for each task, from its recommendations by references at hand."""
    limits = (limit for row in recommendations for choice in row for limit in choice.limits)
    return read_parts(
        "recommend/overview.txt.j2",
        rows=recommendations,
        language=language_name(recommendations[0][0].language),
        exploitable=dict.fromkeys(limit for limit in limits if limit.startswith(OPTIMISED)),
        uses=USES,
        kinds=KINDS,
        number=number,
        unit=unit,
    )
