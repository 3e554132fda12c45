"""A user metric, scored by file instead of by its function, together with faulty metrics."""

import hashlib
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from building import BUILD, BUILD_WITHOUT_TESTS, copy_of, differing_marts, query, value
from own_metric import READS, WITHOUT_TESTS, declare, leading_to, run_in

# A language model of three words, of which texts have two.
ARPA = "\\data\\\nngram 1=4\n\n\\1-grams:\n-99 <s>\n-1 </s>\n-.5 the\n-1 .\n\\end\\\n"
FAULTY = ("fluency_tiny", "careful", "fragile")
# Contains the origin of scores, so it may differ.
ABOUT_METRICS = {"metrics", "metric_availability", "metric_cards"}
FACTS = "from marts.metric_cards where section not in ('reads', 'coverage') order by all"
OF_OTHERS = (
    "from marts.metrics where metric <> 'mine' order by all",
    "from marts.metric_availability where metric <> 'mine' order by all",
    "from marts.metric_cards where metric <> 'mine' order by all",
)


@dataclass
class ByFile:
    unscored: dict[str, Any]  # its availability before there were scores
    requested: list[str]
    partly: Path  # with half of the scores, and the faulty metrics
    output: str
    retried: dict[str, dict[str, Any]]
    complete: Path  # with all scores, and without faulty metrics


@pytest.fixture(scope="module")
def by_file(built_with_mine: Path, tmp_path_factory: pytest.TempPathFactory) -> ByFile:
    folder = copy_of(built_with_mine, tmp_path_factory.mktemp("by_file") / "own")
    warehouse = folder / "warehouse"
    maege, build = partial(run_in, folder, "maege"), partial(run_in, folder, "dbt")
    requests, scores_file = folder / "requests.jsonl", folder / "scores.jsonl"
    scores = by_function(built_with_mine)

    def load(share: float, *options: str) -> list[str]:
        maege("metric", "requests", "mine", "--out", requests)
        ids = [json.loads(line)["id"] for line in requests.read_text().splitlines()]
        lines = (json.dumps({"id": i, "score": scores[i]}) for i in ids[: int(len(ids) * share)])
        scores_file.write_text("".join(f"{line}\n" for line in lines))
        maege("metric", "load", "mine", scores_file, *options)
        return ids

    declare(folder, mine=READS)
    build(*leading_to("metric_availability", "own_requests"), *WITHOUT_TESTS)
    unscored = availability(warehouse)
    requested = load(0.5, "--partial")
    add_faulty(folder)
    build_output = build(*BUILD)  # with the tests of the marts: they know that scores are lacking
    partly = copy_of(warehouse, folder / "partly")

    load(1)
    (folder / "tiny.arpa").write_text(ARPA.replace("-.5", "-.6"))
    maege("metric", "retry", "careful")
    build(*leading_to("metric_availability"), *WITHOUT_TESTS)
    retried = {metric: availability(warehouse, metric) for metric in ("careful", "fluency_tiny")}

    declare(folder, **dict.fromkeys(FAULTY))
    build(*BUILD_WITHOUT_TESTS)
    return ByFile(unscored, requested, partly, build_output, retried, warehouse)


def add_faulty(folder: Path) -> None:
    (folder / "fragile.py").write_text("import no_such_module\n")
    (folder / "tiny.arpa").write_text(ARPA)
    sha256 = hashlib.sha256(ARPA.encode()).hexdigest()
    declare(
        folder,
        careful={"function": "function_of_warehouse:careful", "inputs": ["hypothesis"]},
        fragile={"function": "fragile:score", "inputs": ["hypothesis"]},
        fluency_tiny={"language_model": "tiny.arpa", "sha256": sha256},
    )


def by_function(built: Path) -> dict[str, float]:
    statement = "select request_id, score from scores.own_requests where metric = 'mine'"
    return dict(query(built / "warehouse", statement))


def test_scores_by_file_give_the_marts_that_the_function_gives(
    by_file: ByFile, built_with_mine: Path
) -> None:
    with_function, with_file = built_with_mine / "warehouse", by_file.complete
    scores = by_function(built_with_mine)
    assert sorted(by_file.requested) == sorted(scores)
    assert by_file.unscored["is_available"] is False
    assert by_file.unscored["reason"] == f"scores of 0 of {len(scores):,} inputs"

    assert ABOUT_METRICS.issuperset(differing_marts(with_function, with_file))
    assert query(with_file, FACTS) == query(with_function, FACTS)
    row = availability(with_file)
    assert (row["is_available"], row["remedy"]) == (True, None)


def test_metric_with_missing_scores_has_a_reason_not_rank(
    by_file: ByFile, built_with_mine: Path
) -> None:
    warehouse, n_scores = by_file.partly, len(by_function(built_with_mine))
    partly = availability(warehouse)
    assert partly["reason"] == f"scores of {n_scores // 2:,} of {n_scores:,} inputs"
    assert partly["remedy"].startswith("run maege metric requests mine")
    pairs, all_pairs = (
        value(
            warehouse,
            "select sum(n_pairs) from marts.sentence_correlations where metric = $1",
            metric,
        )
        for metric in ("mine", "gleu")
    )
    assert 0 < pairs < all_pairs
    ranks = "select distinct rank, no_rank from marts.sentence_correlations where metric = 'mine'"
    assert query(warehouse, ranks) == [(None, "few pairs")]
    uneven = query(
        warehouse,
        "select corpus, reference_set, count(*) as n from marts.system_sentence_scores "
        "where metric = 'mine' group by all having n % (select count(distinct system) "
        "from marts.system_sentence_scores where metric = 'mine') <> 0",
    )
    assert uneven == []


def test_faults_of_one_metric_are_counted(by_file: ByFile) -> None:
    warehouse = by_file.partly
    texts = [text for (text,) in query(warehouse, READ_TEXTS)]
    failed = [text for text in texts if "the" not in text.split()]
    assert 0 < len(failed) < len(texts)
    assert f"careful: {len(failed):,} inputs failed" in by_file.output
    about = availability(warehouse, "careful")
    assert about["is_available"] is True
    assert about["reason"] == (
        f"computed here; {len(failed):,} of {len(texts):,} inputs failed: ValueError: no article"
    )
    assert (about["n_requests"], about["n_scores"]) == (len(texts), len(texts) - len(failed))
    assert sorted(
        query(warehouse, "select hypothesis_text, failure from marts.metric_failures")
    ) == sorted((text, "ValueError: no article") for text in failed)
    fragile = availability(warehouse, "fragile")
    assert fragile["is_available"] is False
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


def test_changed_language_model_is_rejected_and_failures_retried(
    by_file: ByFile,
) -> None:
    assert by_file.retried["careful"] == availability(by_file.partly, "careful")
    changed = by_file.retried["fluency_tiny"]
    assert changed["is_available"] is False
    assert "tiny.arpa: expected a file with SHA-256" in changed["reason"]


def test_faulty_metrics_affect_no_others_and_leave_no_trace(
    by_file: ByFile, built_with_mine: Path
) -> None:
    # All other marts are equal if scores by file equal those of the function.
    for sql in OF_OTHERS:
        assert query(by_file.complete, sql) == query(built_with_mine / "warehouse", sql)


READ_TEXTS = """
    select distinct texts.text
    from pairs.scoring_pairs as pairs
    inner join pairs.texts as texts on pairs.hypothesis_text_id = texts.text_id
"""


def availability(warehouse: Path, metric: str = "mine") -> dict[str, Any]:
    columns = ("is_available", "reason", "remedy", "n_requests", "n_scores")
    sql = f"select {', '.join(columns)} from marts.metric_availability where metric = $1"
    (row,) = query(warehouse, sql, metric)
    return dict(zip(columns, row, strict=True))
