"""LanguageTool in the marts of the sample, with the real versions."""

import shutil
from pathlib import Path

import psutil
import pytest
from building import copy_of, query, run, spooled, value, variables

SELECTED = (
    "run",
    "--select",
    "+grammar_matches",
    "+metric_availability",
    "+sentence_correlations",
    *variables(metrics=["lt", "lt_maege2018", "ld"]),
)


@pytest.fixture(scope="module")
def checked(
    sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, str]]:
    """The sample's warehouse with LanguageTool's scores, and how a build finds LanguageTool."""
    if shutil.which("mvn") is None or shutil.which("java") is None:
        pytest.skip("needs Java and Maven, to bring LanguageTool")
    cache = {"LANGUAGETOOL_HOME": str(Path.home() / ".cache" / "maege" / "languagetool")}
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("checked") / "warehouse")
    run("maege", warehouse, "languagetool", "install", **cache)
    run("dbt", warehouse, *SELECTED, **cache)
    return warehouse, cache


def test_lt_stands_among_the_metrics(checked: tuple[Path, dict[str, str]]) -> None:
    warehouse, _ = checked
    rows = query(
        warehouse,
        "select metric, available, reason, n_requests = n_scores from marts.metric_availability "
        "where starts_with(metric, 'lt') order by metric",
    )
    assert rows[0] == ("lt", True, "computed here", True)
    assert rows[1] == ("lt_maege2018", True, "computed here", True)
    assert rows[2][:3] == ("lt_napoles2016", False, "left out by the variable metrics")
    judged = query(
        warehouse,
        "select distinct metric from marts.sentence_correlations where mode = 'as_published'",
    )
    assert {metric for (metric,) in judged} >= {"lt", "lt_maege2018"}


def test_a_score_is_one_minus_the_share_of_errors(checked: tuple[Path, dict[str, str]]) -> None:
    warehouse, _ = checked
    wrong = value(
        warehouse,
        "select count(*) from languagetool.grammar_scores as scores inner join "
        "(select metric, text_id, count(*) filter (where is_counted) as n "
        "from marts.grammar_matches group by all) as matches using (metric, text_id) "
        "where errors <> n or abs(score - (1 - n / tokens)) > 1e-12",
    )
    assert wrong == 0
    assert value(warehouse, "select count(*) from marts.grammar_matches where is_counted") > 100


def test_no_text_is_sent_twice_and_no_server_stays(checked: tuple[Path, dict[str, str]]) -> None:
    warehouse, cache = checked
    before = value(warehouse, "select count(*) from languagetool.grammar_checks")
    run("dbt", warehouse, *SELECTED, **cache)
    assert spooled(warehouse, "grammar_checks") == []
    assert value(warehouse, "select count(*) from languagetool.grammar_checks") == before
    java = [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(str(cache["LANGUAGETOOL_HOME"]) in part for part in process.info["cmdline"] or ())
    ]
    assert java == []
