"""Rows of the published marts on the screen and in files for other programs."""

import json
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from rich.cells import cell_len
from small_corpus import maege, refusal
from small_marts import handmade
from typer.testing import CliRunner, Result

from maege.cli import app

warehouse = handmade


def ask(warehouse: Path, *arguments: str, columns: int = 80, stdin: str | None = None) -> Result:
    """Return the output of `maege sql` on a terminal of that width; `stdin` is standard input."""
    environment = {"MAEGE_WAREHOUSE": str(warehouse), "COLUMNS": str(columns)}
    return CliRunner(env=environment).invoke(app, ["sql", *arguments], input=stdin)


def test_answers_are_tables_csv_or_json(warehouse: Path) -> None:
    query = "select metric, rank, round(kendall_p(1, 2, 0), 3) as p from sentence_correlations"
    query += " where corpus = 'two' and metric in ('fluency', 'm2') order by metric"
    shown = ask(warehouse, query).stdout.splitlines()
    assert [line.split()[:2] for line in shown[:2]] == [["metric", "rank"], ["fluency", "1"]]
    as_csv = ask(warehouse, query, "--format", "csv").stdout
    assert as_csv == "metric,rank,p\nfluency,1,0.564\nm2,,0.564\n"
    as_json = json.loads(ask(warehouse, query, "--format", "json").stdout)
    assert as_json[-1] == {"metric": "m2", "rank": None, "p": 0.564}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("drop table corpora", "are read-only"),
        ("from corporas", 'Table with name corporas does not exist! Did you mean "corpora"?'),
        ("from zebra", 'maege sql "show tables" lists the marts'),
        ("selec 1", 'syntax error at or near "selec" LINE 1: selec 1'),
        ("select titel from corpora", 'Candidate bindings: "title"'),
        ("select kendall_q(1, 2, 0)", "Scalar Function with name kendall_q does not exist!"),
        ("select 'x'::integer", "Could not convert string 'x' to INT32"),
        (" ", "the query is empty"),
        ("select 'open", "unterminated quoted string"),
    ],
)
def test_invalid_query_is_rejected_in_one_line(warehouse: Path, query: str, message: str) -> None:
    result = ask(warehouse, query)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("columns", [20, 40, 200])
def test_an_answer_fits_the_terminal_and_loses_no_column(warehouse: Path, columns: int) -> None:
    query = "select *, repeat('日本 ', 40) as wide, null as nothing, true as truth from corpora"
    lines = ask(warehouse, query, columns=columns).stdout.splitlines()
    assert max(map(cell_len, lines)) <= columns
    names = ("n_sentences", "lattices_from", "ingested_at", "wide", "nothing", "truth")
    shown = {line.split()[0] for line in lines} if columns > 20 else set("".join(lines))
    assert shown >= (set(names) if columns > 20 else set("".join(names)))
    assert sum("NULL" in line for line in lines) == 2


def test_records_are_numbered_and_keep_the_ends_of_lines(warehouse: Path) -> None:
    query = "select 'a' || chr(10) || 'b' as text, 1e-5 as small, 1234.5::double as large"
    assert ask(warehouse, query, columns=24).stdout.splitlines() == [
        "-- 1 -------------------",
        "text   a",
        "       b",
        "small  1.00e-05",
        "large  1,234.500",
    ]


def test_rows_beyond_the_first_thousand_are_counted(warehouse: Path) -> None:
    result = ask(warehouse, "from range(1_500)")
    assert len(result.stdout.splitlines()) == 1_001
    assert "the first 1,000 of 1,500 rows." in result.stderr


def test_the_query_comes_from_a_file_or_standard_input(warehouse: Path, tmp_path: Path) -> None:
    file = tmp_path / "query.sql"
    file.write_text("-- Which corpora are there?\nselect corpus from corpora order by all;\n")
    for result in (
        ask(warehouse, "--file", str(file)),
        ask(warehouse, stdin=file.read_text()),
        ask(warehouse, "-", stdin=file.read_text()),
    ):
        assert result.stdout.split() == ["corpus", "one", "two"]


def test_markdown_latex_and_json_escape_special_characters(warehouse: Path) -> None:
    query = "select 'a|b_c' as text, 'nan'::double as number, null as nothing"
    assert ask(warehouse, query, "--format", "markdown").stdout == (
        "| text | number | nothing |\n| --- | ---: | --- |\n| a\\|b_c | nan |  |\n"
    )
    assert r"a|b\_c & nan &  \\" in ask(warehouse, query, "--format", "latex").stdout
    assert json.loads(ask(warehouse, query, "--format", "json").stdout) == [
        {"text": "a|b_c", "number": None, "nothing": None}
    ]


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


def test_spreadsheets_are_the_same_and_have_a_limit(warehouse: Path, tmp_path: Path) -> None:
    paths = tmp_path / "one.xlsx", tmp_path / "other.xlsx"
    for path in paths:
        ask(warehouse, "from corpora", "--format", "xlsx", "--out", str(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()

    line = ("--format", "xlsx", "--out", str(tmp_path / "large.xlsx"))
    result = ask(warehouse, "select 1 as one from range(1_048_576)", *line)
    assert result.exit_code == 2
    assert "1,048,576" in result.stderr
    assert sorted(tmp_path.iterdir()) == [*paths]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("export", "table", "type_delta"), "Did you mean type_deltas"),
        (("export", "table", "type_deltas", "--out", "x.pdf"), "found a name that ends in .pdf"),
        (("sql", "from corpora", "--format", "parquet"), "--out FILE"),
        (("sql", "from corpora", "--out", "x"), "--format"),
        (("sql", "from corpora", "--format", "pdf"), "'pdf' is not one of 'table', 'csv', 'json'"),
    ],
)
def test_incompatible_options_are_rejected(
    warehouse: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refusal(warehouse, *arguments)


def test_columns_of_one_name_are_keys_of_their_own_in_json(warehouse: Path) -> None:
    query = 'select 1 as x, 2 as x, 3 as "x_1", 4 as x'
    (row,) = json.loads(ask(warehouse, query, "--format", "json").stdout)
    assert row == {"x": 1, "x_2": 2, "x_1": 3, "x_3": 4}
    (row,) = json.loads(ask(warehouse, "select 1 as x, 2 as x", "--format", "json").stdout)
    assert row == {"x": 1, "x_1": 2}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<b>x</b>", r"\<b\>x\</b\>"),
        (r"a|b\c", r"a\|b\\c"),
        ("&lt; [x](y) `z`", r"\&lt; \[x\](y) \`z\`"),
        ("*a* _b_ c_d __e__", r"\*a\* \_b\_ c_d \_\_e\_\_"),
        ("a\nb\x1b", r"a<br>b\\u001b"),
    ],
)
def test_markdown_shows_markup_as_text(text: str, written: str, warehouse: Path) -> None:
    lines = ask(warehouse, f"select '{text}' as text", "--format", "markdown").stdout.splitlines()
    assert lines[2] == f"| {written} |"


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("select '[1] x' as a, '[2]' as b", r"{[}1] x & [2] \\"),
        ("select '* x' as a", r"{*} x \\"),
        ("select ' [x]' as a", r" {[}x] \\"),
        ("select -0.5::double as a, -12 as b, 'a-1' as c", r"$-$0.500 & $-$12 & a-1 \\"),
        ("select 'a--b ``c' as a", r"a-{}-b `{}`c \\"),
        ("select 'a' || chr(10) || chr(10) || chr(27) as a", r"a  \textbackslash{}u001b \\"),
        # A name in brackets is no argument of the rule above it.
        ('select 1 as "[n]"', r"{[}n] \\"),
    ],
)
def test_latex_reads_a_row_as_it_is(query: str, line: str, warehouse: Path) -> None:
    assert line in ask(warehouse, query, "--format", "latex").stdout.splitlines()
