"""Compare fluency, meaning and their sum with the numbers of an independent program."""

import csv
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from metric_requests import all_scores, all_statistics

from maege.analysis.metrics.families.base import FloatArray, RequestGroup
from maege.analysis.metrics.referenceless.fluency import ReferencelessScore

SYSTEMS = ("AMU", "INPUT", "NTHU", "UFC")
Columns = dict[str, FloatArray]
STATISTICS = {
    "fluency": ("log10_pm", "log10_pu", "lm_tokens", "lm_oov"),
    "meaning": ("m_hyp_content", "m_src_content"),
}


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Columns]:
    path = shared / "golden" / "reference_less" / "sentence_scores.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {
        system: {
            name: np.array([float(row[name]) for row in system_rows])
            for name in rows[0]
            if name != "system"
        }
        for system, system_rows in (
            (system, list(group)) for system, group in groupby(rows, lambda row: row["system"])
        )
    }


def requests(shared: Path, system: str) -> list[RequestGroup]:
    outputs = shared / "data" / "conll14" / "outputs"
    texts = {
        name: (outputs / name).read_text(encoding="utf-8").splitlines()
        for name in ("INPUT", system)
    }
    rows = np.arange(len(texts[system]))
    return [RequestGroup((), tuple(texts["INPUT"]), tuple(texts[system]), rows, rows)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_statistics_and_scores_equal_the_golden_ones(
    system: str, shared: Path, golden: dict[str, Columns]
) -> None:
    expected, groups = golden[system], requests(shared, system)
    fluency = all_statistics("fluency", groups)[:, 0]
    for column, name in enumerate(STATISTICS["fluency"]):
        np.testing.assert_allclose(fluency[:, column], expected[name], rtol=0, atol=1e-6)
    meaning = all_statistics("meaning", groups)[:, 0]
    for column, name in enumerate(STATISTICS["meaning"], start=1):
        np.testing.assert_array_equal(meaning[:, column], expected[name])
    scores = {
        "fluency": all_scores("fluency", groups),
        "meaning": all_scores("meaning", groups),
        "grammaticality": np.maximum(1 - expected["lt66_errors"] / expected["tokens"], 0),
    }
    for metric, name in (
        ("fluency", "s_f"),
        ("meaning", "s_m_simple"),
        ("grammaticality", "s_g_lt66"),
    ):
        np.testing.assert_allclose(scores[metric], expected[name], rtol=0, atol=1e-6)
    total = ReferencelessScore().combine(scores)
    np.testing.assert_allclose(total, expected["comb_default"], rtol=0, atol=1e-6)
