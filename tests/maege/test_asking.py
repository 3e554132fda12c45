"""Rows of the published marts on the screen and in files of other programs."""

import json
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import duckdb
import pytest
from small_corpus import maege
from small_marts import publish

QUERY = (
    "select metric, place from sentence_correlations where corpus = 'two' order by place, metric"
)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with marts made by hand."""
    return publish(tmp_path_factory.mktemp("asking") / "warehouse")


def test_answer_is_a_table_on_the_screen(warehouse: Path) -> None:
    result = maege(warehouse, "sql", QUERY)
    assert result.exit_code == 0, result.stderr
    assert [line.split() for line in result.stdout.splitlines()[:2]] == [
        ["metric", "place"],
        ["fluency", "1"],
    ]


def test_answer_as_csv_and_json_has_every_row(warehouse: Path) -> None:
    as_csv = maege(warehouse, "sql", QUERY, "--format", "csv").stdout
    assert as_csv == "metric,place\nfluency,1\ngleu,2\nm2,3\nchance_constant,\nconstant,\n"
    as_json = json.loads(maege(warehouse, "sql", QUERY, "--format", "json").stdout)
    assert as_json[-1] == {"metric": "constant", "place": None}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("drop table corpora", "read-only"),
        ("from nowhere", "does not exist"),
        ("selec 1", "syntax error"),
        ("select missing from corpora", "missing"),
    ],
)
def test_what_cannot_be_asked_is_refused(warehouse: Path, query: str, said: str) -> None:
    result = maege(warehouse, "sql", query)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_mart_as_parquet_is_the_mart(warehouse: Path, tmp_path: Path) -> None:
    path = tmp_path / "deltas.parquet"
    result = maege(
        warehouse, "export", "table", "type_deltas", "--format", "parquet", "--out", str(path)
    )
    assert result.stdout == f"{path}: 45 rows\n"
    with duckdb.connect(warehouse / "marts.duckdb", read_only=True) as marts:
        different = f"(from '{path}' except from type_deltas)"
        assert marts.execute(f"select count(*) from {different}").fetchall() == [(0,)]


def test_a_spreadsheet_has_names_numbers_and_text(warehouse: Path, tmp_path: Path) -> None:
    path = tmp_path / "answer.xlsx"
    query = "select '<a> & b' as text, 1.5::double as number, true as truth, null as nothing"
    maege(warehouse, "sql", query, "--format", "xlsx", "--out", str(path))
    with ZipFile(path) as archive:
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))  # noqa: S314
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))  # noqa: S314
    cells = sheet.findall(".//{*}row[2]/{*}c")
    assert [("".join(cell.itertext()), cell.get("t")) for cell in cells] == [
        ("<a> & b", "inlineStr"),
        ("1.5", None),
        ("1", "b"),
    ]


def test_the_same_rows_are_the_same_spreadsheet(warehouse: Path, tmp_path: Path) -> None:
    paths = tmp_path / "one.xlsx", tmp_path / "other.xlsx"
    for path in paths:
        maege(warehouse, "sql", QUERY, "--format", "xlsx", "--out", str(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_more_rows_than_a_sheet_holds_are_refused(warehouse: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.xlsx"
    arguments = ("--format", "xlsx", "--out", str(path))
    result = maege(warehouse, "sql", "select 1 as one from range(1_048_576)", *arguments)
    assert result.exit_code == 2
    assert "1,048,576" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "table", "type_delta"), "Did you mean type_deltas"),
        (("sql", "from corpora", "--format", "parquet"), "--out FILE"),
        (("sql", "from corpora", "--out", "x"), "--format"),
    ],
)
def test_what_does_not_go_together_is_refused(
    warehouse: Path, arguments: tuple[str, ...], said: str
) -> None:
    result = maege(warehouse, *arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_without_published_marts_it_says_what_to_run(tmp_path: Path) -> None:
    for arguments in (("sql", "select 1"), ("export", "table", "corpora")):
        result = maege(tmp_path, *arguments)
        assert result.exit_code == 2
        assert "maege publish" in result.stderr
