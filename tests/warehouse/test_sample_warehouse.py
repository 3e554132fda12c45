"""The content of the built sample, and what stays the same when it is built again."""

import shutil
from pathlib import Path

import pytest
from building import (
    BUILD_WITHOUT_TESTS,
    REPOSITORY,
    attempt,
    copy_of,
    differing_marts,
    mart_names,
    query,
    ran,
    run,
    spooled,
    value,
    variables,
)

# They check in each build what is installed, and what has stopped.
ASKING = {"edit_extractor", "metric_registry", "stopped_metrics"}
# No LanguageTool is found; the sample has no metrics of the user's own, and no judgments of
# other kinds than rankings.
EMPTY = {
    "grammar_matches",
    "metric_failures",
    "edit_validity",
    "edit_verdicts",
    "judged_items",
    "judged_outputs",
    "judgment_tasks",
    "post_edits",
    "rating_correlations",
    "ratings",
    "task_aspects",
    "verdict_agreement",
}
# Six families of texts compare a hypothesis with each of four reference sets, one family of typed
# edits and four others with the gold of three (two sets share theirs), three only with the source,
# one with nothing.
REQUESTS_PER_HYPOTHESIS = 6 * 4 + 5 * 3 + 3 + 1
OF_SYSTEMS = ("system_scores", "system_sentence_scores", "system_statistics")
OF_SYSTEMS_AND_PAIRS = (*OF_SYSTEMS, "system_comparisons")
SYSTEM_MODELS = ("--select", *(f"+{mart}" for mart in OF_SYSTEMS_AND_PAIRS))
# As text, in which NaN is equal to itself.
CACHE = (
    "select family, signature_key, source_text_id, hypothesis_text_id, references_key, "
    "statistics::varchar from caches.metric_statistics order by all"
)


def test_unit_tests_of_models_pass(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    run("dbt", warehouse, "test", "--select", "test_type:unit")


def test_every_mart_has_rows(sample_warehouse: Path) -> None:
    names = mart_names(sample_warehouse)
    assert len(names) > 60
    count_queries = (f"select '{name}', count(*) from marts.{name}" for name in names)
    for name, count in query(sample_warehouse, " union all ".join(count_queries)):
        assert (count > 0) == (name not in EMPTY), name


def test_a_set_of_best_metrics_has_the_one_that_is_first_most_often(sample_warehouse: Path) -> None:
    sets = query(
        sample_warehouse,
        "select level, arg_max(in_best_set, best_share), abs(sum(best_share) - 1) < 1e-9, "
        "bool_and(in_best_set is null or too_few is null) from marts.best_metrics group by level",
    )
    assert {row[0] for row in sets} == {"sentence", "corpus", "edit", "system", "output"}
    assert all(row[1:] == (True, True, True) for row in sets)


def test_only_lattices_with_own_references_are_self_referenced(sample_warehouse: Path) -> None:
    rows = query(
        sample_warehouse,
        "select references_mode, label, tau, identical_share, "
        "abs(endorsed_share + touched_share + untouched_share - 1) < 1e-9 "
        "from marts.corpus_comparisons where metric = 'bleu' order by references_mode",
    )
    assert [(references_mode, label) for references_mode, label, *_ in rows] == [
        ("disjoint_set", None),
        ("one_other", None),
        ("others", None),
        ("own", "self-referenced"),
    ]
    # The edits of texts are unknown.
    assert [adds_up for *_, adds_up in rows] == [None, True, True, True]
    disjoint_set, one_other, loo, self_tau = (tau for _, _, tau, *_ in rows)
    assert self_tau > 0.9 > loo > one_other > disjoint_set
    assert rows[3][3] == 1
    # One more is equal except for the space that a deletion at the end leaves in the reference.
    assert rows[0][3] == 16 / 127
    # 65 sentences have fewer than 200 steps in each stratum.
    assert not value(
        sample_warehouse, "select count(standardised_tau) from marts.corpus_comparisons"
    )


def test_metrics_without_references_are_never_self_referenced(sample_warehouse: Path) -> None:
    labels = query(
        sample_warehouse,
        "select references_mode, label from marts.corpus_comparisons where metric = 'ld' "
        "and references_mode in ('own', 'others') order by all",
    )
    assert labels == [("others", None), ("own", None)]


def test_chunks_name_the_annotators_of_their_sentence(sample_warehouse: Path) -> None:
    # Only annotator 2 has edits in sentence 70; annotators 1 and 2 have in sentence 53.
    chunks = query(
        sample_warehouse,
        "select sentence_id, original, reference_texts from marts.edit_chunks "
        "where reference_set = 'edits' and system = 'INPUT' and sentence_id in (53, 70) "
        "order by sentence_id, start_token",
    )
    assert chunks == [
        (53, "To live", '{"1":"Moving","2":"Living"}'),
        (53, "has been", '{"1":"was","2":"has been"}'),
        (70, "Grandmother", '{"2":"grandmother"}'),
    ]


def test_excluded_sentences_and_annotations_have_reasons(sample_warehouse: Path) -> None:
    rows = query(
        sample_warehouse,
        "select reason, list(sentence_id order by sentence_id) "
        "from marts.sentence_exclusions where annotator is null group by all",
    )
    noop = [12, 13, 14, 25, 28, 32, 62, 68, 73]
    unannotated, by_one, by_two = [39, 56], [9, 35, 70], [51, 53, 79]
    excluded = sorted(noop + unannotated + by_one + by_two)
    assert rows == [("at least one annotator requires no correction", excluded)]

    rows = query(
        sample_warehouse,
        "select reason, "
        "string_agg(sentence_id || '/' || annotator, ' ' order by sentence_id) "
        "from marts.sentence_exclusions where annotator is not null group by all order by all",
    )
    assert rows == [("two of its edits overlap", "27/2")]


def test_a_default_build_has_nothing_of_the_published_runs(sample_warehouse: Path) -> None:
    schemas = "select count(*) from duckdb_tables() where schema_name = 'replication'"
    assert value(sample_warehouse, schemas) == 0


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample with an added system: its lines are `careful`'s, except for two."""
    corpus = tmp_path_factory.mktemp("newcomer") / "sample"
    shutil.copytree(REPOSITORY / "corpora" / "sample", corpus)
    lines = (corpus / "outputs" / "careful.txt").read_text().splitlines()
    changed = ["A sentence of its own .", *lines[1:40], "Another sentence .", *lines[41:83], ""]
    (corpus / "outputs" / "newcomer.txt").write_text("\n".join(changed) + "\n")
    manifest = corpus / "manifest.yml"
    text = manifest.read_text()
    systems = "systems:\n"
    assert systems in text
    manifest.write_text(text.replace(systems, f"{systems}  newcomer: outputs/newcomer.txt\n"))
    return corpus


@pytest.fixture(scope="module")
def grown(sample_warehouse: Path, newcomer: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("grown") / "warehouse")
    run("maege", warehouse, "ingest", newcomer)
    run("dbt", warehouse, *BUILD_WITHOUT_TESTS, *SYSTEM_MODELS)
    return warehouse


def test_a_new_system_is_all_that_is_scored_and_leaves_no_trace_once_it_is_removed(
    sample_warehouse: Path, grown: Path, tmp_path: Path
) -> None:
    # The other lines are known from `careful`, in every reference set; there are no adversarial
    # outputs. An added system changes the weights of all corrections.
    cached_query = "select count(*) from caches.metric_statistics where family <> 'gotoscorer'"
    weighed = "select count(*) from caches.metric_statistics where family = 'gotoscorer'"
    new = 2 * REQUESTS_PER_HYPOTHESIS
    assert value(grown, cached_query) - value(sample_warehouse, cached_query) == new
    cached_weighed = value(sample_warehouse, weighed)
    requests_query = "select count(*) from caches.scoring_requests where family = 'gotoscorer'"
    new_weighed = value(grown, requests_query)
    assert value(grown, weighed) - cached_weighed == new_weighed > cached_weighed
    paths = [str(path) for path in spooled(grown, "metric_statistics")]
    assert value(grown, "select count(*) from read_parquet($1)", paths) == new + new_weighed
    for mart in OF_SYSTEMS:
        rows_query = f"select count(*) from marts.{mart} where system = $1"
        careful = value(grown, f"{rows_query} and metric <> 'naturalness'", "careful")
        assert value(grown, rows_query, "newcomer") == careful > 0, mart

    # All new rows of the caches have been read: another build scores and builds nothing.
    warehouse = copy_of(grown, tmp_path / "warehouse")
    cached = query(warehouse, CACHE)
    rebuilt = ran(warehouse, *BUILD_WITHOUT_TESTS[1:], *SYSTEM_MODELS, "stopped_metrics")
    assert rebuilt == ASKING
    assert spooled(warehouse, "metric_statistics") == []
    assert query(warehouse, CACHE) == cached

    run("maege", warehouse, "ingest", "corpora/sample")
    run("dbt", warehouse, *BUILD_WITHOUT_TESTS, *SYSTEM_MODELS)
    assert marts_of_systems(warehouse) == marts_of_systems(sample_warehouse)


@pytest.mark.extended
def test_marts_from_scratch_equal_those_of_added_and_removed_systems(
    sample_warehouse: Path, newcomer: Path, grown: Path, tmp_path: Path
) -> None:
    """Marts do not depend on threads and processes: a build from scratch uses one of each."""
    warehouse = tmp_path / "scratch"
    run("maege", warehouse, "ingest", newcomer)
    run("dbt", warehouse, *BUILD_WITHOUT_TESTS, *variables(workers=1))
    assert marts_of_systems(warehouse) == marts_of_systems(grown)
    run("maege", warehouse, "ingest", "corpora/sample")
    run("dbt", warehouse, *BUILD_WITHOUT_TESTS, *variables(workers=1))
    # Removing a system changes the weights of all corrections as well.
    paths = [str(path) for path in spooled(warehouse)]
    families = query(warehouse, "select distinct family from read_parquet($1)", paths)
    assert families == [("gotoscorer",)]
    assert differing_marts(sample_warehouse, warehouse) == []


def marts_of_systems(warehouse: Path) -> dict[str, str]:
    """Return the rows of each mart as text, in which NaN is equal to itself."""
    return {
        mart: repr(query(warehouse, f"from marts.{mart} order by all"))
        for mart in OF_SYSTEMS_AND_PAIRS
    }


def test_adversarial_outputs_are_scored_like_systems_by_every_metric(
    sample_warehouse: Path,
) -> None:
    listed = "select distinct reference_set, metric from marts.system_scores where metric <> $1"
    complete_query = (
        "select reference_set, metric from marts.adversarial_scores group by all "
        "having count(*) = 8 and min(n_systems) = 6"
    )
    assert sorted(query(sample_warehouse, complete_query)) == sorted(
        query(sample_warehouse, listed, "naturalness")
    )
    copied = query(
        sample_warehouse,
        "select made.corpus_score = real.corpus_score from marts.adversarial_scores as made "
        "inner join marts.system_scores as real using (corpus, reference_set, metric) "
        "where made.system = 'source' and real.system = 'INPUT'",
    )
    assert copied == [(True,)] * (4 * 18)


@pytest.mark.extended
def test_message_for_empty_warehouse_names_ingest(tmp_path: Path) -> None:
    completed = attempt("dbt", tmp_path / "warehouse", "build")
    assert completed.returncode != 0
    assert "maege ingest corpora/sample" in completed.stdout
