"""Recommendations from a few rows of marts, made by hand."""

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from result_rows import NOT_BETTER, add, add_best, add_judgments, empty_results
from typer.testing import CliRunner

from maege.analysis.metrics.registry import METRICS
from maege.cards.output import markdown
from maege.cli import app
from maege.recommend.choice import Recommendation, recommend
from maege.recommend.evidence import (
    BASELINES,
    EDIT_BASED,
    VARIANTS,
    References,
    UseName,
    read_results,
)
from maege.recommend.page import overview, page, queries


@pytest.fixture
def marts() -> Iterator[duckdb.DuckDBPyConnection]:
    with empty_results() as connection:
        yield connection


def chosen(
    marts: duckdb.DuckDBPyConnection,
    task: UseName = "outputs",
    language: str = "en",
    references: References = "m2",
) -> Recommendation:
    return recommend(read_results(marts), task, language, references)


def ends(estimate: float, width: float) -> dict[str, float]:
    return {"ci_low": estimate - width, "ci_high": estimate + width}


def test_a_clear_winner_is_recommended(marts: duckdb.DuckDBPyConnection) -> None:
    add_judgments(marts, "first")
    # A combined set counts once.
    combined = {"judgment_set": "both", "corpus": "essays", "task": "correction", "language": "en"}
    add(marts, "judgment_sets", **combined, title="The first one; The second one")
    add_best(marts, "gleu", 0.70, in_best_set=True)
    add_best(marts, "gleu", 0.70, in_best_set=True, judgment_set="both")
    add_best(marts, "errant", 0.60, in_best_set=False)
    choice = chosen(marts)
    assert (choice.metric, choice.ties) == ("gleu", [])
    assert choice.verdict == [
        "Use gleu to rank outputs of one sentence in English.",
        "It is the best of the metrics at ordering outputs as judges do (first).",
    ]
    shown = markdown(page(choice))
    assert "| first | 100 sentences | 70 % \\[68, 72\\] | yes |" in shown
    assert "Only one data set supports this: first." in shown
    assert queries(choice) == [
        "maege results \"from best_metrics where judgment_set = 'first' and level = 'output'\""
    ]
    overviews = markdown(overview([[chosen(marts, "systems")], [choice]]))
    assert "| rank systems | no evidence |" in overviews
    assert "| rank outputs of one sentence | gleu |" in overviews


def test_ties_of_the_confidence_set_and_fewer_results_are_listed(
    marts: duckdb.DuckDBPyConnection,
) -> None:
    add_judgments(marts, "first", "second")
    for judgment_set, errant_is_best in (("first", True), ("second", False)):
        add_best(marts, "gleu", 0.70, in_best_set=True, judgment_set=judgment_set)
        add_best(marts, "errant", 0.69, errant_is_best, judgment_set=judgment_set)
        add_best(marts, "meaning", 0.69, in_best_set=True, judgment_set=judgment_set)
    add_best(marts, "fluency", 0.9, in_best_set=True)
    choice = chosen(marts)
    assert choice.metric == "gleu"
    assert [(tie.metric, tie.n_tied, tie.n_compared, tie.basis) for tie in choice.ties] == [
        ("meaning", 2, 2, "confidence set"),
        ("fluency", 1, 1, "confidence set"),
        ("errant", 1, 2, "confidence set"),
    ]
    result = "fluency has no result on 1 of the 2 data sets, which may hide a better metric."
    assert result in choice.limits


def test_a_pairwise_test_decides_about_ties(marts: duckdb.DuckDBPyConnection) -> None:
    add_judgments(marts, "first")
    for metric, estimate in (("errant", 0.80), ("gleu", 0.90), ("meaning", 0.50)):
        add_best(marts, metric, estimate, in_best_set=True, level="system")
    tests = {"level": "system", "corpus": "essays", "judgment_set": "first"}
    tests |= {"method": "trueskill", "system_set": "base", "resampled": "both"}
    for first, second, difference, q_value in (
        ("errant", "gleu", -0.1, 0.30),
        ("gleu", "meaning", 0.4, 0.01),
    ):
        numbers = {"difference": difference, "q_value": q_value, **ends(difference, 0.2)}
        add(marts, "metric_comparisons", **tests, metric_a=first, metric_b=second, **numbers)
    choice = chosen(marts, "systems")
    assert choice.metric == "gleu"
    assert [(tie.metric, tie.basis, tie.details) for tie in choice.ties] == [
        ("errant", "test", ("first −0.10 [−0.30, +0.10], q = 0.300",))
    ]
    # The largest data set has 100 systems.
    marts.execute("update best_metrics set n = 12")
    limits = chosen(marts, "systems").limits
    assert any("The largest data set has 12 systems: intervals are wide" in each for each in limits)


def test_overlapping_intervals_are_called_untested(marts: duckdb.DuckDBPyConnection) -> None:
    """0.60 + 0.03 is above 0.65 - 0.03, and 0.50 + 0.03 is not."""
    corpus = {
        "corpus": "eseje",
        "references_mode": "one_other",
        "language": "cs",
        "n_sentences": 99,
    }
    for metric, tau in (("gleu", 0.65), ("errant", 0.60), ("meaning", 0.50)):
        interval = {f"tau_{name}": end for name, end in ends(tau, 0.03).items()}
        add(marts, "corpus_comparisons", **corpus, metric=metric, tau=tau, **interval)
    # In the corpus's own lattices only metrics without references have a rank: it decides nothing.
    add(marts, "corpora", corpus="eseje", language="cs")
    own = {"level": "sentence", "corpus": "eseje", "verdict": "better than chance", "n": 99}
    add(marts, "best_metrics", **own, metric="meaning", estimate=0.9, in_best_set=True)
    choice = chosen(marts, language="cs")
    assert choice.metric == "gleu"
    assert [(tie.metric, tie.basis) for tie in choice.ties] == [("errant", "overlapping intervals")]
    assert "its interval overlaps with that of errant" in choice.verdict[1]
    assert choice.limits[0].startswith("No human judgments in Czech support this.")
    assert "from corpus_comparisons where corpus = 'eseje'" in queries(choice)[0]


def test_variants_baselines_and_chance_are_never_recommended(
    marts: duckdb.DuckDBPyConnection,
) -> None:
    add_judgments(marts, "first")
    for metric, estimate in (("max_sari", 0.9), ("ld", 0.8), ("uploaded", 0.7)):
        add_best(marts, metric, estimate, in_best_set=True)
    add_best(marts, "gleu", 0.6, in_best_set=False)
    choice = chosen(marts)
    assert (choice.metric, choice.ties) == ("gleu", [])
    assert "It has the highest estimate of the metrics at" in choice.verdict[1]
    marts.execute("update best_metrics set verdict = $1", [NOT_BETTER])
    none = chosen(marts)
    assert none.metric is None
    assert "No metric that you can compute is better than chance" in none.verdict[0]


def test_metrics_without_their_inputs_are_excluded(marts: duckdb.DuckDBPyConnection) -> None:
    add_judgments(marts, "first")
    add_best(marts, "errant", 0.70, in_best_set=True)
    add_best(marts, "fluency", 0.65, in_best_set=False)
    choice = chosen(marts, references="none")
    assert choice.metric == "fluency"
    assert "of the metrics without references" in choice.verdict[1]
    assert "With references, errant is the recommendation." in choice.limits
    assert "fluency needs a language model: see docs/metrics.md." in choice.limits
    exploitable = "A system that is optimised for fluency can exploit it"
    assert any(limit.startswith(exploitable) for limit in choice.limits)
    # Edit-based metrics have a limit without gold edits.
    texts, m2 = chosen(marts, references="texts").limits, chosen(marts).limits
    assert sum("gold edits" in limit for limit in texts) == 1
    assert not any("gold edits" in limit or exploitable in limit for limit in m2)


def test_contradicting_judgment_sets_are_stated(marts: duckdb.DuckDBPyConnection) -> None:
    add_judgments(marts, "first", "second", "third", "without_gleu")
    for judgment_set in ("first", "second"):
        add_best(marts, "gleu", 0.7, in_best_set=True, judgment_set=judgment_set)
        add_best(marts, "errant", 0.6, in_best_set=False, judgment_set=judgment_set)
    add_best(marts, "gleu", 0.6, in_best_set=False, judgment_set="third")
    add_best(marts, "errant", 0.7, in_best_set=True, judgment_set="third")
    add_best(marts, "meaning", 0.7, in_best_set=True, judgment_set="without_gleu")
    add_best(marts, "gleu", 0.0, False, level="sentence", judgment_set=None, verdict=NOT_BETTER)
    add_best(marts, "errant", 0.3, in_best_set=True, level="sentence", judgment_set=None)
    choice = chosen(marts)
    assert choice.metric == "gleu"
    assert "on 2 of 3 data sets" in choice.verdict[1]
    assert [limit for limit in choice.limits if limit.startswith("Contradicting")] == [
        "Contradicting evidence: at ordering outputs as judges do (third), gleu (60 % [58, 62]) "
        "is significantly worse than errant (70 % [68, 72]).",
        "Contradicting evidence: gleu is not better than chance at ordering corrections of one "
        "sentence (essays): 0.00 [−0.02, 0.02].",
    ]


def test_another_language_is_reported_as_such(marts: duckdb.DuckDBPyConnection) -> None:
    """`fluency` is best in English, but reads English only: `gleu` is reported for it."""
    add_judgments(marts, "first")
    add_best(marts, "fluency", 0.70, in_best_set=True)
    add_best(marts, "gleu", 0.60, in_best_set=False)
    german, swedish = chosen(marts, language="de"), chosen(marts, language="sv")
    assert german.metric is None
    assert german.verdict == [
        "There is no evidence for a metric to rank outputs of one sentence in German. "
        "The results have no corpus and no judgments in German.",
        "Recommendations for other languages: gleu in English (first: 60 % [58, 62]). "
        "Whether they hold in German is unknown.",
    ]
    assert german.limits == ["fluency, the recommendation for English, does not read German."]
    assert "have data in Swedish, but no valid evidence" in swedish.verdict[0]


def add_task(marts: duckdb.DuckDBPyConnection, name: str, task: str, **values: str) -> None:
    about = {"language": "en", "asked_of": "correction", **values}
    add(marts, "judgment_tasks", judgment_set=name, task=task, **about)


def test_ratings_are_evidence_for_outputs_and_systems(marts: duckdb.DuckDBPyConnection) -> None:
    add_judgments(marts, "ratings", corpus=None)
    add_task(marts, "ratings", "swedish", language="sv")
    add_task(marts, "ratings", "simple", language="sv", asked_of="simplification")
    for task, level, aspect, metric, value, q_value in (
        ("swedish", "system", "grammaticality", "gleu", 0.8, 0.01),
        ("swedish", "within_item", "grammaticality", "gleu", 0.6, 0.01),
        ("swedish", "within_item", "grammaticality", "errant", 0.6, 0.20),
        ("swedish", "within_item", "meaning", "errant", 0.9, 0.01),
        ("simple", "within_item", "grammaticality", "errant", 0.9, 0.01),
    ):
        place = {"judgment_set": "ratings", "task": task, "aspect": aspect, "level": level}
        measure = {"pearson_r" if level == "system" else "accuracy": value, **ends(value, 0.1)}
        numbers = {**measure, "n": 50, "q_value": q_value}
        add(marts, "rating_correlations", **place, metric=metric, **numbers)
    systems, outputs = chosen(marts, "systems", "sv"), chosen(marts, "outputs", "sv")
    assert (systems.metric, outputs.metric) == ("gleu", "gleu")
    assert outputs.evidence[0].data_set == "ratings, swedish, grammaticality"
    assert outputs.ties == []


def test_edit_verdicts_can_contradict(marts: duckdb.DuckDBPyConnection) -> None:
    """Verdicts without gold edits count: an AUC of 0.45 with q = 0.3 is not better than chance."""
    add_task(marts, "verdicts", "verdicts")
    add_best(marts, "gleu", 0.90, in_best_set=True, level="edit", judgment_set=None)
    place = {"judgment_set": "verdicts", "task": "verdicts", "metric": "gleu", "n_edits": 100}
    for verdict_set, auc, q_value in (("all", 0.80, 0.001), ("without_gold", 0.45, 0.3)):
        numbers = {"auc": auc, "q_value": q_value, **ends(auc, 0.1)}
        add(marts, "verdict_agreement", **place, verdict_set=verdict_set, **numbers)
    assert (
        "Contradicting evidence: gleu is not better than chance at preferring edits that judges "
        "approve (verdicts): 0.45 [0.35, 0.55]."
    ) in chosen(marts, "edits").limits


def test_preferred_outputs_are_evidence(marts: duckdb.DuckDBPyConnection) -> None:
    add_task(marts, "pairs", "pairs")
    place = {"judgment_set": "pairs", "task": "pairs", "n_sentences": 100, "chance_q_value": 0.01}
    for metric, accuracy, is_headline in (("gleu", 0.7, True), ("errant", 0.9, False)):
        numbers = {"accuracy": accuracy, "is_headline": is_headline, **ends(accuracy, 0.1)}
        add(marts, "sentence_agreement", **place, metric=metric, **numbers)
    choice = chosen(marts)
    assert (choice.metric, choice.evidence[0].data_set) == ("gleu", "pairs")
    (query,) = queries(choice)
    assert "from sentence_agreement where judgment_set = 'pairs' and is_headline" in query


def test_variants_and_edit_metrics_match_the_registry() -> None:
    suffixed = {
        name
        for name in METRICS
        for other in METRICS
        if name.startswith(f"{other}_") and name not in EDIT_BASED
    }
    assert suffixed - {*VARIANTS} == set()
    edit_metrics = {
        name
        for name, metric in METRICS.items()
        if any(family.reads_gold for family in metric.score.families)
    }
    assert {name for name in edit_metrics if name not in VARIANTS} == {*EDIT_BASED}
    assert {*VARIANTS.values(), *BASELINES} <= {*METRICS, "lt", "grammaticality"}


def test_the_command_answers_without_a_warehouse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / "none"))
    shown = CliRunner().invoke(app, ["recommend"])
    assert shown.exit_code == 0, shown.output
    assert "rank systems" in shown.output
    assert "notice wrong edits" in shown.output
    answer = CliRunner().invoke(app, ["recommend", "--task", "outputs", "--format", "json"])
    (choice,) = json.loads(answer.output)["recommendations"]
    best = f"Use {choice['metric']} to rank outputs of one sentence in English."
    assert choice["verdict"][0] == best
    assert choice["queries"]
    assert all(line.startswith("maege results ") for line in choice["queries"])


def test_an_invalid_language_is_refused() -> None:
    answer = CliRunner().invoke(app, ["recommend", "--language", "german"])
    assert answer.exit_code == 2
    assert "found german, expected a tag of BCP 47" in answer.output
