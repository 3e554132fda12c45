"""`maege report`: one page, one picture or one table, written to a folder."""

from collections.abc import Callable
from contextlib import nullcontext
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.commands.outcome import failures, refuse
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse
from maege.names import UnknownError
from maege.report.older import PAGE
from maege.report.vega import drawing
from maege.whole_files import written_whole

if TYPE_CHECKING:
    from maege.report.build import Report

# Name of dbt's documentation that `make docs` writes to the folder of the page.
DOCS = "docs.html"
NEEDED = ("vl_convert",)


class Format(StrEnum):
    """File formats of pictures and tables."""

    svg = "svg"
    pdf = "pdf"
    png = "png"
    latex = "latex"
    csv = "csv"


Progress = Callable[[str], None]
PICTURES = (Format.svg, Format.pdf, Format.png)
TABLES = (Format.latex, Format.csv)


def report(
    *,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="CORPUS",
            help="Corpus to report on. Default: all, the corpus with most verdicts first.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC",
            help="Metric to describe first and in detail. May be repeated.",
        ),
    ] = None,
    figure: Annotated[
        str | None, typer.Option(metavar="NAME", help="Write this picture only.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="Write this table only.")
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="Pictures: svg, pdf or png. Tables: latex or csv."),
    ] = None,
    across: Annotated[
        bool,
        typer.Option(
            "--across", help="Compare corpora: one page for all, and one for each language."
        ),
    ] = False,
    variants: Annotated[
        bool, typer.Option("--variants", help="Show variants of metrics from the start.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder to write to. Default: `report` next to the marts."
        ),
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
    _refuse_what_does_not_go_together(figure, table, form)
    if across and (corpus or metric):
        raise typer.BadParameter("--across covers all corpora and metrics")
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        from maege.commands.outcome import install_extra

        refuse(
            f"maege report draws with {', '.join(missing)}, which cannot be imported. Run: "
            f"{install_extra('report')}; or run make build. maege card does without."
        )
    from rich.text import Text

    from maege.terminal import Terminal

    warehouse = find_warehouse()
    folder = out or warehouse.folder / "report"
    terminal = Terminal(stderr=True)
    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            with terminal.status("reading") as status:
                written = _write(
                    folder,
                    lambda progress: _reports(
                        warehouse, corpus, tuple(metric or ()), progress, across, variants=variants
                    ),
                    (figure, table, form),
                    lambda line: status.update(Text(line)),
                )
        except UnknownError as error:
            raise typer.BadParameter(str(error)) from None
        except WarehouseError as error:
            refuse(str(error))
    for path in written:
        typer.echo(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")


def _refuse_what_does_not_go_together(
    figure: str | None, table: str | None, form: Format | None
) -> None:
    if figure and table:
        raise typer.BadParameter("choose one of --figure and --table")
    if figure and form in TABLES:
        raise typer.BadParameter(f"found {form}; expected svg, pdf or png for a picture")
    if table and form in PICTURES:
        raise typer.BadParameter(f"found {form}; expected latex or csv for a table")
    if form and not (figure or table):
        raise typer.BadParameter("--format needs --figure or --table")


def _reports(
    warehouse: Warehouse,
    corpus: str | None,
    metrics: tuple[str, ...],
    progress: Progress,
    across: bool,
    *,
    variants: bool,
) -> dict[str, "Report"]:
    from maege.report.build import read_across, read_report

    if not across:
        return {PAGE: read_report(warehouse, corpus, metrics, progress, with_variants=variants)}
    return {
        f"across-{language}.html" if language else "across.html": report
        for language, report in read_across(warehouse, progress).items()
    }


def _write(
    folder: Path,
    reports: Callable[[Progress], dict[str, "Report"]],
    part: tuple[str | None, str | None, Format | None],
    progress: Progress,
) -> list[Path]:
    figure, table, form = part
    # Started first, so that it loads during the imports and queries.
    with nullcontext() if figure or table else drawing() as process:
        from maege.report.build import render
        from maege.report.files import picture_file, table_file

        pages = reports(progress)
        first = next(iter(pages.values()))
        docs = DOCS if (folder / DOCS).is_file() else ""
        contents: dict[str, bytes] = {}
        if process is not None:
            for name, report in pages.items():
                contents[name] = render(report, progress, process, docs).encode()
        elif figure:
            form = form or Format.svg
            contents[f"{figure}.{form}"] = picture_file(first, figure, form.value)
        elif table:
            form = form or Format.latex
            suffix = "tex" if form is Format.latex else "csv"
            contents[f"{table}.{suffix}"] = table_file(first, table, form.value).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        with written_whole(folder / name) as copy:
            copy.write_bytes(content)
    return [folder / name for name in contents]
