"""M2, ERRANT and the I-measure of the CoNLL-2014 systems and lattices, against their originals."""

from pathlib import Path

import pytest
from building import PeerRows, Rows, query

# Precision, recall and F.5 of the official scorer, in per cent.
OFFICIAL = {
    "CAMB": (39.71, 30.10, 37.33),
    "CUUI": (41.78, 24.88, 36.79),
    "AMU": (41.62, 21.40, 35.01),
    "POST": (34.51, 21.73, 30.88),
    "NTHU": (35.08, 18.85, 29.92),
    "RAC": (33.14, 14.99, 26.68),
    "UMC": (31.27, 14.46, 25.37),
    "PKU": (32.21, 13.65, 25.32),
    "SJTU": (30.11, 5.10, 15.19),
    "UFC": (70.00, 1.72, 7.84),
    "IPN": (11.28, 2.85, 7.09),
    "IITB": (30.77, 1.39, 5.90),
    "INPUT": (100.00, 0.00, 0.00),
}
EDIT_METRICS = ("errant", "imeasure", "m2")


def edit_scores(
    warehouse: Path, reference_set: str, metric: str, columns: str, aspect: str = "correction"
) -> dict[str, tuple[float, ...]]:
    """Return columns of mart edit_metric_scores by system."""
    rows = query(
        warehouse,
        f"select system, {columns} from marts.edit_metric_scores "
        "where corpus = 'conll14' and reference_set = $1 and metric = $2 and aspect = $3",
        reference_set,
        metric,
        aspect,
    )
    return {system: tuple(values) for system, *values in rows}


def test_m2_is_the_official_score_of_every_team(conll14_warehouse: Path) -> None:
    found = edit_scores(conll14_warehouse, "nucle", "m2", "precision, recall, f_score")
    for system, official in OFFICIAL.items():
        assert [round(100 * value, 2) for value in found[system]] == list(official), system


def test_corpus_score_is_f_of_the_chosen_annotators(conll14_warehouse: Path) -> None:
    rows = query(
        conll14_warehouse,
        "select system, reference_set, corpus_score, f_score from marts.system_scores "
        "inner join marts.edit_metric_scores using (corpus, reference_set, system, metric) "
        "where metric in ('m2', 'errant') and aspect = 'correction' and corpus = 'conll14'",
    )
    assert len(rows) > 16 * 2 * 6
    for system, reference_set, score, f in rows:
        assert score == pytest.approx(f, abs=1e-12), (system, reference_set)


@pytest.mark.parametrize(("system", "f"), [("CAMB", 0.5276), ("AMU", 0.4737), ("UFC", 0.0820)])
def test_m2_against_ten_annotators(conll14_warehouse: Path, system: str, f: float) -> None:
    found = edit_scores(conll14_warehouse, "bn10", "m2", "f_score")
    assert round(found[system][0], 4) == f


@pytest.mark.parametrize(
    ("reference_set", "file"),
    [
        ("nucle", "m2_nucle_sentence_annotator.tsv"),
        ("bn10", "m2_bn_sentence_annotator.tsv"),
    ],
)
def test_m2_counts_of_every_annotator_are_stored(
    peer_rows: PeerRows, conll14_warehouse: Path, reference_set: str, file: str
) -> None:
    # The scorer read the ten annotators in the order of their files' names.
    names = [f"A{n}" for n in (1, 10, *range(2, 10))] if reference_set == "bn10" else ["0", "1"]
    golden = {
        (row["system"], int(row["sentence_index"]), names[int(row["annotator"])], statistic): int(
            row[column]
        )
        for row in peer_rows(file)
        for statistic, column in (("tp", "correct"), ("proposed", "proposed"), ("gold", "gold"))
    }
    rows = query(
        conll14_warehouse,
        "select system, sentence_id, reference, statistic, value from marts.system_statistics "
        "where corpus = 'conll14' and reference_set = $1 and metric = 'm2' "
        "and statistic <> 'approximated'",
        reference_set,
    )
    found = {tuple(key): value for *key, value in rows}
    assert len(golden) > 28_000
    different = {key for key, value in golden.items() if found.get(key) != value}
    assert different == set()


def test_ingested_errant_edits_score_as_errant_scores_them(
    conll14_warehouse: Path, errant_f: dict[str, float]
) -> None:
    found = edit_scores(conll14_warehouse, "nucle_errant", "errant", "f_score, tp, fp, fn")
    for system, f in errant_f.items():
        assert round(found[system][0], 4) == f, system
    assert found["AMU"][1:] == (483, 795, 1934)


def test_own_errant_edits_score_within_two_thousandths(
    conll14_warehouse: Path, errant_f: dict[str, float]
) -> None:
    found = edit_scores(conll14_warehouse, "nucle", "errant", "f_score")
    for system, f in errant_f.items():
        assert found[system][0] == pytest.approx(f, abs=0.002), system


def test_i_measure_of_corpora_is_the_original_programs(
    peer_rows: PeerRows, conll14_warehouse: Path
) -> None:
    rows = peer_rows("imeasure_nucle_corpus.tsv")
    assert len(rows) == 12
    for row in rows:
        aspect = {"c": "correction", "d": "detection"}[row["aspect"]]
        counts = "tp, tn, fp, fn, fpn"
        columns = f"{counts}, precision, recall, f_score, accuracy, wacc, base_wacc, improvement"
        found = edit_scores(conll14_warehouse, "nucle", "imeasure", columns, aspect)[row["system"]]
        golden = [row[name] for name in ("tp", "tn", "fp", "fn", "fpn")]
        assert list(found[:5]) == list(map(int, golden)), row
        percentages = [row[name] for name in ("p", "r", "f1", "acc", "wacc", "wacc_b", "i")]
        assert [f"{100 * value:.2f}" for value in found[5:]] == percentages, row


def test_mixing_lowers_hardly_a_sentence(replicated_conll14: Path) -> None:
    # An annotator's reference is a mixture as well, except for corrections that overlap another
    # error and for parts with too many combinations to try.
    ((compared, lower),) = query(
        replicated_conll14,
        "select count(*), "
        "count(*) filter (where mixed.published_score < alone.published_score - 1e-9) "
        "from scores.sentence_scores as alone "
        "inner join scores.sentence_scores as mixed using (pair_id) "
        "where alone.metric = 'imeasure' and mixed.metric = 'imeasure_mix'",
    )
    assert compared > 50_000
    assert lower < compared / 1000


def nodes_by_run(warehouse: Path) -> Rows:
    """Return corpus, metric and number of nodes of the metrics that read edits."""
    return query(
        warehouse,
        "select corpus, metric, n_nodes from marts.sentence_correlations "
        "where starts_with(corpus, 'conll14') and experiment = 'random_source' "
        "and metric in ('m2', 'errant', 'imeasure', 'imeasure_mix') order by all",
    )


def test_edit_metrics_judge_every_node(conll14_warehouse: Path) -> None:
    assert nodes_by_run(conll14_warehouse) == [("conll14", name, 6616) for name in EDIT_METRICS]


def test_edit_metrics_judge_every_node_of_the_published_run(replicated_conll14: Path) -> None:
    assert nodes_by_run(replicated_conll14) == [
        (corpus, name, n_nodes)
        for corpus, n_nodes in (("conll14", 6616), ("conll14_published", 7936))
        for name in sorted((*EDIT_METRICS, "imeasure_mix"))
    ]


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


@pytest.mark.parametrize(
    ("column", "low", "high"),
    [("sentence_r", -0.05, 0.0), ("kendall_tau", 0.19, 0.26)],
)
def test_published_m2_follows_from_the_pooled_edits(
    replicated_conll14: Path, column: str, low: float, high: float
) -> None:
    ((published, reproduced),) = query(
        replicated_conll14,
        "select published, reproduced from marts.replication where paper = 'maege' "
        "and exhibit = 'table_2' and row_label = 'm2' and column_label = $1",
        column,
    )
    assert low <= reproduced <= high
    assert low <= published <= high


def test_mixing_implies_thousands_of_references(replicated_conll14: Path) -> None:
    # Published with the first ERRANT, which merges more: a median of 512.
    rows = query(
        replicated_conll14,
        "select unit, count(*), median(n_references) from replication.mixture_counts "
        "where corpus = 'conll14_published' and experiment = 'random_source' "
        "group by unit order by unit",
    )
    (positions, n_positions, of_positions), (corpora, n_corpora, of_corpora) = rows
    assert (positions, n_positions) == ("chain_position", 7936)
    assert (corpora, n_corpora) == ("corpus_sentence", 831)
    assert 576 <= of_positions <= 5760
    assert 160 <= of_corpora <= 1600
