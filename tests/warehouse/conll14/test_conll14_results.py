"""The committed results of CoNLL-2014 equal those of the warehouse that the tests build.

That warehouse has fewer metrics, resamples and corpora: only numbers that depend on the corpus, its
judgments and one metric are compared.
"""

from pathlib import Path

import pytest

from maege.ingest.warehouse import Warehouse
from maege.shipped.read import FOLDER, PROVENANCE
from maege.shipped.write import differences, write_results

# Metrics that tests/warehouse/conftest.py does not build.
NOT_BUILT = "cleme|gotoscorer|green|imeasure_mix"
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
    """The results of the warehouse of the tests."""
    folder = tmp_path_factory.mktemp("conll14_results")
    write_results(Warehouse(conll14_marts), folder)
    return folder


@pytest.mark.skipif(
    not (FOLDER / PROVENANCE).is_file(),
    reason="needs the Parquet files in results/, which this checkout lacks",
)
@pytest.mark.parametrize("mart", COMPARED)
def test_committed_results_equal_the_build(mart: str, rebuilt: Path) -> None:
    columns = COMPARED[mart]
    condition = "corpus = 'conll14'"
    if "metric" in columns or mart == "edit_metric_scores":
        condition += f" and not regexp_matches(metric, '^({NOT_BUILT})')"
    # The warehouse of the tests lacks the judgments of Sakaguchi et al. (2016) and their systems.
    if "judgment_set" in columns:
        condition += " and not starts_with(judgment_set, 'sakaguchi16')"
    if mart == "systems":
        condition += " and not starts_with(system, 'ref')"
    # The tests have fewer runs of TrueSkill.
    if "method" in columns:
        condition += " and method = 'expected_wins'"
    assert differences(FOLDER, rebuilt, marts=[mart], condition=condition, columns=columns) == []
