"""The committed results of CoNLL-2014 equal other programs' and those of the tests' warehouse.

That warehouse has fewer metrics, resamples and corpora: only numbers that depend on the corpus, its
judgments and one metric are compared.
"""

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from building import PeerRows, query

from maege.ingest.warehouse import Warehouse
from maege.shipped.read import FOLDER, PROVENANCE
from maege.shipped.write import differences, write_results

pytestmark = pytest.mark.skipif(
    not (FOLDER / PROVENANCE).is_file(),
    reason="needs the Parquet files in results/, which this checkout lacks",
)
# Metrics and reference sets that tests/warehouse/conftest.py does not build.
NOT_BUILT = "cleme|gotoscorer|green|imeasure_mix"
OTHER_REFERENCES = ("nucle_alt", "nucle_m2", "nuclea", "nucleb", "reassess16")
COUNTS = "n_pairs, n_concordant, n_discordant, n_tied"
COMPARED = {
    "lattices": "*",
    "reference_sets": "*",
    "systems": "*",
    "adversarial_scores": "corpus, reference_set, metric, system, corpus_score",
    "corpus_correlations": "corpus, experiment, metric, n_models, spearman_rho, pearson_r",
    "edit_metric_scores": "* exclude (wacc, base_wacc, improvement)",
    "human_correlations": (
        "corpus, judgment_set, method, reference_set, sentence_set, system_set, metric, resampled, "
        "n_systems, n_sentences, pearson_r, spearman_rho"
    ),
    "sentence_agreement": (
        "corpus, judgment_set, task, aspect, unit, tie_rule, reference_set, system_set, metric, "
        f"n_sentences, {COUNTS}, accuracy"
    ),
    "sentence_correlations": (
        f"corpus, experiment, metric, n_chains, n_nodes, n_sentences, {COUNTS}, kendall_tau_a, "
        "kendall_tau_maege, kendall_tau_b, goodman_kruskal_gamma, tau_macro, pearson_r"
    ),
    "system_scores": (
        "corpus, reference_set, system, metric, corpus_score, mean_sentence_score, n_sentences"
    ),
    "type_deltas": (
        f"corpus, pair_rule, metric, error_type, n_sentences, mean_delta, {COUNTS}"
    ),
    "type_scores": (
        "corpus, reference_set, system, error_type, tp, fp, fn, precision, recall, f_score"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def rebuilt(conll14_marts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("conll14_results")
    write_results(Warehouse(conll14_marts), folder)
    return folder


@pytest.mark.parametrize("mart", COMPARED)
def test_committed_results_equal_the_build(mart: str, rebuilt: Path) -> None:
    columns = COMPARED[mart]
    condition = "corpus = 'conll14'"
    if "metric" in columns or mart == "edit_metric_scores":
        condition += f" and not regexp_matches(metric, '^({NOT_BUILT})')"
    if "reference_set" in columns or mart in ("lattices", "reference_sets", "edit_metric_scores"):
        condition += f" and coalesce(reference_set not in {OTHER_REFERENCES}, true)"
    # The warehouse of the tests lacks the judgments of Sakaguchi et al. (2016) and their systems.
    if "judgment_set" in columns:
        condition += " and not starts_with(judgment_set, 'sakaguchi16')"
    if mart == "systems":
        condition += " and not starts_with(system, 'ref')"
    # The tests have fewer runs of TrueSkill.
    if "method" in columns:
        condition += " and method = 'expected_wins'"
    assert differences(FOLDER, rebuilt, marts=[mart], condition=condition, columns=columns) == []


def published(mart: str, reference_set: str, metric: str, columns: str) -> dict[str, list[float]]:
    rows = duckdb.sql(
        f"select system, {columns} from '{FOLDER / mart}.parquet' "
        "where corpus = 'conll14' and reference_set = $1 and metric = $2",
        params=[reference_set, metric],
    ).fetchall()
    return {system: [round(value, 4) for value in values] for system, *values in rows}


def test_m2_is_the_official_score_of_every_team(
    printed: Callable[[str, str, str], dict[str, float]],
) -> None:
    scores_by_team = published("edit_metric_scores", "nucle", "m2", "precision, recall, f_score")
    for place, name in enumerate("prf"):
        for system, official in printed("conll14", "official_scores", name).items():
            assert scores_by_team[system][place] == round(official / 100, 4), system
    assert scores_by_team["INPUT"] == [1, 0, 0]
    against_ten = published("edit_metric_scores", "bn10", "m2", "f_score")
    for system, f in (("CAMB", 0.5276), ("AMU", 0.4737), ("UFC", 0.0820)):
        assert against_ten[system] == [f]


def test_errant_scores_are_those_of_its_files(errant_f: dict[str, float]) -> None:
    columns = "f_score, tp, fp, fn"
    ingested = published("edit_metric_scores", "nucle_errant", "errant", columns)
    extracted = published("edit_metric_scores", "nucle", "errant", "f_score")
    for system, f in errant_f.items():
        assert ingested[system][0] == f, system
        # The files were created with an older model of spaCy.
        assert extracted[system] == [pytest.approx(f, abs=0.002)], system
    assert ingested["AMU"][1:] == [483, 795, 1934]


@pytest.mark.parametrize(
    ("reference_set", "metric", "file", "column", "unit"),
    [
        ("nucle", "bleu", "bleu_sari_nucle_corpus.tsv", "sacrebleu_none", 100),
        ("nucle", "sari", "bleu_sari_nucle_corpus.tsv", "mean_sari", 1),
        ("nucle", "gleu", "gleu_nucle_corpus.tsv", "gleu", 1),
        ("bn10", "gleu", "gleu_bn10_corpus.tsv", "gleu", 1),
    ],
)
def test_corpus_scores_are_the_original_scorers(
    reference_set: str, metric: str, file: str, column: str, unit: int, peer_rows: PeerRows
) -> None:
    scores_by_system = published("system_scores", reference_set, metric, "corpus_score")
    golden = peer_rows(file)
    assert len(golden) == 13
    for row in golden:
        assert scores_by_system[row["system"]] == [
            pytest.approx(float(row[column]) / unit, abs=0.51e-4)
        ]


def test_comparison_of_neighbours_names_significant_differences(conll14_warehouse: Path) -> None:
    rows = query(
        conll14_warehouse,
        "select system_a, system_b, (better.rank < worse.rank) = (difference >= 0), difference, "
        "compared.ci_low, compared.ci_high, p_value, q_value, p_holm "
        "from marts.system_comparisons as compared "
        "inner join marts.system_scores as better using (corpus, reference_set, metric) "
        "inner join marts.system_scores as worse using (corpus, reference_set, metric) "
        "where better.system = system_a and worse.system = system_b and corpus = 'conll14' "
        "and reference_set = 'nucle' and metric = 'm2' and abs(better.rank - worse.rank) = 1",
    )
    assert len(rows) == 15
    for system_a, system_b, is_in_order, difference, low, high, p, q, p_holm in rows:
        assert system_a < system_b
        assert is_in_order
        assert low <= difference <= high, (system_a, system_b)
        # The interval excludes 2.5 % on each side, as p = .05 does: with other resamples.
        assert (p < 0.01) <= (low > 0 or high < 0), (system_a, system_b)
        assert p <= q <= p_holm <= 1
