"""A user metric in the built sample, by function."""

from pathlib import Path

import pytest
from building import copy_of, query, value
from own_metric import MINE, MODULE, WITHOUT_TESTS, declare, leading_to, run_in

OWN_REQUESTS = "select count(*) from scores.own_requests where metric = 'mine'"


@pytest.fixture
def folder(built_with_mine: Path, tmp_path: Path) -> Path:
    return copy_of(built_with_mine, tmp_path / "own")


def n_calls(folder: Path) -> int:
    return len((folder / "calls.txt").read_text())


def test_an_added_metric_changes_no_row_of_others_and_calls_no_function_again(
    sample_warehouse: Path, folder: Path
) -> None:
    warehouse = folder / "warehouse"
    cached = value(sample_warehouse, "select count(*) from caches.metric_statistics")
    n_requests = value(warehouse, OWN_REQUESTS)
    assert n_calls(folder) == n_requests > 1000
    after = value(warehouse, "select count(*) from caches.metric_statistics")
    # `less` has the same number.
    n_compared = value(warehouse, OWN_REQUESTS.replace("mine", "longer"))
    assert after == cached + 2 * n_requests + n_compared
    for mart in (
        "corpus_correlations",
        "corpus_draws",
        "node_scores",
        "scores_by_error_count",
        "sentence_correlations",
        "system_comparisons",
        "system_scores",
        "system_sentence_scores",
        "type_deltas",
    ):
        counts = f"select count(*) from marts.{mart} where metric = $1"
        assert value(warehouse, counts, "mine") == value(warehouse, counts, "gleu") > 0, mart
    assert query(
        warehouse,
        "select source, inputs, higher_is_better from marts.metrics where metric = 'mine'",
    ) == [("function function_of_warehouse:score", "hypothesis, references", True)]

    tables = {
        "systems.system_corpus_scores": "*",
        "judgments.human_metric_correlations": "*",
        # q-values depend on the number of metrics.
        "marts.sentence_agreement": "* exclude (chance_q_value)",
    }
    added = "metric = 'again'"
    right = {
        table: query(warehouse, f"select {columns} from {table} order by all")
        for table, columns in tables.items()
    }
    declare(folder, again=MINE)
    names = [table.partition(".")[2] for table in tables]
    run_in(folder, "dbt", *leading_to(*names), *WITHOUT_TESTS)

    # Only `again` calls the function.
    assert n_calls(folder) == n_requests + value(warehouse, OWN_REQUESTS.replace("mine", "again"))
    for table, columns in tables.items():
        assert query(warehouse, f"from {table} where {added}"), table
        statement = query(
            warehouse, f"select {columns} from {table} where not {added} order by all"
        )
        # As text, in which NaN is equal to itself.
        assert repr(statement) == repr(right[table]), table


@pytest.mark.extended
def test_changed_metric_scores_whole_sampled_sentences_and_continues(folder: Path) -> None:
    warehouse = folder / "warehouse"

    def sampled() -> tuple[set[object], set[object]]:
        """Return the sentences with all pairs scored, and those with some."""
        rows = query(
            warehouse,
            "select sentence_id, bool_and(score is not null), bool_or(score is not null) "
            "from caches.scoring_inputs join scores.own_pairs using (pair_id) "
            "where metric = 'mine' group by all",
        )
        return {row[0] for row in rows if row[1]}, {row[0] for row in rows if row[2]}

    marts = (
        *("sentence_correlations", "corrupted_edit_agreement", "corpus_correlations"),
        *("system_scores", "metric_availability", "sentence_exclusions"),
    )
    building = (*leading_to(*marts), *WITHOUT_TESTS)
    module = folder / "function_of_warehouse.py"
    module.write_text(MODULE.replace("return -distance(", "return -2 * distance("))
    before = n_calls(folder)
    declare(folder, less=None, mine={**MINE, "sample_sentences": 25, "draws": 2})
    run_in(folder, "dbt", *building)
    first, scored = sampled()
    # Changed source makes all requests new.
    n_scored = n_calls(folder) - before
    # Texts that several sentences share are scored for all of them.
    assert 25 <= len(first) <= len(scored) < 30
    assert value(warehouse, f"{OWN_REQUESTS} and score is not null") == n_scored
    assert value(warehouse, "select max(score) from scores.own_pairs where metric = 'mine'") == 2
    for mart in ("sentence_correlations", "system_scores"):
        assert value(warehouse, f"select count(*) from marts.{mart} where metric = 'less'") == 0
    (row,) = query(
        warehouse,
        "select reason, is_available from marts.metric_availability where metric = 'mine'",
    )
    assert str(row[0]).startswith(
        "computed here for 25 sentences of each corpus, 2 of 4 draws of sampled corpora: "
        f"{n_scored:,} of "
    )
    assert row[1]
    designed = "select distinct n_draws, n_scored_draws from marts.corpus_correlations"
    assert query(warehouse, f"{designed} where metric = 'mine'") == [(4, 2)]
    counts = "select max(n_sentences) from marts.sentence_correlations where metric = $1"
    assert 0 < value(warehouse, counts, "mine") <= len(scored) < value(warehouse, counts, "gleu")
    assert value(
        warehouse,
        "select count(distinct sentence_id) from marts.sentence_exclusions "
        "where metric = 'mine' and reason_code = 'not_in_sample'",
    ) == 84 - len(first)

    declare(folder, mine={**MINE, "sample_sentences": 40, "draws": 3})
    run_in(folder, "dbt", *building)
    larger, _ = sampled()
    assert first < larger
    # Nothing is requested again.
    assert value(warehouse, f"{OWN_REQUESTS} and score is not null") == n_calls(folder) - before


def test_a_metric_where_less_is_better_agrees_as_its_opposite_does(built_with_mine: Path) -> None:
    warehouse = built_with_mine / "warehouse"
    for mart in ("sentence_correlations", "corpus_correlations", "type_deltas"):
        statement = f"select * exclude (metric) from marts.{mart} where metric = $1 order by all"
        assert query(warehouse, statement, "less") == query(warehouse, statement, "mine"), mart
    ranks = (
        "select system, reference_set, rank from marts.system_scores where metric = $1 order by all"
    )
    assert query(warehouse, ranks, "less") == query(warehouse, ranks, "mine")
    for mart, column in (("node_scores", "score"), ("discordant_pairs", "upper_score")):
        sums = f"select sum({column}) from marts.{mart} where metric = $1"
        assert value(warehouse, sums, "less") == pytest.approx(-value(warehouse, sums, "mine"))


def test_comparing_and_scoring_metrics_have_equal_preferences(
    built_with_mine: Path,
) -> None:
    warehouse = built_with_mine / "warehouse"
    statement = (
        "select * exclude (metric, position_bias) from marts.step_preferences where metric = $1 "
        "order by all"
    )
    # It scores each text by its length.
    assert query(warehouse, statement, "longer") == query(warehouse, statement, "chance_length")
    ((n_pairs, n_tied, bias),) = query(
        warehouse,
        "select n_pairs, n_tied, position_bias from marts.step_preferences "
        "where metric = 'longer' and error_type is null",
    )
    assert 0 < n_tied < n_pairs
    assert bias == pytest.approx(0.25 * n_tied / n_pairs)
    # It gives no score to a single text, and a missing score is no failure.
    for mart in ("node_scores", "system_scores", "corrupted_edit_agreement", "metric_failures"):
        counts = f"select count(*) from marts.{mart} where metric = 'longer'"
        assert value(warehouse, counts) == 0, mart
    assert query(
        warehouse,
        "select is_available, reason, remedy from marts.metric_availability "
        "where metric = 'longer'",
    ) == [(True, "computed here for single edits only, because it compares texts", None)]
