"""LanguageTool in the marts of the sample, with the real versions."""

import os
import shutil
from pathlib import Path

import psutil
import pytest
from building import (
    FEW_RESAMPLES,
    change,
    copy_of,
    query,
    run,
    spooled,
    value,
    variables,
)

from maege.analysis.languagetool.installation import SERVER_VERSION, folder_of

SENTENCES = 20
METRICS = variables(**FEW_RESAMPLES, metrics=["lt", "lt37", "lt_maege2018", "ld"], corpus_draws=4)
MARTS = ("grammar_matches", "metric_availability", "sentence_correlations")
BUILD = ("run", "--select", *(f"+{mart}" for mart in MARTS), *METRICS)
CHECKS = ("run", "--select", "grammar_metrics", "grammar_requests", "grammar_checks", *METRICS)


@pytest.fixture(scope="module")
def languagetool(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    if shutil.which("mvn") is None or shutil.which("java") is None:
        needed = "needs Java and Maven, to bring LanguageTool"
        if os.environ.get("CI") == "true":
            pytest.fail(needed)
        pytest.skip(needed)
    cache = folder_of(SERVER_VERSION).parent
    home = tmp_path_factory.mktemp("languagetool")
    run("maege", home, "languagetool", "install", LANGUAGETOOL_HOME=str(cache))
    for folder in cache.glob("[0-9]*"):
        (home / folder.name).symlink_to(folder)
    # What Java compiles well takes longer to compile than these texts to check.
    return {"LANGUAGETOOL_HOME": str(home), "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1"}


@pytest.fixture(scope="module")
def checked(
    sample_warehouse: Path,
    languagetool: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("checked") / "warehouse")
    for (table,) in query(
        warehouse,
        "select table_name from information_schema.columns "
        "where table_schema = 'raw' and column_name = 'sentence_id'",
    ):
        change(warehouse, f'delete from raw."{table}" where sentence_id >= {SENTENCES}')
    run("dbt", warehouse, *BUILD, **languagetool)
    return warehouse


def test_lt_is_among_the_metrics(checked: Path) -> None:
    rows = query(
        checked,
        "select metric, is_available, reason, n_requests = n_scores from marts.metric_availability "
        "where starts_with(metric, 'lt') order by metric",
    )
    assert rows[0] == ("lt", True, "computed here", True)
    assert rows[1] == ("lt37", True, "computed here", True)
    assert rows[2] == ("lt_maege2018", True, "computed here", True)
    assert rows[3][:3] == ("lt_napoles2016", False, "left out by the variable metrics")
    judged = query(
        checked,
        "select distinct metric from marts.sentence_correlations",
    )
    assert {metric for (metric,) in judged} >= {"lt", "lt37", "lt_maege2018"}


def test_a_score_is_one_minus_the_share_of_errors(checked: Path) -> None:
    wrong = value(
        checked,
        "select count(*) from scores.grammar_scores as scores inner join "
        "(select metric, text_id, count(*) filter (where is_counted) as n "
        "from marts.grammar_matches group by all) as matches using (metric, text_id) "
        "where errors <> n or abs(score - (1 - n / tokens)) > 1e-12",
    )
    assert wrong == 0
    assert value(checked, "select count(*) from marts.grammar_matches where is_counted") > 100


def test_no_text_is_sent_twice_and_no_server_stays(
    checked: Path, languagetool: dict[str, str]
) -> None:
    before = value(checked, "select count(*) from caches.grammar_checks")
    run("dbt", checked, *CHECKS, **languagetool)
    assert spooled(checked, "grammar_checks") == []
    assert value(checked, "select count(*) from caches.grammar_checks") == before
    java = [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(languagetool["LANGUAGETOOL_HOME"] in part for part in process.info["cmdline"] or ())
    ]
    assert java == []
