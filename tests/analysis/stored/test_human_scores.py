"""The cache key of human scores contains everything that they depend on."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from maege.analysis.stored.judgments import METHODS, JudgedScores, judged_scores

# Sentence 0: a before b; sentence 1: b before c, and a ties c.
JUDGMENTS = ((0, "a", "b", 1), (1, "b", "c", 1), (1, "a", "c", 0))
SETTINGS = {"bootstrap_samples": 40, "confidence_level": 0.95, "trueskill_runs": 10, "seed": 1}
CHOICES = {"all": "abc", "two": "ab", "unjudged": "a"}


def requested(
    judgments: Sequence[tuple[Any, ...]] = JUDGMENTS,
    choices: dict[str, str] = CHOICES,
    n_sentences: int = 3,
    settings: dict[str, Any] = SETTINGS,
) -> list[JudgedScores]:
    session = duckdb.connect()
    values = ", ".join(map(repr, judgments))
    pairs = session.sql(
        "select 'c' as corpus, 's' as judgment_set, 's' as member, 'j' as judge, "
        "sentence_id::varchar as item, *, 0 as cell_a, 1 as cell_b, false as is_same_output "
        f"from (values {values}) as t (sentence_id, system_a, system_b, preference)"
    )
    systems = ", ".join(
        repr((name, system))
        for name, systems_of_choice in choices.items()
        for system in systems_of_choice
    )
    judged_systems = session.sql(
        "select 'c' as corpus, 's' as judgment_set, * "
        f"from (values {systems}) as t (system_set, system)"
    )
    corpora = session.sql(f"select 'c' as corpus, {n_sentences} as n_sentences")
    return list(judged_scores(pairs, judged_systems, corpora, SimpleNamespace(**settings)))


def test_equal_judgments_have_one_key() -> None:
    (scores,), (reordered,) = requested(), requested(JUDGMENTS[::-1])
    assert scores.key == reordered.key


@pytest.mark.parametrize(
    "changes",
    [
        {"judgments": (*JUDGMENTS[:2], (1, "a", "c", 1))},
        {"judgments": (*JUDGMENTS[:2], (2, "a", "c", 0))},
        {"judgments": JUDGMENTS[:2]},
        {"choices": CHOICES | {"two": "ac"}},
        {"choices": {"all": "abc"}},
        {"n_sentences": 4},
        {"settings": SETTINGS | {"seed": 2}},
        {"settings": SETTINGS | {"trueskill_runs": 11}},
    ],
)
def test_every_change_has_another_key(changes: dict[str, Any]) -> None:
    (before,), (after,) = requested(), requested(**changes)
    assert before.key != after.key


def test_rows_are_counted_before_they_are_computed() -> None:
    (scores,) = requested()
    # Three systems, then two; one system alone has no judgment.
    assert scores.n_rows == scores.rows().num_rows == METHODS * (3 + 2)


def test_a_set_without_judgments_is_not_requested() -> None:
    assert requested(choices={"unjudged": "a"}) == []
