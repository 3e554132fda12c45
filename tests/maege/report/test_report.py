"""The content of the report on small marts made by hand."""

import csv
import html
import json
import re
from itertools import pairwise
from pathlib import Path

import altair
import duckdb
import jsonschema
import pytest
from small_corpus import maege, refusal
from small_marts import handmade, publish, rendered

from maege.ingest.warehouse import Warehouse
from maege.report.build import Report, read_report
from maege.report.exhibits import Row
from maege.report.sections.verdict import task_results, without_variants

warehouse = handmade


@pytest.fixture(scope="module")
def report(warehouse: Path) -> Report:
    """The report of all corpora and metrics."""
    return read_report(Warehouse(warehouse), None, (), lambda _: None)


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    """The page of that report."""
    return rendered(report)


@pytest.mark.slow
def test_page_asks_for_nothing_and_has_one_outline(page: str) -> None:
    assert not re.search(r"@import|url\(\s*['\"]?https?:", page)
    assert len(page.encode()) < 5_000_000
    elements = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    names = re.findall(r' id="([^"]*)"', elements)
    assert len(names) == len(set(names)) > 20
    assert set(re.findall(r'<a [^>]*href="([^"]*)"', elements)) <= {f"#{name}" for name in names}
    for link in re.findall(r' (?:src|href|srcset|action|data)="([^"]*)"', elements):
        assert re.match(r"#|data:", link), link
    levels = [int(level) for level in re.findall(r"<h([1-6])", elements)]
    assert levels[0] == levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.slow
def test_the_same_marts_give_the_same_bytes(warehouse: Path, page: str) -> None:
    again = read_report(Warehouse(warehouse), None, (), lambda _: None)
    assert rendered(again) == page


@pytest.mark.slow
def test_every_picture_has_a_description_and_the_table_of_its_rows(
    report: Report, page: str
) -> None:
    for name, exhibit in report.exhibits.items():
        (figure,) = re.findall(rf'<figure [^>]*data-name="{name}">.*?</figure>', page, re.DOTALL)
        assert exhibit.title.endswith("?"), name
        if exhibit.chart is not None:
            assert html.escape(exhibit.description) in figure.replace("&#39;", "&#x27;")
            assert 'class="picture still" role="img"' in figure
        assert figure.count("<tr") == len(exhibit.rows) + 1, name
        assert html.escape(exhibit.sql, quote=False) in html.unescape(figure) or (
            exhibit.sql in html.unescape(figure)
        )


def test_charts_are_valid_vega_lite(report: Report) -> None:
    charts = [each.chart for each in report.exhibits.values() if each.chart is not None]
    assert len(charts) > 5
    folder = Path(altair.__file__).parent / "vegalite" / "v6" / "schema"
    schema = json.loads((folder / "vega-lite-schema.json").read_text(encoding="utf-8"))
    for chart in charts:
        jsonschema.validate({"data": {"name": "rows"}} | chart, schema)


@pytest.mark.slow
def test_text_of_corpora_is_text(page: str) -> None:
    assert "The &lt;first&gt;" in page
    assert "a &lt;b&gt; <del>cat</del> <ins>cats</ins>" in page
    assert "<first>" not in page


def test_first_screen_names_sets_and_one_metric_only_where_the_set_has_one(
    report: Report,
) -> None:
    verdict = report.sections[0]
    answers = {answer.task: answer for answer in verdict.answers if answer.corpus == "one"}
    order = answers["Order corrections of one sentence"]
    assert order.verdict == "Too little data: 2 of 3 metrics are statistically tied for best"
    assert [(bar.metric, bar.share, bar.estimate) for bar in order.bars] == [
        ("fluency", 0.7, "0.70 [0.60, 0.80]"),
        ("gleu", 0.3, "0.60 [0.50, 0.70]"),
    ]
    assert order.rest == (
        "About 400 sentences would separate gleu from fluency. Worse than chance: m2."
    )
    rank = answers["Rank corpora of known quality"]
    assert (rank.verdict, [bar.metric for bar in rank.bars]) == ("fluency", ["fluency"])
    assert verdict.words[0].lines[0] == (
        "fluency is the best metric on 1 of 3 tasks and statistically tied for best on the other 2."
    )


def test_first_screen_explains_self_reference_and_sample_size(report: Report) -> None:
    texts = {words.corpus: " ".join(words.lines) for words in report.sections[0].words}
    assert {corpus: text.count("self-referenced") for corpus, text in texts.items()} == {
        "one": 0,
        "two": 1,
    }

    answer = next(
        answer for answer in report.sections[0].answers if answer.task.endswith("as judges do")
    )
    assert (answer.verdict, answer.bars) == ("Too little data", ())
    assert answer.rest == "A verdict needs at least 5 systems."


def test_draws_of_corpora_are_shown_below_their_median(report: Report) -> None:
    exhibit = report.exhibits["corpus-level"]
    (gleu,) = (row for row in exhibit.rows if (row["corpus"], row["metric"]) == ("one", "gleu"))
    assert gleu["draws"] == pytest.approx([0.6, 0.5, 0.4])
    assert gleu["draws"][0] == gleu["rho_of_first_draw"]
    assert "up to 40 draws" in exhibit.note


def test_provenance_has_versions_and_variables(report: Report) -> None:
    words = " ".join(report.sections[-1].words[0].lines)
    assert "Built 2026-01-02 03:04:05 UTC" in words
    assert "with duckdb 1.5.6." in words
    variables = report.exhibits["variables"].rows
    assert [(row["variable"], row["value"]) for row in variables] == [
        ("metrics", '["gleu", "m2"]'),
        ("seed", "1"),
    ]


def test_chosen_metric_is_dwelt_on(warehouse: Path) -> None:
    report = read_report(Warehouse(warehouse), "one", ("m2",), lambda _: None)
    for name in ("error-types-of-a-metric", "systems", "worst-pairs"):
        assert {row["metric"] for row in report.exhibits[name].rows} == {"m2"}
    assert len({row["metric"] for row in report.exhibits["trust"].rows}) == 6
    assert {row["corpus"] for row in report.exhibits["trust"].rows} == {"one"}
    # These marts have no cards.
    assert report.sections[0].name == "card-m2"
    assert "an older version published them" in report.sections[0].html


@pytest.mark.slow
def test_missing_marts_are_listed_in_one_line(tmp_path: Path) -> None:
    publish(tmp_path)
    with duckdb.connect(tmp_path / "marts.duckdb") as marts:
        kept = ("lattices", "metrics", "edit_metric_scores", "lattice_nodes", "human_scores")
        for (name,) in marts.execute("select name from (show tables)").fetchall():
            if name in kept:
                marts.execute(f"delete from {name}")
            elif name not in ("corpora", "publication"):
                marts.execute(f"drop table {name}")
    report = read_report(Warehouse(tmp_path), None, (), lambda _: None)
    empty = {section.name for section in report.sections if section.missing}
    assert {"verdict", "sentence-level", "systems", "human-rankings", "replication"} <= empty
    page = rendered(report)
    assert "#adversarial" not in page
    (line,) = re.findall(r'<p class="absent">(.*?)</p>', page)
    assert "Adversarial outputs (No artificial outputs" in line
    assert page.index('class="absent"') > page.index('<section id="sources"')


def test_own_corpus_has_systems_and_annotators_first(tmp_path: Path) -> None:
    publish(tmp_path)
    with duckdb.connect(tmp_path / "marts.duckdb") as marts:
        marts.execute("drop table corpus_draws; delete from human_scores")
        marts.execute(
            "create or replace table annotators as "
            "select 'one' as corpus, 'main' as annotation_set, 'A' as annotator, "
            "20 as n_asked, 2 as n_silent, 30 as n_corrections"
        )
    report = read_report(Warehouse(tmp_path), "one", (), lambda _: None)
    assert [section.name for section in report.sections[:3]] == ["systems", "annotators", "verdict"]
    assert report.title.endswith(": systems and metrics")
    # 30 corrections in 20 sentences.
    (row,) = report.exhibits["annotators-list"].rows
    assert row["corrections_per_sentence"] == 1.5
    assert next(section for section in report.sections if section.name == "replication").missing
    # Without draws of corpora, the first draw is shown.
    rows = report.exhibits["corpus-level"].rows
    assert rows
    assert all(row["draws"] == [row["rho_of_first_draw"]] for row in rows)


def test_variants_of_metrics_are_behind_a_switch(tmp_path: Path) -> None:
    publish(tmp_path)
    with duckdb.connect(tmp_path / "marts.duckdb") as marts:
        marts.execute(
            "update sentence_correlations set metric = 'gleu_equation' where metric = 'm2'"
        )
        marts.execute(
            "insert into metrics by name select * replace ('gleu_equation' as metric) "
            "from metrics where metric = 'm2'"
        )
    warehouse = Warehouse(tmp_path)
    report = read_report(warehouse, "one", (), lambda _: None)
    exhibit = report.exhibits["sentence-level"]

    def shown(report: Report) -> set[str]:
        return {row["metric"] for row in exhibit.shown(report.defaults)}

    assert "gleu_equation" in {row["metric"] for row in exhibit.rows}
    assert "gleu" in shown(report)
    assert "gleu_equation" not in shown(report)
    assert "gleu_equation" in shown(
        read_report(warehouse, "one", (), lambda _: None, with_variants=True)
    )


@pytest.mark.parametrize(
    ("form", "start"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")]
)
def test_one_picture_is_a_file(warehouse: Path, tmp_path: Path, form: str, start: bytes) -> None:
    arguments = ("--figure", "error-types", "--format", form, "--out", str(tmp_path))
    result = maege(warehouse, "report", *arguments)
    assert result.exit_code == 0, result.stderr
    content = (tmp_path / f"error-types.{form}").read_bytes()
    assert content.startswith(start)
    assert b"currentColor" not in content


def test_table_for_latex_has_booktabs_and_intervals(warehouse: Path, tmp_path: Path) -> None:
    maege(warehouse, "report", "--table", "sentence-level", "--out", str(tmp_path))
    lines = (tmp_path / "sentence-level.tex").read_text().splitlines()
    assert lines[1:3] == [r"\begin{tabular}{lrlrrrrrrrrrrrrl}", r"\toprule"]
    row = (
        r"fluency & 0.70 [0.60, 0.80] & better than chance & 0.10 & 0.60 & 0.85 & 1 & 1 & 3 & "
        r"0.70 [0.60, 0.80] & 60 & 10 & 30 & 0.20 & 0.40 &  \\"
    )
    assert row in lines
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]


def test_tables_have_every_metric_and_a_minus(warehouse: Path, tmp_path: Path) -> None:
    maege(warehouse, "report", "--table", "error-types", "--out", str(tmp_path))
    text = (tmp_path / "error-types.tex").read_text()
    assert r"gleu & Prep & $-$0.040 [$-$0.060, $-$0.020] & 20 \\" in text

    metrics = ("--metric", "m2", "--metric", "gleu")
    table = ("--table", "error-types-of-a-metric", "--format", "csv", "--out", str(tmp_path))
    maege(warehouse, "report", *metrics, *table)
    with (tmp_path / "error-types-of-a-metric.csv").open() as stream:
        rows = [row for row in csv.DictReader(stream) if row["error_type"] == "Prep"]
    assert {row["metric"] for row in rows} == {"m2", "gleu"}
    assert {float(row["mean_delta"]) for row in rows} == {-0.04}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--figure", "error-type"), "Did you mean error-types"),
        (("--table", "nothing"), "no table nothing"),
        (("--corpus", "three"), "no corpus three"),
        (("--metric", "gleuu"), "Did you mean gleu"),
        (("--figure", "trust", "--format", "csv"), "expected svg, pdf or png"),
        (("--table", "trust", "--format", "pdf"), "expected latex or csv"),
        (("--table", "trust", "--figure", "trust"), "one of --figure and --table"),
        (("--format", "pdf"), "--figure or --table"),
        (("--across", "--corpus", "one"), "--across covers all corpora and metrics"),
    ],
)
def test_invalid_options_are_rejected(
    warehouse: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refusal(warehouse, "report", *arguments, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ("maege.shipped.read.FOLDER", "maege build"),
        ("maege.report.command.find_spec", "pip install 'maege[report]'"),
    ],
)
def test_missing_marts_and_extras_name_the_command(
    replaced: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replaced, tmp_path if replaced.endswith("FOLDER") else lambda _: None)
    assert message in refusal(tmp_path, "report")


def test_variants_are_listed_only_if_better() -> None:
    def row(metric: str, variant: str, level: str, best: bool) -> Row:
        numbers = {"estimate": 0.5, "ci_low": 0.4, "ci_high": 0.6, "best_share": 0.5, "n": 99}
        texts = {"metric": metric, "variant": variant, "level": level, "judgment_set": None}
        rest = {"in_best_set": best, "too_few": None, "n_needed": None, "verdict": "better"}
        return numbers | texts | rest | {"corpus": "one"}

    rows = [
        row("sari", "standard", "sentence", best=True),
        row("max_sari", "variant", "sentence", best=True),
        row("cleme_length", "variant", "sentence", best=False),
        row("sari", "standard", "edit", best=False),
        row("max_sari", "variant", "edit", best=True),
    ]
    # MAX-SARI is the better one only at edits; the other variant is in no set.
    best = [result.best for result in task_results(without_variants(rows))]
    assert best == [["sari"], ["max_sari"]]
    assert [result.best for result in task_results(rows)] == [["sari", "max_sari"], ["max_sari"]]
