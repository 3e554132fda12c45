"""`maege leaderboard`: the page of a shared task, from the marts of the sample."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from axe_rules import SCRIPT, broken_rules
from browser import WITH_CHROMIUM, browser
from small_corpus import maege, refusal

from maege.comparison.leaderboard import Leaderboard, leaderboard_page, read_leaderboard


@pytest.fixture
def marts(sample_warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(sample_warehouse / "marts.duckdb", read_only=True) as connection:
        yield connection


def test_every_group_is_better_than_later_groups(marts: duckdb.DuckDBPyConnection) -> None:
    board = read_leaderboard(marts, "sample")

    # Only the broken system and the source are statistically tied: both may have rank 5 or 6.
    assert board.groups == [
        ["thorough"], ["careful"], ["spellfix"], ["overeager"], ["broken", "INPUT"]
    ]  # fmt: skip
    assert board.title == "Learner sentences written for this project"
    assert board.lead.startswith("5 systems, 84 sentences, reference set texts.")
    assert board.verdict[0] == (
        "By ERRANT F0.5, thorough is best (0.9101). "
        "It is significantly better than all other systems."
    )


def changed(
    sample_warehouse: Path, scores: str, comparisons: str = "from published.system_comparisons"
) -> Leaderboard:
    """Return the leaderboard of the sample with other rows of the scores and the comparisons."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{sample_warehouse / 'marts.duckdb'}' as published (read_only)")
        for (mart,) in connection.execute(
            "select table_name from information_schema.tables "
            "where table_catalog = 'published' and table_schema = 'main'"
        ).fetchall():
            connection.execute(f"create view {mart} as from published.{mart}")
        connection.execute(f"create or replace view system_scores as {scores}")
        connection.execute(f"create or replace view system_comparisons as {comparisons}")
        return read_leaderboard(connection, "sample")


def test_systems_tied_with_the_best_are_named(sample_warehouse: Path) -> None:
    # As if no test separated the first two systems.
    board = changed(
        sample_warehouse,
        "select * replace (if(rank <= 2, 1, rank_low) as rank_low, "
        "if(rank <= 2, 2, rank_high) as rank_high) from published.system_scores",
    )

    assert "careful is statistically tied with it." in board.verdict[0]
    assert board.groups[0] == ["thorough", "careful"]
    assert [row[2].text for row in board.tables["ranking"].rows[:3]] == ["1–2", "1–2", "3"]


def test_untested_systems_have_no_rank(sample_warehouse: Path) -> None:
    board = changed(
        sample_warehouse,
        "select * replace (null::int as rank, null::int as rank_low, null::int as rank_high) "
        "from published.system_scores",
    )

    assert board.verdict[0].startswith("By ERRANT F0.5, thorough is best (0.9101). The differences")
    assert board.systems[:2] == ["thorough", "careful"]
    assert board.tables["ranking"].columns == ("system", "ERRANT F0.5", "95 % CI")
    assert len(board.groups) == 1
    alone = changed(sample_warehouse, "from published.system_scores where system = 'careful'")
    assert alone.verdict == ["careful has ERRANT F0.5 0.7581."]
    assert alone.lead.startswith("1 system, ")
    assert "pairs" not in alone.tables


def test_too_few_resamples_for_any_significance_are_reported(sample_warehouse: Path) -> None:
    # 15 pairs of six systems: the smallest corrected p-value is 15 / (200 + 1) = 0.07.
    board = changed(
        sample_warehouse,
        "from published.system_scores",
        "select * replace (200 as n_resamples) from published.system_comparisons",
    )

    assert board.verdict[1] == (
        "No difference can be significant: 200 resamples are too few for 15 pairs of systems. "
        "Build with the variable test_resamples of at least 300."
    )


def test_each_annotator_alone_has_scores(marts: duckdb.DuckDBPyConnection) -> None:
    board = read_leaderboard(marts, "sample")

    table = board.tables["annotators"]
    assert table.columns == ("system", "annotator 0", "annotator 1", "annotator 2")
    careful = next(row for row in table.rows if row[0].text == "careful")
    # 94 true and 5 false positives, 127 false negatives: 1.25 * 94 / (99 + 0.25 * 221).
    assert careful[1].text == f"{1.25 * 94 / (99 + 0.25 * 221):.4f}" == "0.7618"
    assert "careful with annotator 0; thorough with annotators 1 and 2." in board.verdict[1]


def test_pairs_have_the_sign_of_their_row(marts: duckdb.DuckDBPyConnection) -> None:
    # MinLD counts what is left to edit: the system with the lower score is better.
    for metric, sign in (("errant", "▲"), ("min_ld", "▲")):
        table = read_leaderboard(marts, "sample", metric).tables["pairs"]
        assert table.rows[0][1].text == ""
        assert table.rows[0][-1].mark == sign
        assert table.rows[-1][1].mark == "▼"
        assert table.rows[0][-1].text.lstrip("+−") == table.rows[-1][1].text.lstrip("+−")


def test_page_has_no_empty_section(sample_warehouse: Path, tmp_path: Path) -> None:
    output = maege(sample_warehouse, "leaderboard", "sample", "--out", tmp_path).output

    page = (tmp_path / "index.html").read_text()
    assert str(tmp_path / "index.html") in output.replace("\n", "")
    assert "thorough is best" in output
    assert re.findall(r'<section id="(\w+)"', page) == [
        "ranking", "pairs", "counts", "types", "annotators", "edits"
    ]  # fmt: skip
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert data["systems"][:2] == ["thorough", "careful"]
    # The first edit of the second system: all three annotators have it.
    assert data["sentences"][0]["o"][1] == [[1, 2, "Commute", "R:SPELL", 3, 3, 0, 1]]


def test_sections_without_data_are_absent(marts: duckdb.DuckDBPyConnection) -> None:
    # A metric of scores by file has no edits, and its references are none.
    page = leaderboard_page(read_leaderboard(marts, "sample", "naturalness"))

    assert re.findall(r'<section id="(\w+)"', page) == ["ranking", "pairs"]
    assert "naturalness" in page


def test_unknown_names_are_refused(sample_warehouse: Path) -> None:
    for words, expected in (
        (["sampl"], "there is no corpus sampl. Did you mean sample?"),
        (["sample", "--metric", "erant"], "there is no metric erant. Did you mean errant"),
        (["sample", "--references", "text"], "reference set with scores by errant text. Did you"),
    ):
        assert expected in refusal(sample_warehouse, "leaderboard", *words)


@pytest.mark.slow
@pytest.mark.extended
@WITH_CHROMIUM
def test_page_sorts_and_leads_to_sentences(sample_warehouse: Path, tmp_path: Path) -> None:
    maege(sample_warehouse, "leaderboard", "sample", "--out", tmp_path)
    with browser(tmp_path / "profile") as tab:
        for width in (1280, 390):
            for dark in (False, True):
                tab.open(tmp_path / "index.html", width, dark=dark)
                assert tab.faults() == {}
                assert broken_rules(tab) == [] if SCRIPT.exists() else True
        # The fourth column of the ranking is the score: ascending after the second click.
        names = tab.value(
            "const button = document.querySelectorAll('#ranking .sort')[3]; button.click(); "
            "button.click(); [...button.closest('table').tBodies[0].rows].map("
            "(row) => row.cells[0].textContent)"
        )
        assert names == ["INPUT", "broken", "overeager", "spellfix", "careful", "thorough"]
        # Only the sentences in which one of the two systems or an annotator has such an edit.
        shown = tab.value(
            "document.querySelector('#types a[data-type=\"R:SPELL\"]').click(); "
            "document.getElementById('found').textContent"
        )
        assert shown.endswith(" of 84 sentences")
        assert shown != "84 of 84 sentences"
        assert tab.complaints == []
        assert [address for address in tab.requests if not address.startswith("file:")] == []
