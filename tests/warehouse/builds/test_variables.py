"""What the variables of the project do to the lattices of the sample."""

import math
from pathlib import Path
from typing import Any

import pytest
from building import BUILD, FEW_RESAMPLES, Rows, attempt, copy_of, query, run, value, variables

MOST_EDITS = 4


@pytest.fixture(scope="module")
def full_lattices(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with every subset of up to four edits as a node."""
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("full") / "warehouse")
    run(
        "dbt",
        warehouse,
        *BUILD,
        *variables(
            **FEW_RESAMPLES,
            lattice="full",
            full_lattice_max_edits=MOST_EDITS,
            corpus_draws=1,
            corrupted_edits=0.1,
            # One that reads texts and one that reads edits: no test reads their scores.
            metrics=["gleu", "errant"],
        ),
    )
    return warehouse


@pytest.fixture(scope="module")
def three_chains(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with up to three chains from each annotation, and no corrupted nodes."""
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("three") / "warehouse")
    run(
        "dbt",
        warehouse,
        "run",
        "--select",
        "+comparable_pairs",
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


def test_a_full_lattice_has_every_subset_and_every_comparable_pair(full_lattices: Path) -> None:
    counts = query(
        full_lattices,
        "select n_edits, "
        "(select count(distinct mask) from lattices.chain_nodes as n "
        "where n.chain_id = c.chain_id), "
        "(select count(*) from lattices.chain_nodes as n where n.chain_id = c.chain_id), "
        "(select count(*) from lattices.comparable_pairs as p where p.chain_id = c.chain_id) "
        "from lattices.lattice_chains as c",
    )
    assert {row[0] for row in counts} == set(range(1, MOST_EDITS + 1))
    for n, masks, nodes, pairs in counts:
        assert (masks, nodes, pairs) == (2**n, 2**n, 3**n - 2**n)
    strays = value(
        full_lattices,
        "select count(*) from lattices.comparable_pairs as p "
        "inner join marts.lattice_nodes as l on p.lower_node_id = l.node_id "
        "inner join marts.lattice_nodes as u on p.upper_node_id = u.node_id "
        "where (l.mask & u.mask <> l.mask or l.mask = u.mask "
        "or p.n_edits_between <> u.n_edits - l.n_edits)",
    )
    assert strays == 0


def test_a_pair_of_neighbours_in_a_full_lattice_knows_its_edits_type(full_lattices: Path) -> None:
    n_wrong = value(
        full_lattices,
        "select count(*) from lattices.comparable_pairs as p "
        "inner join marts.lattice_nodes as l on p.lower_node_id = l.node_id "
        "inner join marts.lattice_nodes as u on p.upper_node_id = u.node_id "
        "left join marts.gold_edits as e on l.corpus = e.corpus "
        "and l.annotation_set = e.annotation_set and l.annotator = e.annotator "
        "and l.sentence_id = e.sentence_id and u.mask - l.mask = e.edit_bit "
        "where p.error_type is distinct from e.error_type",
    )
    assert n_wrong == 0


def test_a_lattice_too_large_is_left_out_with_its_size(full_lattices: Path) -> None:
    larger = (
        "select distinct sentence_id, annotator, n_edits from lattices.lattice_annotations "
        "where sentence_exclusion is null and n_edits > $1 "
        "and (sentence_id, annotator) <> (27, '2') order by all"
    )
    expected = query(full_lattices, larger, MOST_EDITS)
    assert expected
    refused = query(
        full_lattices,
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


def test_pairs_of_three_chains_count_once_without_corrupted_nodes(three_chains: Path) -> None:
    pairs, distinct = query(
        three_chains,
        "select count(*), count(distinct (lower_node_id, upper_node_id)) "
        "from lattices.comparable_pairs",
    )[0]
    assert pairs == distinct > 0

    assert value(three_chains, "select count(*) from lattices.corrupted_nodes") == 0


def test_another_seed_draws_other_chains(sample_warehouse: Path, another_seed: Path) -> None:
    before, after = chains(sample_warehouse, "sample"), chains(another_seed, "sample")
    assert [row[:4] for row in after] == [row[:4] for row in before]
    assert [row[4] for row in after] != [row[4] for row in before]
    assert [row[5] for row in after] != [row[5] for row in before]


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
