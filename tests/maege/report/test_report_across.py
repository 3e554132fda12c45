"""The report across corpora and languages, on small marts made by hand."""

from pathlib import Path

import pytest
from small_corpus import maege
from small_marts import handmade

from maege.ingest.warehouse import Warehouse
from maege.report.build import Report, read_across
from maege.report.exhibits import Section

warehouse = handmade


@pytest.fixture(scope="module")
def reports(warehouse: Path) -> dict[str, Report]:
    """The pages by language."""
    return read_across(Warehouse(warehouse), lambda _: None)


def words(section: Section) -> str:
    return " ".join(line for words in section.words for line in words.lines)


def test_there_is_a_page_of_all_corpora_and_one_a_language(reports: dict[str, Report]) -> None:
    assert list(reports) == ["", "cs", "en"]
    assert reports["cs"].scope.corpora == ("two",)


def test_agreement_of_corpora_excludes_the_baseline(
    reports: dict[str, Report],
) -> None:
    """Both order gleu before m2 by each measure: W and rho are 1."""
    text = words(reports[""].sections[0])
    assert "By standardised tau, 2 corpora order 2 metrics with a Kendall's W of 1.00" in text
    shown = reports[""].exhibits["across-metrics"].rows
    assert {row["metric"] for row in shown} == {"gleu", "m2", "ld"}
    (gleu_row,) = (
        row
        for row in shown
        if (row["metric"], row["compared"], row["measure"])
        == ("gleu", "one", "valid over corrupted")
    )
    # .65 of pairs is .3 of the way from chance to 1.
    assert gleu_row["shade"] == pytest.approx(0.3)


def test_results_of_a_language_state_their_limits(reports: dict[str, Report]) -> None:
    (section,) = reports["cs"].sections
    text = words(section)
    assert "the best by tau are gleu 0.60 [0.50, 0.70], m2 0.40 [0.30, 0.50]" in text
    assert "(ld) prefers a valid edit to a corrupted one in 0.28" in text
    assert "with fewer than 200 sentences, the order of metrics is uncertain" in text
    assert {row["compared"] for row in section.exhibits[0].rows} == {"two"}


@pytest.mark.slow
def test_command_writes_the_pages_or_one_table(warehouse: Path, tmp_path: Path) -> None:
    written = maege(warehouse, "report", "--across", "--out", str(tmp_path))
    assert written.exit_code == 0, written.output
    names = ["across-cs.html", "across-en.html", "across.html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    page = (tmp_path / "across.html").read_text()
    assert 'data-name="across-shares"' in page
    assert "<option" not in page.split("<nav", 1)[0]
    table = ("--table", "across-metrics", "--format", "csv", "--out", str(tmp_path))
    assert maege(warehouse, "report", "--across", *table).exit_code == 0
    assert (tmp_path / "across-metrics.csv").read_text().startswith("metric,compared")
