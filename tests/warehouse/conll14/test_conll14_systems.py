"""Scores of the CoNLL-2014 systems, equal to those of the original scorers."""

from pathlib import Path

import numpy as np
import pytest
from building import PeerRows, Rows, query

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.registry import FAMILIES

SENTENCES = 1312


@pytest.mark.parametrize(
    ("reference_set", "file", "metric", "column", "tolerance"),
    [
        ("nucle", "bleu_sari_nucle_sentence.tsv", "bleu", "bleu", 1e-9),
        ("nucle", "bleu_sari_nucle_sentence.tsv", "sari", "sari", 1e-9),
        ("nucle", "gleu_nucle_sentence.tsv", "gleu", "gleu_mean", 1e-6),
        ("bn10", "bleu_sari_bn_sentence.tsv", "bleu", "bleu", 1e-9),
        ("bn10", "bleu_sari_bn_sentence.tsv", "sari", "sari", 1e-9),
        ("bn10", "gleu_bn10_sentence.tsv", "gleu", "gleu_mean", 1e-6),
    ],
)
def test_sentence_scores_of_outputs_are_the_original_scorers(
    peer_rows: PeerRows,
    conll14_warehouse: Path,
    reference_set: str,
    file: str,
    metric: str,
    column: str,
    tolerance: float,
) -> None:
    golden = {
        (row["system"], int(row["sentence_index"])): float(row[column]) for row in peer_rows(file)
    }
    scores = query(
        conll14_warehouse,
        "select system, sentence_id, score from marts.system_sentence_scores "
        "where corpus = 'conll14' and reference_set = $1 and metric = $2",
        reference_set,
        metric,
    )
    found = {(system, sentence_id): score for system, sentence_id, score in scores}
    assert golden.keys() <= found.keys()
    assert len(golden) >= SENTENCES
    worst = max(golden, key=lambda key: abs(found[key] - golden[key]))
    assert found[worst] == pytest.approx(golden[worst], abs=tolerance, rel=0), worst


@pytest.mark.parametrize("reference_set", ["nucle", "bn10"])
def test_corpus_gleu_is_the_original_programs_with_either_python(
    peer_rows: PeerRows, conll14_warehouse: Path, reference_set: str
) -> None:
    golden = {
        row["system"]: float(row["gleu"]) for row in peer_rows(f"gleu_{reference_set}_corpus.tsv")
    }
    assert len(golden) == 13
    found = corpus_scores(conll14_warehouse, reference_set, "gleu")
    for system, score in golden.items():
        assert found[system] == pytest.approx(score, abs=1e-9, rel=0), system
    statistics = gleu_statistics(conll14_warehouse, reference_set, sorted(golden))
    with_python_3 = GleuScore().corpus_score(statistics, "py3")
    limit = GleuScore().corpus_score(statistics, "expected")
    for number, system in enumerate(sorted(golden)):
        assert with_python_3[number] != golden[system]
        assert with_python_3[number] == pytest.approx(golden[system], abs=5e-4, rel=0), system
        assert limit[number] == pytest.approx(golden[system], abs=5e-4, rel=0), system


def test_corpus_bleu_is_sacrebleus_without_tokenisation(
    peer_rows: PeerRows, conll14_warehouse: Path
) -> None:
    found = corpus_scores(conll14_warehouse, "nucle", "bleu")
    golden = peer_rows("bleu_sari_nucle_corpus.tsv")
    assert len(golden) == 13
    for row in golden:
        # Printed with four decimals, of a hundred.
        expected = float(row["sacrebleu_none"]) / 100
        assert found[row["system"]] == pytest.approx(expected, abs=0.51e-6, rel=0), row["system"]


def test_mean_sari_is_the_original_scorers(peer_rows: PeerRows, conll14_warehouse: Path) -> None:
    found = corpus_scores(conll14_warehouse, "nucle", "sari")
    golden = peer_rows("bleu_sari_nucle_corpus.tsv")
    assert len(golden) == 13
    for row in golden:
        expected = float(row["mean_sari"])
        assert found[row["system"]] == pytest.approx(expected, abs=0.51e-6, rel=0), row["system"]


def corpus_scores(warehouse: Path, reference_set: str, metric: str) -> dict[str, float]:
    rows: Rows = query(
        warehouse,
        "select system, corpus_score from marts.system_scores "
        "where corpus = 'conll14' and reference_set = $1 and metric = $2",
        reference_set,
        metric,
    )
    return dict(rows)


def gleu_statistics(warehouse: Path, reference_set: str, systems: list[str]) -> FloatArray:
    """Return the stored statistics, shape (systems, sentences, references, statistics)."""
    rows = query(
        warehouse,
        "select statistics from pairs.scored_units inner join caches.metric_statistics "
        "using (source_text_id, hypothesis_text_id, references_key) "
        "where used_in = 'system' and corpus = 'conll14' and family = 'gleu' "
        "and reference_set = $1 "
        "and list_contains($2, system) order by system, sentence_id",
        reference_set,
        systems,
    )
    width = len(FAMILIES["gleu"].statistics)
    return np.array([row[0] for row in rows]).reshape(len(systems), SENTENCES, -1, width)
