"""A metric of the user's own in the built sample: by function, by file, and with faults."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest
from building import (
    BUILD,
    BUILD_WITHOUT_TESTS,
    attempt,
    copy_of,
    exported_marts,
    made_once,
    query,
    run,
    value,
)

# Writes down every call, so that a test can say how often it was called.
MODULE = """\
from pathlib import Path

CALLS = Path(__file__).with_name("calls.txt")


def score(hypothesis, references):
    with CALLS.open("a") as calls:
        calls.write(".")
    words = set(hypothesis.split())
    return max(len(words & set(text.split())) / max(len(words), 1) for text in references)


def distance(hypothesis, references):
    return -score(hypothesis, references)


def careful(hypothesis):
    if "the" not in hypothesis.split():
        raise ValueError("no article")
    return len(hypothesis)


def same(hypothesis):
    return 1.0
"""
# A language model of three words, of which texts have two.
ARPA = "\\data\\\nngram 1=4\n\n\\1-grams:\n-99 <s>\n-1 </s>\n-.5 the\n-1 .\n\\end\\\n"
READS = ("--inputs", "hypothesis,references")
OWN_REQUESTS = "select count(*) from scoring.own_requests where metric = 'mine'"
# Says where scores come from, so that it may differ.
ABOUT_METRICS = {"metrics", "metric_availability", "metric_cards"}
FACTS = "from marts.metric_cards where section not in ('reads', 'coverage') order by all"
WITHOUT_UNIT_TESTS, WITHOUT_TESTS = BUILD[1:], BUILD_WITHOUT_TESTS[1:]
Tool = Callable[..., str]


@pytest.fixture(scope="session")
def built_with_mine(sample_warehouse: Path, suite: Path) -> Path:
    """A folder with the module of functions and the sample, one of them in it as `mine`."""

    def make(folder: Path) -> None:
        (folder / "function_of_warehouse.py").write_text(MODULE)
        copy_of(sample_warehouse, folder / "warehouse")
        add_mine = ("metric", "add", "function_of_warehouse:score", "--name", "mine", *READS)
        run_in(folder, "maege", *add_mine)
        run_in(folder, "dbt", *BUILD)

    return made_once(suite / "own_metric", make)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the module of functions, where metrics.yml is written."""
    (tmp_path / "function_of_warehouse.py").write_text(MODULE)
    return tmp_path


@pytest.fixture
def warehouse(sample_warehouse: Path, folder: Path) -> Path:
    return copy_of(sample_warehouse, folder / "warehouse")


@pytest.fixture
def warehouse_with_mine(built_with_mine: Path, folder: Path) -> Path:
    """The sample that has `mine`, with metrics.yml and the calls until now beside it."""
    for name in ("metrics.yml", "calls.txt"):
        shutil.copy(built_with_mine / name, folder / name)
    return copy_of(built_with_mine / "warehouse", folder / "warehouse")


@pytest.fixture
def maege(folder: Path) -> Tool:
    """The command on the warehouse, with metrics.yml in the folder."""
    return partial(run_in, folder, "maege")


@pytest.fixture
def build(folder: Path) -> Tool:
    """A build without the marts' tests, unless it is told otherwise."""

    def command(*arguments: str) -> str:
        return run_in(folder, "dbt", *(arguments or BUILD_WITHOUT_TESTS))

    return command


def leading_to(*models: str) -> tuple[str, ...]:
    """Return the arguments of a build of these models and all before them that metrics change."""
    return ("build", "--select", *(f"metric_registry+,+{model}" for model in models))


def run_in(folder: Path, program: str, *arguments: str | Path) -> str:
    """Return the output of a command on the folder's warehouse, with its metrics.yml."""
    metrics = str(folder / "metrics.yml")
    return run(program, folder / "warehouse", *arguments, MAEGE_METRICS=metrics)


def n_calls(folder: Path) -> int:
    calls = folder / "calls.txt"
    return len(calls.read_text()) if calls.exists() else 0


def test_a_function_is_called_once_an_input_until_its_source_changes(
    warehouse_with_mine: Path, sample_warehouse: Path, folder: Path, maege: Tool, build: Tool
) -> None:
    warehouse = warehouse_with_mine
    cached = value(sample_warehouse, "select count(*) from scoring.metric_statistics")
    n_requests = value(warehouse, OWN_REQUESTS)
    assert n_calls(folder) == n_requests > 1000
    after = value(warehouse, "select count(*) from scoring.metric_statistics")
    assert after == cached + n_requests
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
        "select source, inputs, higher_is_better from marts.metrics where name = 'mine'",
    ) == [("function function_of_warehouse:score", "hypothesis, references", True)]

    node_scores = (*leading_to("node_scores"), *WITHOUT_TESTS)
    build(*node_scores)
    assert n_calls(folder) == n_requests

    module = folder / "function_of_warehouse.py"
    module.write_text(MODULE.replace("return max(", "return 2 * max("))
    build(*node_scores)
    assert n_calls(folder) == 2 * n_requests
    assert value(warehouse, "select max(score) from marts.node_scores where metric = 'mine'") == 2

    maege("metric", "remove", "mine")
    build(*node_scores)
    assert value(warehouse, "select count(*) from marts.node_scores where metric = 'mine'") == 0


def test_one_metric_more_leaves_what_others_have_and_equals_a_build_of_all(
    warehouse: Path, maege: Tool, build: Tool
) -> None:
    tables = {
        "validation.system_corpus_scores": "corpus_score",
        "rankings.human_metric_correlations": "pearson_r",
        "rankings.judged_pair_agreement": "accuracy",
    }
    right = {table: query(warehouse, f"from {table} order by all") for table in tables}
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        for table, column in tables.items():
            connection.execute(f"update {table} set {column} = 7 where metric = 'gleu'")

    maege("metric", "add", "function_of_warehouse:score", "--name", "mine", *READS)
    names = [table.partition(".")[2] for table in tables]
    build(*leading_to(*names), *WITHOUT_TESTS)

    for table, column in tables.items():
        assert query(warehouse, f"select distinct {column} from {table} where metric = 'gleu'") == [
            (7,)
        ], table
    added = {
        table: query(warehouse, f"from {table} where metric = 'mine' order by all")
        for table in tables
    }
    build(*BUILD_WITHOUT_TESTS, "--full-refresh", "--select", *names)
    for table in tables:
        assert added[table], table
        mine = query(warehouse, f"from {table} where metric = 'mine' order by all")
        others = query(warehouse, f"from {table} where metric <> 'mine' order by all")
        # As text, in which NaN is equal to itself.
        assert repr(mine) == repr(added[table]), table
        assert repr(others) == repr(right[table]), table


def test_scores_by_file_give_the_marts_that_the_function_gives(
    warehouse_with_mine: Path, folder: Path, maege: Tool, build: Tool
) -> None:
    warehouse = warehouse_with_mine
    by_function = exported_marts(warehouse, folder / "by_function")
    facts = query(warehouse, FACTS)
    scores: dict[str, float] = dict(
        query(warehouse, "select request_id, score from scoring.own_requests where metric = 'mine'")
    )

    maege("metric", "remove", "mine")
    maege("metric", "add", "--file", "--name", "mine", *READS)
    build(*leading_to("metric_availability", "own_requests"), *WITHOUT_TESTS)
    unscored = availability(warehouse)
    assert unscored["available"] is False
    assert unscored["reason"] == f"scores of 0 of {len(scores):,} inputs"

    requests = folder / "requests.jsonl"
    maege("requests", "mine", "--out", requests)
    ids = [json.loads(line)["id"] for line in requests.read_text().splitlines()]
    assert sorted(ids) == sorted(scores)

    half = len(ids) // 2
    part = folder / "part.jsonl"
    part.write_text(lines(ids[:half], scores))
    maege("scores", "mine", part, "--partial")
    build(*BUILD)  # with the tests of the marts: they know that scores are lacking
    partly = availability(warehouse)
    assert partly["reason"] == f"scores of {half:,} of {len(ids):,} inputs"
    assert partly["remedy"].startswith("maege requests mine")
    pairs, all_pairs = (
        value(
            warehouse,
            "select sum(n_pairs) from marts.sentence_correlations where metric = $1",
            metric,
        )
        for metric in ("mine", "gleu")
    )
    assert 0 < pairs < all_pairs
    assert judged(warehouse, "mine") == {(None, "few pairs")}
    uneven = query(
        warehouse,
        "select corpus, reference_set, count(*) as n from marts.system_sentence_scores "
        "where metric = 'mine' group by all having n % (select count(distinct system) "
        "from marts.system_sentence_scores where metric = 'mine') <> 0",
    )
    assert uneven == []

    maege("requests", "mine", "--out", requests)
    rest = folder / "rest.jsonl"
    rest.write_text(lines([json.loads(r)["id"] for r in requests.read_text().splitlines()], scores))
    maege("scores", "mine", rest)
    build()
    by_file = exported_marts(warehouse, folder / "by_file")
    differing = {name for name in by_function if by_function[name] != by_file[name]}
    assert differing <= ABOUT_METRICS
    assert query(warehouse, FACTS) == facts
    whole = availability(warehouse)
    assert (whole["available"], whole["remedy"]) == (True, None)


def test_faults_of_one_metric_are_counted_and_leave_the_others_alone(
    warehouse: Path, folder: Path, maege: Tool, build: Tool
) -> None:
    before = exported_marts(warehouse, folder / "before")
    reads = ("--inputs", "hypothesis")
    maege("metric", "add", "function_of_warehouse:careful", "--name", "mine", *reads)
    maege("metric", "add", "function_of_warehouse:same", "--name", "same", *reads)
    (folder / "fragile.py").write_text("def score(hypothesis):\n    return 1.0\n")
    maege("metric", "add", "fragile:score", "--name", "fragile", *reads)
    (folder / "fragile.py").write_text("import no_such_module\n")
    (folder / "tiny.arpa").write_text(ARPA)
    model = ("--language-model", str(folder / "tiny.arpa"))
    maege("metric", "add", *model, "--name", "fluency_tiny")
    output = build(*BUILD)
    texts = [text for (text,) in query(warehouse, READ_TEXTS)]
    failed = [text for text in texts if "the" not in text.split()]
    assert 0 < len(failed) < len(texts)
    assert f"mine: {len(failed):,} inputs failed" in output
    about = availability(warehouse)
    assert about["available"] is True
    assert about["reason"] == (
        f"computed here; {len(failed):,} of {len(texts):,} inputs failed: ValueError: no article"
    )
    assert (about["n_requests"], about["n_scores"]) == (len(texts), len(texts) - len(failed))
    assert sorted(
        query(warehouse, "select hypothesis_text, failure from marts.metric_failures")
    ) == sorted((text, "ValueError: no article") for text in failed)
    # Equal everywhere is agreement everywhere, as the paper counts ties: not a place of its own.
    assert query(
        warehouse,
        "select distinct kendall_tau, tied_share from marts.sentence_correlations "
        "where metric = 'same'",
    ) == [(1.0, 1.0)]
    assert judged(warehouse, "same") == {(None, "mostly ties")}
    assert query(
        warehouse,
        "select distinct text from marts.metric_cards where metric = 'same' "
        "and section = 'comparisons'",
    ) == [("not judged",)]
    fragile = availability(warehouse, "fragile")
    assert fragile["available"] is False
    assert "No module named 'no_such_module'" in fragile["reason"]
    assert fragile["remedy"]
    for mart in ("node_scores", "sentence_correlations", "system_scores", "type_deltas"):
        counts = f"select count(*) from marts.{mart} where metric = $1"
        assert value(warehouse, counts, "fluency_tiny") == value(warehouse, counts, "gleu"), mart
    assert query(
        warehouse,
        "select distinct statistic from marts.system_statistics where metric = 'fluency_tiny' "
        "order by all",
    ) == [("lm_oov",), ("lm_tokens",), ("log10_pm",), ("log10_pu",)]

    (folder / "tiny.arpa").write_text(ARPA.replace("-.5", "-.6"))
    maege("metric", "retry", "mine")
    build(*leading_to("metric_availability"), *WITHOUT_TESTS)
    assert availability(warehouse) == about
    changed = availability(warehouse, "fluency_tiny")
    assert changed["available"] is False
    assert "tiny.arpa: expected a file with SHA-256" in changed["reason"]

    maege("metric", "remove", "fluency_tiny")
    maege("metric", "remove", "mine")
    maege("metric", "remove", "fragile")
    maege("metric", "remove", "same")
    build()
    after = exported_marts(warehouse, folder / "after")
    assert [name for name in before if before[name] != after[name]] == []


def test_a_metric_where_less_is_better_agrees_as_its_opposite_does(
    warehouse_with_mine: Path, maege: Tool, build: Tool
) -> None:
    warehouse = warehouse_with_mine
    options = ("--name", "less", "--lower-is-better", *READS)
    maege("metric", "add", "function_of_warehouse:distance", *options)
    agreement = ("sentence_correlations", "corpus_correlations", "type_deltas")
    scores = ("system_scores", "node_scores", "discordant_pairs")
    # The tests of these marts, but for those that look at others, too.
    cautious = ("--indirect-selection", "cautious")
    build(*leading_to(*agreement, *scores), *WITHOUT_UNIT_TESTS, *cautious)
    for mart in agreement:
        of_metric = f"select * exclude (metric) from marts.{mart} where metric = $1 order by all"
        assert query(warehouse, of_metric, "less") == query(warehouse, of_metric, "mine"), mart
    ranks = (
        "select system, reference_set, rank from marts.system_scores where metric = $1 order by all"
    )
    assert query(warehouse, ranks, "less") == query(warehouse, ranks, "mine")
    for mart, column in (("node_scores", "score"), ("discordant_pairs", "upper_score")):
        sums = f"select sum({column}) from marts.{mart} where metric = $1"
        assert value(warehouse, sums, "less") == pytest.approx(-value(warehouse, sums, "mine"))


def test_faults_of_metrics_yml_end_the_build_with_their_lines(
    warehouse: Path, folder: Path
) -> None:
    path = folder / "metrics.yml"
    path.write_text("metrics:\n  naturalness:\n    inputs: [hypotesis]\n")
    selected = ("build", "--select", "metric_registry")
    failed = attempt("dbt", warehouse, *selected, MAEGE_METRICS=str(path))
    assert failed.returncode == 1
    assert "metrics.yml:3" in failed.stdout
    assert "found 'hypotesis'" in failed.stdout
    assert "'source', 'hypothesis' or 'references'" in failed.stdout
    path.write_text("metrics:\n  naturalness:\n    inputs: [hypothesis]\n")
    ingested = attempt("dbt", warehouse, *selected, MAEGE_METRICS=str(path))
    assert ingested.returncode == 1
    assert "found naturalness, whose sentence scores corpus sample brings" in ingested.stdout


READ_TEXTS = """
    select distinct texts.text
    from scoring.scoring_pairs as pairs
    inner join scoring.texts as texts on pairs.hypothesis_text_id = texts.text_id
"""


def judged(warehouse: Path, metric: str) -> set[tuple[int | None, str | None]]:
    """Return the metric's places by tau, and why it has none."""
    places = "select place, no_place from marts.sentence_correlations where metric = $1"
    return set(query(warehouse, places, metric))


def availability(warehouse: Path, metric: str = "mine") -> dict[str, Any]:
    """Return what the mart says of the metric."""
    columns = ("available", "reason", "remedy", "n_requests", "n_scores")
    sql = f"select {', '.join(columns)} from marts.metric_availability where metric = $1"
    (row,) = query(warehouse, sql, metric)
    return dict(zip(columns, row, strict=True))


def lines(ids: list[str], scores: dict[str, float]) -> str:
    """Return the scores of these inputs as JSON lines."""
    return "".join(json.dumps({"id": i, "score": scores[i]}) + "\n" for i in ids)
