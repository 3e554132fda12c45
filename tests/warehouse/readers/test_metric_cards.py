"""`maege card` and its marts on the sample corpus."""

import json
from pathlib import Path

import duckdb
import pytest
from building import query
from small_corpus import maege

from maege.cards.facts import card_of


def test_page_fits_a_terminal_and_has_the_marts_numbers(published_sample: Path) -> None:
    page = maege(published_sample, "card", "gleu").stdout

    assert max(map(len, page.splitlines())) <= 80
    ((tau, low, high, place),) = query(
        published_sample,
        "from (select *, rank() over (order by kendall_tau_a desc) as by_tau "
        "from marts.sentence_correlations where experiment = 'random_source' "
        "and no_rank is null) "
        "select kendall_tau_a, ci_low, ci_high, by_tau where metric = 'gleu'",
    )
    estimate = f"{tau:.2f} [{low:.2f}, {high:.2f}]"
    assert f"sentences: tau {estimate} {place} of 18" in " ".join(page.split())
    worst = query(
        published_sample,
        "select lower_score, upper_score from marts.discordant_pairs where metric = 'gleu' "
        "and experiment = 'random_source' order by delta limit 1",
    )
    assert "{:.3f} to {:.3f}".format(*worst[0]) in page


@pytest.mark.parametrize("metric", ["ld", "naturalness", "imeasure", "lt"])
def test_every_kind_of_metric_has_a_card(published_sample: Path, metric: str) -> None:
    card = json.loads(maege(published_sample, "card", metric, "--json").stdout)

    assert card["metric"] == metric
    # LanguageTool is missing, and scores by file are of systems only.
    assert card["corpus"] == (None if metric in ("lt", "naturalness") else "sample")
    assert len(card["worst_pairs"]) == (0 if card["corpus"] is None else 10)
    assert maege(published_sample, "card", metric, "--markdown").stdout.startswith(
        f"# {metric}".split("_")[0]
    )


def test_verdict_compares_with_the_named_metrics(published_sample: Path) -> None:
    card = json.loads(
        maege(published_sample, "card", "m2", "--against", "gleu,errant", "--json").stdout
    )

    # Significantly worse than the best metric at sentences, fluency.
    (sentence,) = [line for line in card["verdict"] if "worse than the best metric" in line]
    assert "ordering corrections of one sentence" in sentence
    assert {row["metric"] for row in card["tasks"]} == {"m2", "gleu", "errant"}
    page = maege(published_sample, "card", "m2").stdout
    assert "How does it compare with fluency and errant?" in page
    unknown = maege(published_sample, "card", "m2", "--against", "erant")
    assert "Did you mean errant?" in unknown.output


def test_card_in_json_is_the_marts(published_sample: Path) -> None:
    card = json.loads(maege(published_sample, "card", "m2", "--json").stdout)

    rows = query(
        published_sample, "select * from marts.metric_cards where metric = 'm2' order by all"
    )
    facts = sorted(
        (tuple(fact.values()) for fact in card["facts"] if fact["metric"] == "m2"), key=repr
    )
    assert facts == sorted(rows, key=repr)


def test_card_of_a_comparing_metric_has_its_preferences(published_sample: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{published_sample / 'marts.duckdb'}' as published (read_only)")
        for mart in ("metric_cards", "discordant_pairs", "lattice_nodes", "node_scores", "corpora"):
            connection.execute(f"create view {mart} as from published.{mart}")
        connection.execute(
            "create view step_preferences as "
            "select * replace (if(metric = 'm2', 0.1, null) as position_bias) "
            "from published.step_preferences"
        )
        (row,) = card_of(connection, "m2", None).preferences
        assert (row["corpus"], row["error_type"]) == ("sample", None)
        assert not card_of(connection, "gleu", None).preferences


def test_worst_pairs_are_of_five_sentences(published_sample: Path) -> None:
    pairs = json.loads(maege(published_sample, "card", "m2", "--json").stdout)["worst_pairs"]

    assert len({(pair["experiment"], pair["sentence_id"]) for pair in pairs}) == len(pairs) == 10
    first = [pair["badness_rank"] for pair in pairs if pair["rank"] == 1]
    assert first == [1, 1]


def test_two_metrics_are_compared_once(published_sample: Path) -> None:
    counts = query(
        published_sample,
        "select experiment, measure, count(*), bool_and(metric_a < metric_b) "
        "from marts.metric_comparisons where level = 'sentence' group by all",
    )
    assert len(counts) == 2
    # Of 18 metrics; chance is not one of them.
    assert {row[2:] for row in counts} == {(18 * 17 // 2, True)}


def test_unknown_names_are_refused_with_near_ones(published_sample: Path) -> None:
    unknown = maege(published_sample, "card", "glue")
    assert unknown.exit_code == 2
    assert "there is no metric glue. Did you mean gleu?" in unknown.output

    unknown = maege(published_sample, "card", "gleu", "--corpus", "conll14")
    assert unknown.exit_code == 2
    assert "conll14; published: sample." in " ".join(unknown.output.split())

    assert maege(published_sample, "card", "gleu", "--json", "--markdown").exit_code == 2


def test_two_metrics_are_compared_at_every_error_type(published_sample: Path) -> None:
    rows = query(
        published_sample,
        "select share, estimate_a, n, p_value, q_value, too_few from ("
        "select compared.*, (a.n_concordant - a.n_discordant) / a.n_pairs as share "
        "from marts.metric_comparisons as compared inner join marts.type_deltas as a "
        "on a.corpus = compared.corpus and a.metric = metric_a "
        "and a.error_type = compared.error_type and a.pair_rule = 'adjacent' "
        "where level = 'edit' and measure = 'kendall_tau_a') as compared",
    )
    assert rows
    for share, estimate, n, p_value, q_value, too_few in rows:
        # Both metrics score all pairs of the sample.
        assert estimate == pytest.approx(share)
        assert (too_few is None) == (p_value is not None) == (n >= 20)
        assert p_value is None or p_value <= q_value <= 1
