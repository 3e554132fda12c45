"""Correlations of metrics with the human rankings of GJG15 and NSPT15."""

from pathlib import Path

from building import query, value


def test_chance_baselines_have_rows_for_every_metric(conll14_warehouse: Path) -> None:
    missing = value(
        conll14_warehouse,
        "select count(*) from (select judgment_set, method, reference_set, sentence_set, "
        "system_set, resampled, count(*) filter (where starts_with(metric, 'chance_')) as n "
        "from marts.human_correlations group by all) where n <> 3",
    )
    assert missing == 0


def test_intervals_contain_most_estimates(conll14_warehouse: Path) -> None:
    rows = query(
        conll14_warehouse,
        "select pearson_ci_low, pearson_r, pearson_ci_high, spearman_rho, soft_pairwise_accuracy "
        "from marts.human_correlations where pearson_r is not null and system_set = 'base' "
        "and sentence_set = 'judged' and resampled = 'both' and too_few is null",
    )
    assert len(rows) > 300
    assert all(-1 <= low <= high <= 1 and -1 <= r <= 1 for low, r, high, _, _ in rows)
    inside = sum(low - 1e-9 <= r <= high + 1e-9 for low, r, high, _, _ in rows)
    assert inside > 0.9 * len(rows)
    assert all(0 <= soft <= 1 for *_, soft in rows)
