"""`maege card`, its marts and its page in the report, on the sample corpus."""

import html
import json
import re
from pathlib import Path

import duckdb
import pytest
from building import query
from small_corpus import maege, refusal

from maege.cards.facts import card_of, read_card
from maege.cards.page import page
from maege.cards.parts import Table
from maege.ingest.warehouse import Warehouse
from maege.report.build import read_report


def test_page_fits_a_terminal_and_has_the_marts_numbers(sample_warehouse: Path) -> None:
    page = maege(sample_warehouse, "card", "gleu").stdout

    assert max(map(len, page.splitlines())) <= 80
    ((tau, low, high, place),) = query(
        sample_warehouse,
        "from (select *, rank() over (order by kendall_tau_a desc) as by_tau "
        "from marts.sentence_correlations where experiment = 'random_source' "
        "and no_rank is null) "
        "select kendall_tau_a, ci_low, ci_high, by_tau where metric = 'gleu'",
    )
    estimate = f"{tau:.2f} [{low:.2f}, {high:.2f}]"
    assert f"sentences: tau {estimate} {place} of 18" in " ".join(page.split())
    worst = query(
        sample_warehouse,
        "select lower_score, upper_score from marts.discordant_pairs where metric = 'gleu' "
        "and experiment = 'random_source' order by delta limit 1",
    )
    assert "{:.3f} to {:.3f}".format(*worst[0]) in page


@pytest.mark.parametrize("metric", ["ld", "naturalness", "imeasure", "lt"])
def test_every_kind_of_metric_has_a_card(sample_warehouse: Path, metric: str) -> None:
    card = json.loads(maege(sample_warehouse, "card", metric, "--json").stdout)

    assert card["metric"] == metric
    # LanguageTool is missing, and scores by file are of systems only.
    assert card["corpus"] == (None if metric in ("lt", "naturalness") else "sample")
    assert len(card["worst_pairs"]) == (0 if card["corpus"] is None else 10)
    assert maege(sample_warehouse, "card", metric, "--markdown").stdout.startswith(
        f"# {metric}".split("_")[0]
    )


def test_card_in_json_is_the_marts(sample_warehouse: Path) -> None:
    against = ("--against", "gleu,errant")
    card = json.loads(maege(sample_warehouse, "card", "m2", *against, "--json").stdout)

    assert {row["metric"] for row in card["tasks"]} == {"m2", "gleu", "errant"}
    rows = query(
        sample_warehouse, "select * from marts.metric_cards where metric = 'm2' order by all"
    )
    facts = sorted(
        (tuple(fact.values()) for fact in card["facts"] if fact["metric"] == "m2"), key=repr
    )
    assert facts == sorted(rows, key=repr)


def test_card_of_a_comparing_metric_has_its_preferences(sample_warehouse: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{sample_warehouse / 'marts.duckdb'}' as published (read_only)")
        marts = "metric_cards discordant_pairs lattice_nodes node_scores corpora best_metrics"
        for mart in marts.split():
            connection.execute(f"create view {mart} as from published.{mart}")
        connection.execute(
            "create view step_preferences as "
            "select * replace (if(metric = 'm2', 0.1, null) as position_bias) "
            "from published.step_preferences"
        )
        (row,) = card_of(connection, "m2", None).preferences
        assert (row["corpus"], row["error_type"]) == ("sample", None)
        assert not card_of(connection, "gleu", None).preferences


def test_report_has_the_numbers_of_the_card(sample_warehouse: Path) -> None:
    warehouse = Warehouse(sample_warehouse)
    section, *_ = read_report(warehouse, "sample", ("m2",), lambda _: None).sections
    assert section.name == "card-m2"
    shown = html.unescape(re.sub(r"<[^>]+>", "", section.html))
    tables = [part for part in page(read_card(warehouse, "m2", None)) if isinstance(part, Table)]
    cells = [cell.strip() for table in tables for row in table.rows for cell in row]
    assert len(cells) > 100
    # The page has a minus sign where the card has a hyphen.
    assert [cell for cell in cells if cell.replace("-", "−") not in shown.replace("-", "−")] == []


def test_worst_pairs_are_of_five_sentences(sample_warehouse: Path) -> None:
    pairs = json.loads(maege(sample_warehouse, "card", "m2", "--json").stdout)["worst_pairs"]

    assert len({(pair["experiment"], pair["sentence_id"]) for pair in pairs}) == len(pairs) == 10
    first = [pair["badness_rank"] for pair in pairs if pair["rank"] == 1]
    assert first == [1, 1]


def test_unknown_names_are_refused_with_near_ones(sample_warehouse: Path) -> None:
    for words, expected in (
        (["glue"], "there is no metric glue. Did you mean gleu?"),
        (["gleu", "--corpus", "conll14"], "conll14; published: sample."),
        (["gleu", "--json", "--markdown"], ""),
    ):
        assert expected in refusal(sample_warehouse, "card", *words)


def test_two_metrics_are_compared_at_every_error_type(sample_warehouse: Path) -> None:
    rows = query(
        sample_warehouse,
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
