"""Corrupted nodes of valid nodes: their texts, and the metrics' scores."""

from pathlib import Path

import pytest
from building import BUILD, Rows, copy_of, query, run, value, variables

MANIFEST = """\
corpus: tiny
title: Three sentences with edits of two types
licence: CC0-1.0
origin: written for tests
annotations:
  gold: [gold.m2]
references:
  gold: {annotations: gold}
lattice:
  paper: {annotations: gold, references: gold}
"""

# Insertions insert "the" and "a", replacements insert "at", "on" and "in"; the only Um edit
# deletes.
GOLD = """\
S He lives on Rome
A 2 3|||Prep|||in|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||in|||REQUIRED|||-NONE-|||1

S Wait in station please
A 1 2|||Prep|||at|||REQUIRED|||-NONE-|||0
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 1 2|||Prep|||on|||REQUIRED|||-NONE-|||1
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S Buy dog today um
A 1 1|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 3 4|||Um||||||REQUIRED|||-NONE-|||0
A 1 1|||ArtOrDet|||a||the|||REQUIRED|||-NONE-|||1
"""


@pytest.fixture(scope="module")
def tiny_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of three sentences with known corrupted nodes, up to five per step.

    Only one mart and its inputs are built. Their tests pass, and tests that compare them with other
    models do not run.
    """
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "manifest.yml").write_text(MANIFEST)
    (folder / "gold.m2").write_text(GOLD)
    warehouse = folder / "warehouse"
    run("maege", warehouse, "ingest", folder)
    run(
        "dbt",
        warehouse,
        *BUILD,
        "--select",
        "+corrupted_edit_agreement",
        *variables(corrupted_edits=5, metrics=["gleu", "ld"], corpus_draws=1, workers=1),
    )
    return warehouse


def nodes(warehouse: Path) -> Rows:
    return query(
        warehouse,
        "select corpus, sentence_id, annotator, lower_position, upper_position, error_type, "
        "correction, wrong_correction, text from lattices.corrupted_nodes order by all",
    )


def test_corrupted_nodes_of_the_tiny_corpus_are_those_found_by_hand(tiny_warehouse: Path) -> None:
    rows = query(
        tiny_warehouse,
        "select sentence_id, annotator, error_type, edit_kind, list(wrong_correction) "
        "from lattices.corrupted_nodes group by all order by all",
    )
    assert rows == [
        # Other sentences have "at" and "on". "on" would leave this sentence unchanged.
        (0, "0", "Prep", "replacement", ["at"]),
        (0, "1", "Prep", "replacement", ["at"]),
        # Other sentences replace a preposition by "in", which this one already has, and insert "a".
        (1, "0", "ArtOrDet", "insertion", ["a"]),
        (1, "1", "ArtOrDet", "insertion", ["a"]),
    ]


def test_steps_without_a_wrong_correction_are_counted(tiny_warehouse: Path) -> None:
    rows = query(
        tiny_warehouse,
        "select error_type, n_steps, n_without_corrupted, n_pairs "
        "from marts.corrupted_edit_agreement "
        "where metric = 'gleu' order by all",
    )
    # Sentence 1 cannot replace "in" by "in". Both articles are valid in sentence 2. There is only
    # one Um edit.
    assert rows == [
        ("ArtOrDet", 4, 2, 2),
        ("Prep", 4, 2, 2),
        ("Um", 1, 1, 0),
        (None, 9, 5, 4),
    ]


def test_a_corrupted_node_keeps_the_other_edits_of_its_node(tiny_warehouse: Path) -> None:
    rows = query(
        tiny_warehouse,
        "select invalid.text, valid.text "
        "from lattices.corrupted_nodes as invalid "
        "inner join lattices.node_texts as valid on invalid.valid_node_id = valid.node_id "
        "where invalid.sentence_id = 1",
    )
    assert len(rows) == 2
    for corrupted_text, valid_text in rows:
        assert corrupted_text == valid_text.replace(" the ", " a ")


def test_agreement_equals_that_computed_by_hand(tiny_warehouse: Path) -> None:
    """The references are the full corrections, so GLEU prefers every valid node.

    LD: "in" and "at" differ from "on" in 1 and 2 characters, "the " and "a " are 4 and 2. By their
    lengths the first are equal.
    """
    rows = query(
        tiny_warehouse,
        "select metric, error_type, n_concordant, n_discordant, n_tied, agreement, "
        "strict_agreement, change_agreement from marts.corrupted_edit_agreement "
        "where n_pairs > 0 and metric <> 'chance_random' order by all",
    )
    assert rows == [
        ("chance_constant", "ArtOrDet", 0, 0, 2, 0.5, 0.0, 1.0),
        ("chance_constant", "Prep", 0, 0, 2, 0.5, 0.0, 0.0),
        ("chance_constant", None, 0, 0, 4, 0.5, 0.0, 0.5),
        ("chance_length", "ArtOrDet", 2, 0, 0, 1.0, 1.0, 1.0),
        ("chance_length", "Prep", 0, 0, 2, 0.5, 0.0, 0.0),
        ("chance_length", None, 2, 0, 2, 0.75, 0.5, 0.5),
        ("gleu", "ArtOrDet", 2, 0, 0, 1.0, 1.0, 1.0),
        ("gleu", "Prep", 2, 0, 0, 1.0, 1.0, 0.0),
        ("gleu", None, 4, 0, 0, 1.0, 1.0, 0.5),
        ("ld", "ArtOrDet", 0, 2, 0, 0.0, 0.0, 1.0),
        ("ld", "Prep", 2, 0, 0, 1.0, 1.0, 0.0),
        ("ld", None, 2, 2, 0, 0.5, 0.5, 0.5),
    ]


def test_no_corrupted_node_is_valid_a_reference_or_the_original(sample_warehouse: Path) -> None:
    assert value(sample_warehouse, "select count(*) from lattices.corrupted_nodes") > 500
    strays = value(
        sample_warehouse,
        "select count(*) from lattices.corrupted_nodes as invalid where text in ("
        "select text from lattices.node_texts as n where n.sentence_id = invalid.sentence_id "
        "union all select text from corpora.usable_references as r "
        "where r.sentence_id = invalid.sentence_id "
        "union all select array_to_string(tokens, ' ') from staging.stg_corpus__sentences as s "
        "where s.sentence_id = invalid.sentence_id)",
    )
    assert strays == 0


def test_a_wrong_correction_is_one_of_the_type_in_another_sentence(sample_warehouse: Path) -> None:
    unfounded = value(
        sample_warehouse,
        "select count(*) from lattices.corrupted_nodes as invalid where not exists ("
        "select 1 from lattices.annotation_edits as e "
        "where e.error_type = invalid.error_type and e.correction = invalid.wrong_correction "
        "and e.sentence_id <> invalid.sentence_id "
        "and (e.start_token = e.end_token) = (invalid.edit_kind = 'insertion'))",
    )
    assert unfounded == 0


def test_half_a_corrupted_node_is_one_for_half_of_the_steps(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    models = ("corrupted_steps", "corrupted_candidates", "corrupted_nodes")
    run("dbt", warehouse, "run", "--select", *models, *variables(corrupted_edits=0.5))
    # The sample was built by two threads and processes, this copy by one.
    half, full = set(nodes(warehouse)), set(nodes(sample_warehouse))
    assert half < full
    assert 0.4 < len(half) / len(full) < 0.6
