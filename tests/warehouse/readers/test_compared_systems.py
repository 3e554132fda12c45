"""`maege compare --corpus` and the marts have equal results for the same texts."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from building import query

import maege
from maege.comparison.api import Compared

SYSTEMS = ["INPUT", "broken", "careful", "overeager", "spellfix", "thorough"]
Comparing = Callable[[int], Compared]


@pytest.fixture(scope="module")
def compared(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Comparing:
    """Compare all systems of the sample with this number of resamples."""
    parsed = tmp_path_factory.mktemp("cache")

    @cache
    def compare(resamples: int) -> Compared:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("MAEGE_CACHE", str(parsed))
            return maege.compare(
                corpus="sample",
                systems=SYSTEMS,
                reference_set="edits",
                warehouse=sample_warehouse,
                resamples=resamples,
                all_pairs=True,
            )

    return compare


def test_systems_differ_by_as_much_and_as_surely(
    compared: Comparing, sample_warehouse: Path
) -> None:
    # Tests have ten thousand resamples in both, intervals a thousand in the marts.
    tests, intervals = compared(10_000).result, compared(1_000).result
    rows = query(
        sample_warehouse,
        "select metric, system_a, system_b, difference, p_value, p_holm, ci_low, ci_high "
        "from marts.system_comparisons "
        "where reference_set = 'edits' and metric in ('errant', 'm2')",
    )
    assert len(rows) == 30
    for metric, a, b, difference, p_value, p_holm, low, high in rows:
        # The command subtracts the first, the mart the second.
        tested, resampled = (result.comparison(a, b, metric) for result in (tests, intervals))
        assert tested is not None
        assert tested.difference == pytest.approx(-difference)
        assert tested.p_randomisation == pytest.approx(p_value)
        assert tested.p_holm == pytest.approx(p_holm)
        assert resampled is not None
        assert resampled.ci == pytest.approx((-high, -low))


def test_systems_have_the_same_scores_and_ranks(
    compared: Comparing, sample_warehouse: Path
) -> None:
    systems = compared(10_000).result.systems
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


def test_error_types_have_the_same_counts(compared: Comparing, sample_warehouse: Path) -> None:
    rows = query(
        sample_warehouse,
        "select system, error_type, tp, fp, fn, precision, recall, f_score from marts.type_scores "
        "where reference_set = 'edits'",
    )
    counts_by_type = {
        (name, row.type): counts
        for row in compared(1_000).result.types
        for name, counts in ((row.a, row.counts_a), (row.b, row.counts_b))
        if counts.tp + counts.fp + counts.fn
    }
    assert {(system, error_type) for system, error_type, *_ in rows} == set(counts_by_type)
    for system, error_type, *counts in rows:
        assert counts_by_type[system, error_type] == pytest.approx(tuple(counts))
