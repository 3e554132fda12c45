"""`maege compare --corpus` and the marts have equal results for the same texts."""

from pathlib import Path
from typing import Any

import pytest
from building import query

import maege
from maege.analysis.compare.results import Result

SYSTEMS = ["INPUT", "broken", "careful", "overeager", "spellfix", "thorough"]
# Tests have ten thousand resamples in both, intervals a thousand in the marts.
OF_TESTS, OF_INTERVALS = 10_000, 1_000
Results = dict[int, Result]


@pytest.fixture(scope="module")
def results(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Results:
    settings: dict[str, Any] = {
        "corpus": "sample",
        "reference_set": "edits",
        "warehouse": sample_warehouse,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAEGE_CACHE", str(tmp_path_factory.mktemp("cache")))
        return {
            n: maege.compare(systems=SYSTEMS, resamples=n, all_pairs=True, **settings).result
            for n in (OF_TESTS, OF_INTERVALS)
        }


def test_systems_differ_by_as_much_and_as_surely(results: Results, sample_warehouse: Path) -> None:
    rows = query(
        sample_warehouse,
        "select metric, system_a, system_b, difference, p_value, p_holm, ci_low, ci_high "
        "from marts.system_comparisons "
        "where reference_set = 'edits' and metric in ('errant', 'm2')",
    )
    assert len(rows) == 30
    for metric, a, b, difference, p_value, p_holm, low, high in rows:
        # The command subtracts the first, the mart the second.
        tested, resampled = (results[n].comparison(a, b, metric) for n in (OF_TESTS, OF_INTERVALS))
        assert tested is not None
        assert tested.difference == pytest.approx(-difference)
        assert tested.p_randomisation == pytest.approx(p_value)
        assert tested.p_holm == pytest.approx(p_holm)
        assert resampled is not None
        assert resampled.ci == pytest.approx((-high, -low))


def test_systems_have_the_same_scores_and_ranks(results: Results, sample_warehouse: Path) -> None:
    systems = results[OF_TESTS].systems
    assert len(systems) > 1
    for system in systems:
        for metric, score in system.scores.items():
            rows = query(
                sample_warehouse,
                "select corpus_score, rank, rank_low, rank_high from marts.system_scores "
                f"where reference_set = 'edits' and system = '{system.name}' "
                f"and metric = '{metric}'",
            )
            assert rows == [(pytest.approx(score.value), *(score.ranks or ()))]


def test_error_types_have_the_same_counts(results: Results, sample_warehouse: Path) -> None:
    rows = query(
        sample_warehouse,
        "select system, error_type, tp, fp, fn, precision, recall, f_score from marts.type_scores "
        "where reference_set = 'edits'",
    )
    counts_by_type = {
        (name, row.type): counts
        for row in results[OF_TESTS].types
        for name, counts in ((row.a, row.counts_a), (row.b, row.counts_b))
        if counts.tp + counts.fp + counts.fn
    }
    assert {(system, error_type) for system, error_type, *_ in rows} == set(counts_by_type)
    for system, error_type, *counts in rows:
        assert counts_by_type[system, error_type] == pytest.approx(tuple(counts))
