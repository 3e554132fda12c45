"""What the variables of the project do to the lattices of the sample."""

import math
from pathlib import Path
from typing import Any

import pytest
from building import BUILD, FEW_RESAMPLES, Rows, attempt, copy_of, query, run, variables

from maege.ingest.warehouse import Warehouse
from maege.report.build import read_report

MOST_EDITS = 4


@pytest.fixture(scope="module")
def three_chains(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("three") / "warehouse")
    run(
        "dbt",
        warehouse,
        "run",
        "--select",
        "+lattice_chains",
        "+corrupted_nodes",
        *variables(chains_per_annotation=3, corrupted_edits=0, workers=1),
    )
    return warehouse


def chains(warehouse: Path, corpus: str) -> Rows:
    return query(
        warehouse,
        "select sentence_id, annotator, n_edits, chain_number, permutation, source_position "
        "from lattices.lattice_chains where corpus = $1 order by all",
        corpus,
    )


def test_full_lattices_pass_the_data_tests_and_larger_ones_are_excluded(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    settings = {
        **FEW_RESAMPLES,
        "lattice": "full",
        "full_lattice_max_edits": MOST_EDITS,
        "corpus_draws": 1,
        "corrupted_edits": 0.1,
        # One that reads texts and one that reads edits: no test reads their scores.
        "metrics": ["gleu", "errant"],
    }
    run("dbt", warehouse, *BUILD, *variables(**settings))
    larger = (
        "select distinct sentence_id, annotator, n_edits from lattices.lattice_annotations "
        "where sentence_exclusion is null and n_edits > $1 "
        "and (sentence_id, annotator) <> (27, '2') order by all"
    )
    expected = query(warehouse, larger, MOST_EDITS)
    assert expected
    refused = query(
        warehouse,
        "select sentence_id, annotator, reason from marts.sentence_exclusions "
        "where contains(reason, 'full lattice') order by all",
    )
    assert refused == [
        (
            sentence_id,
            annotator,
            f"a full lattice of {n} edits has {2**n} nodes; full_lattice_max_edits is {MOST_EDITS}",
        )
        for sentence_id, annotator, n in expected
    ]


@pytest.mark.parametrize("changed", [{"lattice": "full"}, {"seed": 2}], ids=["full", "seed"])
def test_variables_do_not_change_the_published_chains(
    changed: dict[str, Any], replicated_sample: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(replicated_sample, tmp_path / "warehouse")
    models = ("lattice_annotations", "annotation_edits", "published_chains", "lattice_chains")
    run("dbt", warehouse, "run", "-s", *models, *variables(replication=True, **changed))
    expected = chains(replicated_sample, "sample_published")
    assert len(expected) > 100
    assert chains(warehouse, "sample_published") == expected
    assert chains(warehouse, "sample") != chains(replicated_sample, "sample")


def test_recomputed_numbers_of_papers_are_a_section_of_the_report(replicated_sample: Path) -> None:
    sections = read_report(Warehouse(replicated_sample), "sample", (), lambda _: None).sections
    assert {section.name for section in sections if section.exhibits} >= {"replication", "weights"}


def test_three_chains_differ_and_small_lattices_yield_all_they_have(three_chains: Path) -> None:
    by_annotation: dict[tuple[int, str, int], list[tuple[int, ...]]] = {}
    for sentence_id, annotator, n_edits, _, permutation, _ in chains(three_chains, "sample"):
        key = (sentence_id, annotator, n_edits)
        by_annotation.setdefault(key, []).append(tuple(permutation))
    assert {1, 2, 3, 4} <= {n_edits for _, _, n_edits in by_annotation}
    for (*_, n_edits), orders in by_annotation.items():
        assert len(set(orders)) == len(orders) == min(3, math.factorial(n_edits))
        assert all(sorted(order) == list(range(n_edits)) for order in orders)


def test_first_of_three_chains_is_the_single_one(
    sample_warehouse: Path, three_chains: Path
) -> None:
    first = [row for row in chains(three_chains, "sample") if row[3] == 0]
    assert first == chains(sample_warehouse, "sample")


def test_corrupted_nodes_are_as_many_as_the_variable_says(
    sample_warehouse: Path, three_chains: Path, tmp_path: Path
) -> None:
    corrupted_nodes = (
        "select sentence_id, annotator, lower_position, upper_position, error_type, correction, "
        "wrong_correction, text from lattices.corrupted_nodes"
    )
    assert query(three_chains, corrupted_nodes) == []
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    models = ("corrupted_steps", "corrupted_candidates", "corrupted_nodes")
    run("dbt", warehouse, "run", "--select", *models, *variables(corrupted_edits=0.5))
    # The sample was built by two threads and processes, this copy by one.
    half, full = (
        set(query(warehouse, corrupted_nodes)),
        set(query(sample_warehouse, corrupted_nodes)),
    )
    assert half < full
    assert 0.4 < len(half) / len(full) < 0.6


def test_weights_that_are_no_shares_stop_dbt_before_anything_is_run(tmp_path: Path) -> None:
    weights = {"grammaticality": 1, "fluency": -1, "meaning": 1}
    refused = attempt(
        "dbt", tmp_path / "warehouse", *BUILD, *variables(referenceless_weights=weights)
    )
    assert refused.returncode == 2, refused.stdout
    assert "variable referenceless_weights: found fluency: -1; expected" in refused.stdout
    assert not (tmp_path / "warehouse" / "build.duckdb").exists()


def test_unknown_metrics_end_the_build(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    unknown = variables(metrics=["bleu", "blue"])
    failed = attempt("dbt", warehouse, "run", "--select", "metric_registry", *unknown)
    assert failed.returncode == 1
    assert "variable metrics: found blue; expected some of bleu, ibleu" in failed.stdout
