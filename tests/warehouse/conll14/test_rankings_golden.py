"""Human rankings of GJG15, NSPT15 and SEEDA: printed numbers, and exact values of their data."""

from pathlib import Path

import pytest
from building import query, value

Numbers = dict[tuple[str, str], tuple[str, float, float]]


def replicated(warehouse: Path, paper: str, exhibit: str) -> Numbers:
    """Return status, published and recomputed value by row and column of an exhibit."""
    rows = query(
        warehouse,
        "select row_label, column_label, status, published, reproduced from marts.replication "
        "where paper = $1 and exhibit = $2 and reproduced is not null",
        paper,
        exhibit,
    )
    return {(row, column): tuple(rest) for row, column, *rest in rows}


def test_expected_wins_of_gjg15_are_the_printed_ones(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "gjg15", "table_3b")
    scores = [status for (_, column), (status, *_) in found.items() if column == "expected_wins"]
    assert scores == ["exact"] * 13
    ranges = [
        abs(printed - own) for (_, column), (_, printed, own) in found.items() if "rank" in column
    ]
    assert len(ranges) == 26
    assert max(ranges) <= 1


def test_fifty_runs_of_trueskill_land_within_six_thousandths(replicated_conll14: Path) -> None:
    gjg15 = replicated(replicated_conll14, "gjg15", "table_3c")
    seeda = replicated(replicated_conll14, "seeda", "scores")
    assert (len(gjg15), len(seeda)) == (13, 60)
    for found in (gjg15, seeda):
        for key, (_, printed, own) in found.items():
            assert own == pytest.approx(printed, abs=0.006), key


def test_expected_wins_of_seeda_differ_by_less_than_a_thousandth(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "seeda", "scores")
    wins = {key: numbers for key, numbers in found.items() if key[1].startswith("ew_")}
    assert len(wins) == 30
    for key, (_, printed, own) in wins.items():
        assert own == pytest.approx(printed, abs=0.0009), key


def test_judges_agree_as_printed(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "gjg15", "text")
    assert {key[0]: (status, round(own, 2)) for key, (status, _, own) in found.items()} == {
        "inter_judge": ("exact", 0.29),
        "intra_judge": ("exact", 0.46),
    }


@pytest.mark.parametrize(("paper", "numbers"), [("seeda", 30), ("gjg15", 4)])
def test_length_as_a_metric_is_gold_in_every_digit(
    replicated_conll14: Path, paper: str, numbers: int
) -> None:
    # Systems, sentences and windows of four.
    found = replicated(replicated_conll14, paper, "length_metric")
    assert len(found) == numbers
    assert {key: status for key, (status, *_) in found.items() if status != "exact"} == {}


def test_gleu_against_seeda_is_gold(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "seeda", "gleu_judged_sentences")
    systems = {key: numbers for key, numbers in found.items() if "accuracy" not in key[1]}
    assert len(systems) == 12
    for key, (_, printed, own) in systems.items():
        assert own == pytest.approx(printed, abs=3e-6), key


def test_gleu_orders_the_systems_of_gjg15_as_gold(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "gjg15", "metric_correlations")
    assert len(found) == 8
    for (row, column), (status, printed, own) in found.items():
        assert own == pytest.approx(printed, abs=0.0001), (row, column)
        assert column == "ew_r" or status == "exact", (row, column)


def test_m2_against_seeda_is_the_published_correlation(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "seeda", "metric_correlations")
    statuses = [status for (row, _), (status, *_) in found.items() if row == "m2"]
    assert statuses == ["exact"] * 4


def test_later_papers_on_seeda_print_our_errant_scores(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "goto25_trueskill", "seeda_systems")
    of_errant = {column: numbers for (row, column), numbers in found.items() if row == "errant"}
    assert of_errant["sent_base_metric_rho"][0] == "exact"
    assert of_errant["sent_with_fluent_metric_rho"][0] == "exact"
    # TrueSkill of its sentence scores ranks the systems far better; the order of matches is random.
    _, printed, own = of_errant["sent_base_trueskill_rho"]
    assert own == pytest.approx(printed, abs=0.06)
    assert set(replicated(replicated_conll14, "goto25_library", "seeda_sentences")) == {
        (metric, f"sent_base_{statistic}")
        for metric in ("errant", "gleu")
        for statistic in ("accuracy", "tau")
    }


def test_metrics_with_unavailable_weights_have_a_reason(replicated_conll14: Path) -> None:
    notes = query(
        replicated_conll14,
        "select distinct status, note from marts.replication where row_label = 'impara' "
        "and starts_with(exhibit, 'seeda_') and paper = 'sure26'",
    )
    assert notes == [
        (
            "not_reproducible",
            "Not recomputed here. The weights or the model are not available here.",
        )
    ]


def test_two_fluent_systems_turn_errant_around(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "seeda", "metric_correlations")
    _, printed, own = found["errant", "ts_sent_with_fluent_r"]
    assert own == pytest.approx(printed, abs=0.01)
    assert own < -0.6


def test_table_1_of_maege_lies_within_its_own_noise(replicated_conll14: Path) -> None:
    # The paper swaps the columns' names: `reproduced` has the set behind the numbers.
    found = replicated(replicated_conll14, "maege", "table_1")
    rho = {key: numbers for key, numbers in found.items() if key[1].endswith("_rho")}
    assert len(rho) == 24
    outside = sorted(key for key, (status, *_) in rho.items() if status == "differs")
    assert outside == [("m2", "gjg15_rho"), ("m2", "nspt15_rho"), ("min_ld", "combined_rho")]
    for key, (_, printed, own) in rho.items():
        assert own == pytest.approx(printed, abs=0.15), key


def test_references_judge_systems_as_the_paper_without_them_prints(
    replicated_conll14: Path,
) -> None:
    found = replicated(replicated_conll14, "referenceless", "table_1")
    assert {key: round(own, 3) for key, (_, _, own) in found.items() if key[0] != "meaning"} == {
        ("m2", "rho"): 0.648,
        ("m2", "r"): 0.639,
        ("gleu_plus", "rho"): 0.846,
        ("gleu_plus", "r"): 0.814,
        ("fluency", "rho"): 0.896,
        ("fluency", "r"): 0.894,
        ("meaning_fluency", "rho"): 0.901,
        ("meaning_fluency", "r"): 0.907,
    }
    statuses = {key: status for key, (status, *_) in found.items()}
    assert statuses["m2", "rho"] == "exact"
    assert statuses["m2", "r"] == statuses["gleu_plus", "rho"] == "close"
    assert statuses["fluency", "rho"] == statuses["meaning", "rho"] == "differs"


def test_references_rank_experts_texts_as_printed(replicated_conll14: Path) -> None:
    found = replicated(replicated_conll14, "referenceless", "table_2")
    assert {column for _, column in found} == {"m2", "m2_rank", "gleu_plus", "gleu_plus_rank"}
    assert len(found) == 16
    for (row, column), (status, printed, own) in found.items():
        if column.endswith("_rank"):
            assert status == "exact", (row, column)
        else:
            assert own == pytest.approx(printed, abs=0.01), (row, column)
    gleu = {
        row: round(own, 4) for (row, column), (*_, own) in found.items() if column == "gleu_plus"
    }
    assert gleu == {"flu_a": 0.5611, "flu_b": 0.6030, "min_b": 0.6233, "min_a": 0.6022}


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
    assert len(rows) > 500
    assert all(-1 <= low <= high <= 1 and -1 <= r <= 1 for low, r, high, _, _ in rows)
    inside = sum(low - 1e-9 <= r <= high + 1e-9 for low, r, high, _, _ in rows)
    assert inside > 0.9 * len(rows)
    assert all(0 <= soft <= 1 for *_, soft in rows)
