"""The report's section on metrics and human judgments, on small marts made by hand."""

from pathlib import Path

import pytest
from small_marts import handmade

from maege.ingest.warehouse import Warehouse
from maege.report.build import read_report
from maege.report.exhibits import Section

warehouse = handmade


@pytest.fixture(scope="module")
def section(warehouse: Path) -> Section:
    """The section of all corpora and metrics."""
    sections = read_report(Warehouse(warehouse), None, (), lambda _: None).sections
    return next(section for section in sections if section.name == "people")


def test_a_rank_is_a_range_where_intervals_overlap(section: Section) -> None:
    (exhibit,) = section.exhibits
    ranks = {
        (row["question"], row["metric"]): (row["rank_low"], row["rank_high"])
        for row in exhibit.rows
        if row["judgment_set"] == "judges"
    }
    assert ranks == {
        # [.6, .8] and [.3, .5] are apart, [.6, .9] and [.5, .8] are not; chance has no rank.
        ("outputs", "gleu"): (1, 1),
        ("outputs", "m2"): (2, 2),
        ("outputs", "chance_length"): (None, None),
        ("systems", "gleu"): (1, 2),
        ("systems", "m2"): (1, 2),
        ("systems", "chance_length"): (None, None),
    }


def test_sets_have_tables_and_few_judgments_are_grey(section: Section) -> None:
    page = section.html
    assert '<th scope="row">gleu</th><td>0.70 (1)</td><td>0.80 (1–2)</td>' in page
    assert '<th scope="row">ceiling</th><td>0.80</td><td>0.90</td>' in page

    assert '<td class="few" title="too few sentences">0.90</td>' in section.html
    (row,) = (row for row in section.exhibits[0].rows if row["judgment_set"] == "edits")
    assert row["n"] == 5


def test_lessons_follow_from_the_numbers(section: Section) -> None:
    small, pooled, turned = section.words[0].lines[1:]
    assert small == (
        "rated, learners: outputs with fewer changes are preferred for meaning (0.80 of pairs), "
        "outputs with more changes for fluency (0.60). Do not combine aspects."
    )
    assert pooled == (
        "rated, learners, meaning: gleu orders the outputs of one item best (0.70 of pairs) and is "
        "3 of 3 over all outputs (r 0.10). The pooled number "
        "reflects differences between sentences, not between their outputs."
    )
    assert turned == (
        "rated, meaning: gleu is the best of learners and 2 of 2 of articles. The order of "
        "metrics is specific to the texts."
    )
