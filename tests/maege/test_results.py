"""The published results that the package contains, and how they are written and compared."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import yaml
from small_marts import handmade
from typer.testing import CliRunner

import maege
from maege.cards.facts import Card
from maege.cards.page import page
from maege.cards.parts import Table
from maege.cards.published import Published, read_published
from maege.cli import app
from maege.ingest.warehouse import Warehouse, WarehouseError, open_marts
from maege.report.build import read_report
from maege.shipped import write
from maege.shipped.read import COLUMNS, FOLDER, PROVENANCE, as_warehouse, read_provenance, results
from maege.shipped.write import (
    EXCLUDED,
    LARGEST_FILE,
    LARGEST_FOLDER,
    MARTS,
    differences,
    write_results,
)

warehouse = handmade


REPOSITORY = Path(__file__).resolve().parents[2]
# A text with fewer words may also be a name, such as `source` or `all systems`.
FEWEST_WORDS = 3


@pytest.fixture
def written(warehouse: Path, tmp_path: Path) -> Path:
    write_results(Warehouse(warehouse), tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture
def committed() -> Path:
    if not (FOLDER / PROVENANCE).is_file():
        pytest.skip("needs the Parquet files in results/, which this checkout lacks")
    return FOLDER


def texts(folder: Path) -> Iterator[tuple[str, str, str]]:
    for file in sorted(folder.glob("*.parquet")):
        relation = duckdb.connect().read_parquet(str(file))
        for column, kind in zip(relation.columns, relation.types, strict=True):
            if kind == "VARCHAR":
                for (text,) in relation.select(f'"{column}"').distinct().fetchall():
                    if text is not None:
                        yield file.stem, column, text


def test_every_mart_is_exported_or_excluded() -> None:
    names = {"publication"}
    for path in (REPOSITORY / "models" / "marts").rglob("*.yml"):
        if path.parent.name != "stored":
            names |= {model["name"] for model in yaml.safe_load(path.read_text())["models"]}
    # A mart with `replication: true` only.
    assert names | {"weight_surface"} == {*MARTS, *EXCLUDED}
    assert MARTS.keys() & EXCLUDED.keys() == set()


def test_written_results_have_the_marts_numbers(warehouse: Path, written: Path) -> None:
    query = "select metric, experiment, kendall_tau_a from sentence_correlations order by all"
    with results(written) as published, open_marts(Warehouse(warehouse)) as marts:
        rows = published.execute(query).fetchall()
        assert len(rows) > 4
        assert rows == pytest.approx(marts.execute(query).fetchall())
        kind = "select typeof(kendall_tau_a) from marts.sentence_correlations limit 1"
        assert published.execute(kind).fetchone() == ("DOUBLE",)


def test_excluded_columns_have_a_reason(written: Path) -> None:
    with results(written) as connection:
        query = f"select excluded from {COLUMNS} where mart = 'corpora' and column_name = $1"
        ((reason,),) = connection.execute(query, ["ingested_at"]).fetchall()
        assert reason == MARTS["corpora"].reason
        assert "ingested_at" not in connection.table("corpora").columns
        with pytest.raises(duckdb.CatalogException):
            connection.execute("from node_scores")
    with as_warehouse(written) as copy, open_marts(copy) as marts:
        assert marts.execute("select count(*) from best_metrics").fetchone() != (0,)


def test_other_numbers_and_rows_are_differences(written: Path, tmp_path: Path) -> None:
    other = tmp_path / "again"
    shutil.copytree(written, other)
    assert differences(written, other) == []
    file = other / "type_deltas.parquet"
    connection = duckdb.connect()
    connection.execute(f"create table t as from '{written / file.name}'")
    ((count,),) = connection.execute("select count(mean_delta) from t").fetchall()
    # Less than the tolerance, then more.
    for change, lines in ((1e-7, 0), (0.001, 1)):
        connection.execute(f"update t set mean_delta = mean_delta + {change}")
        connection.execute(f"copy t to '{file}' (format parquet)")
        messages = differences(written, other)
        assert len(messages) == lines
    assert messages[0].startswith(f"type_deltas: {count} rows with other numbers, such as {{")
    connection.execute("delete from t where metric = 'm2'")
    connection.execute(f"copy t to '{file}' (format parquet)")
    assert "rows only in the committed" in differences(written, other)[0]
    file.unlink()
    assert differences(written, other) == [f"type_deltas: {file} missing"]


def test_too_large_results_are_rejected(
    warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "LARGEST_FILE", 1000)
    with pytest.raises(WarehouseError, match=r"largest files: .*mart_columns.parquet \("):
        write_results(Warehouse(warehouse), tmp_path / "large")


def test_card_lists_published_metrics_next_to_its_own() -> None:
    def task(metric: str, estimate: float, in_best_set: bool) -> dict[str, object]:
        return {
            "level": "sentence", "corpus": "c", "judgment_set": None, "metric": metric,
            "estimate": estimate, "ci_low": None, "ci_high": None, "verdict": "better than chance",
            "best_share": None, "in_best_set": in_best_set, "n": 9, "too_few": None,
        }  # fmt: skip

    tasks = [task("gleu", 0.5, True), task("m2", 0.25, False), task("errant", 0.4, True)]
    difference = "The signatures of bleu differ."
    published = Published("2026-01-01", tasks, [difference])
    own = Card("mine", "c", [], [], tasks=[task("mine", 0.45, True)], published=published)
    (table,) = [part for part in page(own) if "published results" in part.title]
    assert isinstance(table, Table)
    row = ("corrections of one sentence: tau", "0.45", "2 of 3", "0.50", "gleu and 1 tied")
    assert table.rows == [row]
    assert table.note.endswith(difference)


def test_committed_files_are_small_and_name_no_machine(committed: Path) -> None:
    sizes = [file.stat().st_size for file in committed.iterdir()]
    assert max(sizes) <= LARGEST_FILE == 1_000_000
    assert sum(sizes) <= LARGEST_FOLDER == 6_000_000

    folders = re.compile(r"(?<![\w.:/])/(home|root|tmp|usr|work|Users|opt|var)/")
    assert [value for value in texts(committed) if folders.search(value[2])] == []
    assert not folders.search((committed / PROVENANCE).read_text())


@pytest.mark.slow
def test_no_column_contains_a_text_of_a_corpus(committed: Path, shared: Path) -> None:
    """A line of a file, one of its fields, or the source of an M2 file is no value of a column."""
    values = {
        " ".join(text.split()).lower()
        for _, _, text in texts(committed)
        if len(text.split()) >= FEWEST_WORDS
    }
    n_lines, copied = 0, set()
    for file in (shared / "data").rglob("*"):
        if not file.is_file() or file.suffix in (".gz", ".md"):
            continue
        for line in file.read_text("utf-8", "replace").splitlines():
            n_lines += 1
            for field in (*line.split("\t"), line.removeprefix("S ")):
                if " ".join(field.split()).lower() in values:
                    copied.add(field)
    assert n_lines > 100_000
    assert copied == set()


def test_provenance_is_complete(committed: Path) -> None:
    about = read_provenance()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", about["date"])
    assert {"maege", "duckdb", "errant"} <= about["code"].keys()
    assert re.fullmatch("[0-9a-f]{40}", about["code"]["commit"])
    assert {"seed", "bootstrap_samples", "metrics"} <= about["variables"].keys()
    with results() as connection:
        corpora = {name for (name,) in connection.execute("select corpus from corpora").fetchall()}
        # Judgment sets have files, too.
        assert corpora < about["data_files"].keys()
        for name, rows in about["rows"].items():
            assert connection.table(name).count("*").fetchone() == (rows,)
    digests = [digest for files in about["data_files"].values() for digest in files.values()]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
    assert {file.stem for file in committed.glob("*.parquet")} == {*about["rows"], COLUMNS}
    assert "sample" not in corpora


def test_command_shows_an_overview_and_runs_queries(committed: Path) -> None:  # noqa: ARG001
    shown = CliRunner().invoke(app, ["results"])
    assert shown.exit_code == 0
    assert shown.output.startswith("This package has results for ")
    command = ["results", "select count(*) as n from corpora", "--format", "json"]
    ((row),) = json.loads(CliRunner().invoke(app, command).output)
    # Marts are found by their name and in their schema.
    with maege.results() as connection:
        for mart in ("corpora", "marts.corpora"):
            assert connection.execute(f"select count(*) from {mart}").fetchall() == [(row["n"],)]
    refused = CliRunner().invoke(app, ["results", "from read_csv('/etc/hosts')"])
    assert refused.exit_code == 2


def test_readers_fall_back_to_the_results(
    committed: Path,  # noqa: ARG001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / "none"))
    page = CliRunner().invoke(app, ["card", "errant"]).output
    assert "These are the published results" in " ".join(page.split("\n\n")[0].split())
    answer = json.loads(CliRunner().invoke(app, ["card", "errant", "--json"]).output)
    assert answer["notice"].startswith(f"{tmp_path / 'none' / 'marts.duckdb'} does not exist.")
    unknown = CliRunner().invoke(app, ["card", "erant"])
    assert unknown.exit_code == 2
    assert answer["notice"] in " ".join(unknown.output.replace("│", " ").split())
    with pytest.warns(UserWarning, match="published results"):
        assert len(maege.card("errant")) > 10
    report = read_report(Warehouse(tmp_path / "none"), "conll14", (), lambda _: None)
    assert report.notice == answer["notice"]
    assert CliRunner().invoke(app, ["sql", "from corpora"]).exit_code != 0


def test_published_results_need_equal_data_and_signatures(committed: Path) -> None:  # noqa: ARG001
    task = {"corpus": "conll14", "metric": "mine"}
    with results() as published, duckdb.connect() as marts:
        for name in ("corpus_files", "metrics", "publication"):
            marts.register(name, published.table(name).to_arrow_table())
        equal = read_published(marts, [task], "mine")
        assert equal is not None
        assert equal.differences == []
        assert {row["corpus"] for row in equal.tasks} == {"conll14"}
        assert read_published(marts, [task], "gleu") is None
        assert read_published(marts, [task | {"corpus": "ours"}], "mine") is None

        changed = published.sql("select * replace (signature || '|v:9' as signature) from metrics")
        marts.register("metrics", changed.filter("metric = 'gleu'").to_arrow_table())
        other = read_published(marts, [task], "mine")
        assert other is not None
        assert other.differences == ["The signatures of gleu differ."]
        assert "gleu" not in {row["metric"] for row in other.tasks}

        path = "conll14/noalt/official-2014.combined.m2"
        files = published.sql(f"select * replace (if(path = '{path}', '0', sha256) as sha256) "
                          "from corpus_files")  # fmt: skip
        marts.register("corpus_files", files.to_arrow_table())
        other = read_published(marts, [task], "mine")
        assert other is not None
        assert path in other.differences[0]
        assert other.tasks == []
