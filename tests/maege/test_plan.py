"""Required sample sizes: values computed by hand, and the output of the command."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from small_corpus import maege
from small_marts import handmade

from maege.plan.estimates import (
    Observed,
    PlanError,
    annotators_for_corrections,
    annotators_for_orders,
    judges_needed,
    plan,
)

warehouse = handmade


# An interval with a standard error of .04.
WIDTH = 0.04 * 1.959964


def seen(difference: float, n: int, unit: str = "sentences") -> Observed:
    ends = (difference - WIDTH, difference + WIDTH)
    return Observed("sentences", "a", "b", "", "tau", difference, *ends, "c", unit, n, 5)


def planned(observed: Observed, difference: float | None, margin: float | None) -> dict[str, Any]:
    return plan(observed, difference, margin).record


def test_sample_size_by_hand() -> None:
    # 100 * 7.8489 / 4 for two standard errors, four times that for one.
    assert planned(seen(0.08, 100), None, None)["sentences_needed"] == 197
    assert planned(seen(0.08, 100), 0.04, None)["sentences_needed"] == 785
    assert planned(seen(0, 100), None, None)["sentences_needed"] is None

    # (13 - 3) * 7.8489 / 4 = 19.6, and the three.
    assert planned(seen(0.08, 13, "systems"), None, None)["systems_needed"] == 23
    assert planned(seen(0.8, 13, "systems"), None, None)["systems_needed"] == 5

    assert planned(seen(0.08, 100), None, 0.08)["sentences_needed_for_equivalence"] is None
    # 100 * 6.1826 if the margin minus the difference is one standard error.
    assert planned(seen(0.04, 100), None, 0.08)["sentences_needed_for_equivalence"] == 619

    # Eight judges have a reliability of .8, so one has 1/3; .9 needs 8 * .9 * .2 / (.8 * .1).
    assert judges_needed(0.8, 8, 0.9) == 18


def test_plan_states_its_assumptions_in_text_and_json(warehouse: Path) -> None:
    arguments = ("plan", "metrics", "gleu", "fluency", "--corpus", "one")
    result = maege(warehouse, *arguments)
    assert "gleu − fluency is −0.100 [−0.178, −0.022]" in result.output
    assert "Assumed:" in result.output
    answer = json.loads(maege(warehouse, *arguments, "--json").output)
    # .04 / .1 of a hundred: 100 * 7.8489 * .16.
    assert answer["sentences_needed"] == 126
    assert answer["assumptions"]


def test_plan_names_missing_data(warehouse: Path) -> None:
    few = maege(warehouse, "plan", "metrics", "gleu", "m2", "--at", "judges")
    assert few.exit_code == 2
    assert "At least 5 systems" in " ".join(few.output.split())
    none = maege(warehouse, "plan", "metrics", "gleu", "m2")
    assert none.exit_code == 2
    assert "do not compare gleu and m2" in " ".join(none.output.split())


@pytest.fixture
def references() -> duckdb.DuckDBPyConnection:
    """Two reference sets with rankings of systems, and a crowd: half needs three answers."""
    marts = duckdb.connect()
    marts.execute("""
        create table corpora as select unnest(['small', 'large']) as corpus;
        create table metrics as select unnest(['gleu', 'm2']) as metric, true as is_selected;
        create table reference_sets as
        select unnest(['small', 'large']) as corpus, 'refs' as reference_set, true as is_default,
            4 as n_references;
        create table ranking_stability as
        select 'small' as corpus, 'refs' as reference_set, 'gleu' as metric, 'pairs' as measure,
            2 as n_systems, 1 as n_references, .99 as share, .9 as draws_low, 1.0 as draws_high
        union all
        select 'large', 'refs', 'gleu', 'pairs', 9, k, share, share - .1, share
        from (values (1, .8), (2, .92)) steps(k, share);
        create table coverage as
        select 'large' as corpus, null::integer as sentence_id, 'exact' as measure,
            'unseenest_rare' as estimator, true as with_replacement, k as n_references,
            share as expected_share, share - .3 as ci_low, share + .1 as ci_high, 40 as n_answers
        from (values (1, .2), (2, .45), (3, .6)) steps(k, share);
    """)
    return marts


def test_annotators_are_the_first_number_that_orders_enough_pairs_alike(
    references: duckdb.DuckDBPyConnection,
) -> None:
    record, text = annotators_for_orders(references, "gleu", 0.9, None)
    assert (record["corpus"], record["annotators_needed"]) == ("large", 2)
    assert "2 annotators: 0.92 of the pairs (0.82 to 0.92 over choices)" in text
    record, text = annotators_for_orders(references, "gleu", 0.95, None)
    assert record["annotators_needed"] is None
    assert "For 0.95 of the pairs: more than 2" in text
    record, _ = annotators_for_orders(references, "gleu", 0.95, "small")
    assert record["annotators_needed"] == 1


def test_annotators_coverage_lies_within_the_crowds_bounds(
    references: duckdb.DuckDBPyConnection,
) -> None:
    record, text = annotators_for_corrections(references, 0.5, None)
    needed = {"annotators_needed": 3, "ci_low": 2, "ci_high": None}
    assert record["needed"] == {"exact": needed}
    assert "the same text: 3 [2, more than 3]" in text
    references.execute("update coverage set ci_low = null, ci_high = null")
    shown = annotators_for_corrections(references, 0.5, None).text
    assert "the same text: 3\n" in shown
    assert "Too little data for an interval" in shown


def test_missing_comparisons_of_annotators_are_reported(
    references: duckdb.DuckDBPyConnection,
) -> None:
    with pytest.raises(PlanError, match="four annotators or more"):
        annotators_for_orders(references, "m2", 0.9, None)
    with pytest.raises(PlanError, match="no corrections by a crowd in small"):
        annotators_for_corrections(references, 0.5, "small")
