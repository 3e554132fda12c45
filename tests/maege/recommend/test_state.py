"""The page on the state of GEC metrics, from rows made by hand and from the published results."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from result_rows import NOT_BETTER, WORSE, add, add_best, add_judgments, empty_results

from maege.recommend.state import state_page
from maege.shipped.read import results as open_results


@pytest.fixture
def marts() -> Iterator[duckdb.DuckDBPyConnection]:
    """`gleu` is best for judges, `errant` on lattices, and `meaning` is worse than chance."""
    with empty_results() as connection:
        add_judgments(connection, "first")
        for level, judgment_set, gleu, errant in (
            ("output", "first", 0.70, 0.60),
            ("sentence", None, 0.10, 0.30),
        ):
            gleu_is_best = gleu > errant
            add_best(connection, "gleu", gleu, gleu_is_best, level, judgment_set)
            add_best(connection, "errant", errant, not gleu_is_best, level, judgment_set)
        add_best(connection, "meaning", 0.40, in_best_set=False, verdict=WORSE)
        add_best(connection, "fluency", 0.50, in_best_set=False, verdict=NOT_BETTER)
        yield connection


def section(page: str, heading: str) -> str:
    """Return the text below a heading."""
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_contradictions_of_two_kinds_are_stated(marts: duckdb.DuckDBPyConnection) -> None:
    shown = section(state_page(marts), "Contradictions")
    assert (
        "- English: judged outputs favour `gleu`, lattices favour `errant`. On first, `gleu` has "
        "pairs 70 % [68, 72] and `errant` 60 % [58, 62]. On essays, `errant` has tau 0.30 "
        "[0.28, 0.32] and `gleu` 0.10 [0.08, 0.12]."
    ) in shown
    assert "`meaning` is worse than chance on 1 of 1 data sets (judged outputs 1)." in shown


def test_data_sets_without_a_common_best_metric(marts: duckdb.DuckDBPyConnection) -> None:
    add_judgments(marts, "second")
    add_best(marts, "errant", 0.70, in_best_set=True, judgment_set="second")
    assert (
        "- English, judged outputs: no metric is best or tied for best on all 2 data sets. Most "
        "often: `gleu` on 1 and `errant` on 1."
    ) in section(state_page(marts), "Contradictions")


def test_missing_evidence_is_listed(marts: duckdb.DuckDBPyConnection) -> None:
    add(
        marts,
        "metric_availability",
        metric="lt",
        is_available=False,
        reason_code="not_runnable",
        reason="LanguageTool is not installed",
    )
    shown = section(state_page(marts), "Open questions")
    assert "- No metric has valid evidence to rank systems in Czech, English and Swedish." in shown
    assert "- No metric has valid evidence to rank outputs of one sentence in Czech and" in shown
    assert "- These metrics have no results: `lt`." in shown


def test_the_data_that_would_separate_metrics(marts: duckdb.DuckDBPyConnection) -> None:
    """Three of four metrics are tied for best, which is more than half of them."""
    marts.execute("update best_metrics set in_best_set = true where metric != 'meaning'")
    marts.execute("update best_metrics set n_needed = 250 where metric = 'errant'")
    shown = section(state_page(marts), "Open questions")
    assert (
        "- Judged outputs: more than half of the metrics are tied for best on 1 of 1 data sets. "
        "first has 100 sentences; about 250 would separate `errant` from `gleu`."
    ) in shown


def test_the_committed_page_is_up_to_date(repository: Path) -> None:
    with open_results() as connection:
        text = state_page(connection)
    assert (repository / "docs" / "state-of-gec-metrics.md").read_text("utf-8") == text, (
        "docs/state-of-gec-metrics.md is older than results/: python -m maege.recommend.state"
    )
