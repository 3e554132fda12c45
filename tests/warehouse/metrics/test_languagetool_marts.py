"""LanguageTool in the marts of the sample, with the real versions; killing it changes nothing."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psutil
import pytest
from building import (
    FEW_RESAMPLES,
    change,
    copy_of,
    invocation,
    query,
    run,
    spooled,
    value,
    variables,
)

from maege.analysis.languagetool.installation import SERVER_VERSION, folder_of

Found = TypeVar("Found")

PATIENCE = 300  # seconds within which an awaited event must happen
# Enough for two chunks of texts.
SENTENCES = 20
METRICS = variables(**FEW_RESAMPLES, metrics=["lt", "lt37", "lt_maege2018", "ld"], corpus_draws=4)
MARTS = ("grammar_matches", "metric_availability", "sentence_correlations")
BEFORE = ("run", "--select", *(f"+{mart}" for mart in MARTS), *METRICS)
# Changes after a new version of LanguageTool: the requests, and the tables that read results.
CHECKS = (
    "metric_registry",
    "scoring_requests",
    *("grammar_metrics", "grammar_requests", "grammar_checks", "grammar_scores", "grammar_matches"),
)
CHECKED_BY_6_6 = ("run", "--select", *CHECKS, *METRICS)
READERS = (f"grammar_scores+,+{mart}" for mart in MARTS)
SELECTED = ("run", "--select", *CHECKS, *READERS, *METRICS)
TEXTS_OF_6_6 = "select count(*) from caches.grammar_requests where languagetool = '6.6'"
RESULTS = {
    "checks": "select text_id, error, rule_ids, categories, offsets, lengths "
    "from caches.grammar_checks inner join caches.grammar_metrics using (check_key) "
    "where metric = 'lt' order by all",
    "scores": "select * from scores.grammar_scores where metric = 'lt' order by all",
    "matches": "select * from marts.grammar_matches where metric = 'lt' order by all",
}


@pytest.fixture(scope="module")
def languagetool(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A build's environment with every version of LanguageTool, and a server of its own."""
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
def checked_by_3_7(
    sample_warehouse: Path,
    languagetool: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The first sentences of the sample, checked with LanguageTool 3.7 only."""
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("checked_by_3_7") / "warehouse")
    for (table,) in query(
        warehouse,
        "select table_name from information_schema.columns "
        "where table_schema = 'raw' and column_name = 'sentence_id'",
    ):
        change(warehouse, f'delete from raw."{table}" where sentence_id >= {SENTENCES}')
    home = tmp_path_factory.mktemp("only_3_7")
    for folder in Path(languagetool["LANGUAGETOOL_HOME"]).glob("3.7-*"):
        (home / folder.name).symlink_to(folder)
    run("dbt", warehouse, *BEFORE, **{**languagetool, "LANGUAGETOOL_HOME": str(home)})
    # The table has the chunks of 3.7; the test waits for those of 6.6.
    shutil.rmtree(warehouse / "spool" / "grammar_checks")
    return warehouse


@pytest.fixture(scope="module")
def checked(
    checked_by_3_7: Path,
    languagetool: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """These sentences with the scores of both versions."""
    warehouse = copy_of(checked_by_3_7, tmp_path_factory.mktemp("checked") / "warehouse")
    run("dbt", warehouse, *SELECTED, **languagetool)
    return warehouse


@contextmanager
def checking(
    warehouse: Path, languagetool: dict[str, str]
) -> Iterator[tuple["subprocess.Popen[bytes]", psutil.Process]]:
    """A build that has finished its first texts and has others to check, and the server it uses."""
    with subprocess.Popen(
        **invocation("dbt", warehouse, *CHECKED_BY_6_6, **languagetool),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as build:
        try:
            awaited(build, lambda: spooled(warehouse, "grammar_checks"))
            yield build, awaited(build, lambda: servers(languagetool))[0]
        finally:
            build.kill()


def servers(languagetool: dict[str, str]) -> list[psutil.Process]:
    """Return the Java processes of the build's LanguageTool."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if (line := process.info["cmdline"] or [""])[0].endswith("java")
        and any(languagetool["LANGUAGETOOL_HOME"] in part for part in line)
    ]


def awaited(build: "subprocess.Popen[bytes]", happened: Callable[[], Found | None]) -> Found:
    """Return the awaited value while the build runs; fail if the build ends before."""
    deadline = time.monotonic() + PATIENCE
    while not (result := happened()):
        assert build.poll() is None, f"the build ended with exit code {build.returncode}"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return result


def results(warehouse: Path) -> dict[str, list[tuple[object, ...]]]:
    return {name: query(warehouse, sql) for name, sql in RESULTS.items()}


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
    run("dbt", checked, *CHECKED_BY_6_6, **languagetool)
    assert spooled(checked, "grammar_checks") == []
    assert value(checked, "select count(*) from caches.grammar_checks") == before
    assert servers(languagetool) == []


def test_a_server_killed_while_a_build_uses_it_changes_nothing(
    checked: Path, languagetool: dict[str, str], checked_by_3_7: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(checked_by_3_7, tmp_path / "warehouse")
    with checking(warehouse, languagetool) as (build, first):
        first.kill()
        # A server is started only for a text without a response.
        awaited(build, lambda: [java for java in servers(languagetool) if java != first])
        assert build.wait(PATIENCE) == 0

    rebuilt = results(warehouse)
    assert rebuilt == results(checked)
    assert {error for _, error, *_ in rebuilt["checks"]} == {None}
    texts = [text_id for text_id, *_ in rebuilt["checks"]]
    assert len(set(texts)) == len(texts)
    assert len(texts) == value(warehouse, TEXTS_OF_6_6)


def test_a_build_killed_while_it_checks_is_taken_up_where_it_was(
    checked: Path, languagetool: dict[str, str], checked_by_3_7: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(checked_by_3_7, tmp_path / "warehouse")
    with checking(warehouse, languagetool) as (build, server):
        build.kill()
    assert build.returncode == -signal.SIGKILL
    assert psutil.wait_procs([server], timeout=30)[1] == []

    before_kill = {path: path.stat().st_mtime_ns for path in spooled(warehouse, "grammar_checks")}
    run("dbt", warehouse, *CHECKED_BY_6_6, **languagetool)

    # Stored chunks are not sent again: they stay unchanged and share no text.
    chunks = spooled(warehouse, "grammar_checks")
    assert before_kill.items() <= {path: path.stat().st_mtime_ns for path in chunks}.items()
    assert 0 < len(before_kill) < len(chunks)
    assert value(
        warehouse, "select count(*) from read_parquet($1)", [str(path) for path in chunks]
    ) == value(warehouse, TEXTS_OF_6_6)
    assert results(warehouse) == results(checked)
