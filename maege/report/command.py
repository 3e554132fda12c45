"""`maege report`: one page, one picture or one table, written to a folder."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.commands.outcome import failures, install_extra, option, refuse
from maege.ingest.warehouse import WarehouseError, find_warehouse
from maege.report.older import PAGE
from maege.whole_files import written_whole

if TYPE_CHECKING:
    from maege.report.build import Report

# Name of dbt's documentation that `make docs` writes to the folder of the page.
DOCS = "docs.html"
DRAWS = "vl_convert"
Format = Literal["svg", "pdf", "png", "latex", "csv"]
TABLES = ("latex", "csv")


def report(
    *,
    corpus: Annotated[
        str | None,
        option("Corpus to report on. Default: all, the corpus with most verdicts first.", "CORPUS"),
    ] = None,
    metric: Annotated[
        list[str] | None,
        option("Metric to describe first and in detail. May be repeated.", "METRIC"),
    ] = None,
    figure: Annotated[str | None, option("Write this picture only.", "NAME")] = None,
    table: Annotated[str | None, option("Write this table only.", "NAME")] = None,
    form: Annotated[
        Format | None,
        option("Pictures: svg, pdf or png. Tables: latex or csv.", None, "--format"),
    ] = None,
    across: Annotated[
        bool,
        option("Compare corpora: one page for all, and one for each language.", None, "--across"),
    ] = False,
    variants: Annotated[
        bool, option("Show variants of metrics from the start.", None, "--variants")
    ] = False,
    out: Annotated[
        Path | None, option("Folder to write to. Default: `report` next to the marts.", "FOLDER")
    ] = None,
) -> None:
    """Write the results in the published marts as one HTML page.

    Without published marts, it is written from the results that the package contains, and says so.
    The page has charts, the tables behind them and their SQL, and loads nothing from the network.
    It is index.html, or across.html with --across. The same marts give the same bytes. Pictures and
    tables have the names in the page's addresses, such as error-types.

    \b
    Examples:
      maege report
      maege report --corpus conll14 --metric gleu --out gleu
      maege report --figure error-types --format pdf
      maege report --table sentence-level --format latex
      maege report --across
      maege report --across --table across-metrics --format csv
    """  # noqa: D301 - click reads the \b
    if figure and table:
        raise typer.BadParameter("choose one of --figure and --table")
    if figure and form in TABLES:
        raise typer.BadParameter(f"found {form}; expected svg, pdf or png for a picture")
    if table and form and form not in TABLES:
        raise typer.BadParameter(f"found {form}; expected latex or csv for a table")
    if form and not (figure or table):
        raise typer.BadParameter("--format needs --figure or --table")
    if across and (corpus or metric):
        raise typer.BadParameter("--across covers all corpora and metrics")
    if find_spec(DRAWS) is None:
        refuse(
            f"maege report draws with {DRAWS}, which cannot be imported. Run: "
            f"{install_extra('report')}; or run make build. maege card does without."
        )
    from rich.text import Text

    from maege.terminal import Terminal

    warehouse = find_warehouse()
    folder = out or warehouse.folder / "report"

    def read(progress: Callable[[str], None]) -> "dict[str, Report]":
        from maege.report.build import read_across, read_report

        if across:
            reports = read_across(warehouse, progress)
            return {f"across-{tag}.html" if tag else "across.html": reports[tag] for tag in reports}
        names = tuple(metric or ())
        return {PAGE: read_report(warehouse, corpus, names, progress, with_variants=variants)}

    with (
        failures(as_json=False, reassurance="Nothing was written."),
        Terminal(stderr=True).status("reading") as status,
    ):
        try:
            contents = _contents(
                folder, read, figure, table, form, lambda line: status.update(Text(line))
            )
        except WarehouseError as error:
            refuse(str(error))
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            with written_whole(folder / name) as copy:
                copy.write_bytes(content)
    for name in contents:
        typer.echo(f"{folder / name} ({(folder / name).stat().st_size / 1e6:.1f} MB)")


def _contents(
    folder: Path,
    read: "Callable[[Callable[[str], None]], dict[str, Report]]",
    figure: str | None,
    table: str | None,
    form: Format | None,
    progress: Callable[[str], None],
) -> dict[str, bytes]:
    if figure or table:
        from maege.report.build import picture_file, table_file

        report = next(iter(read(progress).values()))
        if figure:
            kind = form or "svg"
            return {f"{figure}.{kind}": picture_file(report, figure, kind)}
        suffix = "csv" if form == "csv" else "tex"
        return {f"{table}.{suffix}": table_file(report, table or "", form or "latex").encode()}
    from maege.report.vega import drawing

    # Started first, so that it loads during the imports and queries.
    with drawing() as process:
        from maege.report.build import render

        docs = DOCS if (folder / DOCS).is_file() else ""
        return {
            name: render(report, progress, process, docs).encode()
            for name, report in read(progress).items()
        }
