"""M2, ERRANT and the I-measure in the marts of the CoNLL-2014 systems and lattices."""

from pathlib import Path

import pytest
from building import query


def test_corpus_score_is_f_of_the_chosen_annotators(conll14_warehouse: Path) -> None:
    rows = query(
        conll14_warehouse,
        "select system, reference_set, corpus_score, f_score from marts.system_scores "
        "inner join marts.edit_metric_scores using (corpus, reference_set, system, metric) "
        "where metric in ('m2', 'errant') and aspect = 'correction' and corpus = 'conll14'",
    )
    assert len(rows) > 16 * 2 * 3
    for system, reference_set, score, f in rows:
        assert score == pytest.approx(f, abs=1e-12), (system, reference_set)


def test_comparison_of_neighbours_names_significant_differences(conll14_warehouse: Path) -> None:
    rows = query(
        conll14_warehouse,
        "select system_a, system_b, (better.rank < worse.rank) = (difference >= 0), difference, "
        "compared.ci_low, compared.ci_high, p_value, q_value, p_holm "
        "from marts.system_comparisons as compared "
        "inner join marts.system_scores as better on better.system = system_a "
        "and better.corpus = compared.corpus and better.reference_set = compared.reference_set "
        "and better.metric = compared.metric "
        "inner join marts.system_scores as worse on worse.system = system_b "
        "and worse.corpus = compared.corpus and worse.reference_set = compared.reference_set "
        "and worse.metric = compared.metric "
        "where compared.corpus = 'conll14' and compared.reference_set = 'nucle' "
        "and compared.metric = 'm2' and abs(better.rank - worse.rank) = 1",
    )
    assert len(rows) == 15
    for system_a, system_b, is_in_order, difference, low, high, p, q, p_holm in rows:
        assert system_a < system_b
        assert is_in_order
        assert low <= difference <= high, (system_a, system_b)
        # The interval excludes 2.5 % on each side, as p = .05 does: with other resamples.
        assert (p < 0.01) <= (low > 0 or high < 0), (system_a, system_b)
        assert p <= q <= p_holm <= 1


def test_mixing_implies_thousands_of_references(replicated_conll14: Path) -> None:
    # Published with the first ERRANT, which merges more: a median of 512.
    rows = query(
        replicated_conll14,
        "select unit, count(*), median(n_references) from replication.mixture_counts "
        "where corpus = 'conll14_published' and experiment = 'random_source' "
        "group by unit order by unit",
    )
    (
        (positions, n_positions, references_of_positions),
        (corpora, n_corpora, references_of_corpora),
    ) = rows
    assert (positions, n_positions) == ("chain_position", 7936)
    assert (corpora, n_corpora) == ("corpus_sentence", 831)
    assert 576 <= references_of_positions <= 5760
    assert 160 <= references_of_corpora <= 1600
