"""The command `maege`. Exit codes: 0 done, 1 something failed, 2 bad input or usage.

A command imports what it alone needs: all of it takes .4 of a second, and `make build` calls four.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.comparison.command import compare
from maege.exports.commands import export
from maege.ingest.findings import UnknownNameError
from maege.ingest.formats.annotation_file import BadEdits
from maege.ingest.warehouse import Warehouse, find_warehouse, refuse_second_writer
from maege.languagetool.commands import languagetool
from maege.metric_commands import add_commands
from maege.outcome import FAILED, failures, print_json
from maege.project import init
from maege.report.command import report
from maege.sql.command import sql
from maege.train_commands import train

if TYPE_CHECKING:
    from maege.ingest.load import Loaded
    from maege.publish import Published

ENGINES = ("duckdb", "dbt-core", "dbt-duckdb")

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help="Fill, publish and inspect the MAEGE warehouse.\n\n"
    "The warehouse is the folder that MAEGE_WAREHOUSE names, else ./warehouse.",
)
app.add_typer(export, name="export")
app.add_typer(languagetool, name="languagetool")
app.add_typer(train, name="train")
add_commands(app)
app.command()(report)
app.command()(init)
app.command()(sql)
app.command()(compare)
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


def _show_version(is_asked: bool) -> None:
    if is_asked:
        engines = ", ".join(f"{name} {version(name)}" for name in ENGINES)
        typer.echo(f"maege {version('maege-warehouse')} ({engines})")
        raise typer.Exit


@app.callback()
def maege(
    *,
    show_version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Print the version, and those of what it builds with.",
        ),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


@app.command()
def ingest(
    corpus_folder: Annotated[
        Path, typer.Argument(metavar="CORPUS_FOLDER", help="A folder with a manifest.yml.")
    ],
    data_root: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where the manifest's paths start; by default CORPUS_FOLDER."
        ),
    ] = None,
    bad_edits: Annotated[
        BadEdits,
        typer.Option(
            help="What becomes of annotators' edits whose span is none of their sentence: an "
            "error; left out; gold that nothing can match, where they end beyond it. Those left "
            "out or kept are rows of the mart edits_out_of_range."
        ),
    ] = "refuse",
    as_json: AsJson = False,
) -> None:
    """Load a corpus: all of its files are validated, then loaded together or not at all.

    Files that have not changed since the last time are left alone. Findings are listed with file
    and line, and then nothing is loaded (exit code 2).

    \b
    Examples:
      maege ingest corpora/sample
      maege ingest corpora/conll14 --data-root ../shared/data
      maege ingest corpora/mine --bad-edits skip
      maege ingest corpora/mine --json
    """  # noqa: D301 - click reads the \b
    from rich.console import Console
    from rich.text import Text

    from maege.ingest.corpus import read_corpus
    from maege.ingest.load import load_corpus

    warehouse = find_warehouse()
    progress = Console(stderr=True, highlight=False)
    with failures(as_json, "The tables are as before."):
        refuse_second_writer(warehouse)
        if progress.is_terminal:
            with progress.status("reading") as status:
                corpus = read_corpus(
                    warehouse,
                    corpus_folder,
                    data_root,
                    lambda path: status.update(Text(f"reading {path}")),
                    bad_edits,
                )
                loaded = load_corpus(warehouse, corpus, lambda line: status.update(Text(line)))
        else:
            corpus = read_corpus(warehouse, corpus_folder, data_root, bad_edits=bad_edits)
            loaded = load_corpus(warehouse, corpus, lambda line: typer.echo(line, err=True))
    if as_json:
        print_json({**loaded.__dict__, "warehouse": str(warehouse.folder), "findings": []})
    else:
        _show_loaded(loaded, warehouse)


@app.command()
def remove(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="A corpus that was ingested.")],
    judgment_set: Annotated[
        str | None,
        typer.Option("--judgments", metavar="SET", help="Only this set of its human rankings."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Remove a corpus, or one set of human rankings, from the warehouse.

    The next dbt build makes the marts without it. Scores and parses of its texts stay in the cache:
    ingested again, it is scored in no time.

    \b
    Examples:
      maege remove sample
      maege remove conll14 --judgments gjg15
    """  # noqa: D301 - click reads the \b
    from maege.ingest.remove import remove_corpus, remove_judgments

    with failures(as_json, "The tables are as before."):
        try:
            if judgment_set is None:
                removed = remove_corpus(find_warehouse(), corpus)
            else:
                removed = remove_judgments(find_warehouse(), corpus, judgment_set)
        except UnknownNameError as error:
            raise typer.BadParameter(str(error)) from None
    if as_json:
        print_json(removed.__dict__)
        return
    typer.echo(f"{corpus}: {f'{judgment_set} is' if judgment_set else 'all is'} removed.")
    _show_rows(removed.rows)
    typer.echo("Next: dbt build && maege publish")


@app.command()
def build(as_json: AsJson = False) -> None:
    """Build what changed since the last publication, and publish it.

    Where nothing changed in the corpora, the code, the variables and the installed packages, the
    command ends at once. Else dbt builds, in the folder of its project, without unit tests; if
    every node passed, the marts are published (else exit code 1).

    \b
    Examples:
      maege ingest corpora/sample && maege build
      maege build --json
    """  # noqa: D301 - click reads the \b
    from maege.building import build as build_marts

    with failures(as_json, "The published marts are as before."):
        published = build_marts(find_warehouse())
    if published is not None:
        _show_publication(published, as_json)
    elif as_json:
        print_json({"status": "unchanged", "path": str(find_warehouse().marts)})
    else:
        typer.echo(
            f"Nothing has changed since {find_warehouse().marts} was published. "
            "`dbt build` asks every table."
        )


@app.command()
def publish(
    parquet: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the published marts there as Parquet, too."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Copy the marts of the last build to marts.duckdb, the file for readers.

    Nothing is published unless every node of the last build passed and no mart is older than what
    it is made of (else exit code 1). The file is replaced in one step: readers see the old marts or
    the new ones. A report that is there says from then on that it is older.

    \b
    Examples:
      dbt build && maege publish
      maege publish --parquet /srv/marts
      maege publish --json
    """  # noqa: D301 - click reads the \b
    from maege.parquet import write_parquet
    from maege.publish import publish as publish_marts

    with failures(as_json, "The published marts are as before."):
        published = publish_marts(find_warehouse())
        if parquet is not None:
            write_parquet(find_warehouse(), parquet)
    _show_publication(published, as_json, parquet)


@app.command()
def tour() -> None:
    """Ask the published marts three first questions, and show the queries.

    \b
    Examples:
      maege tour
    """  # noqa: D301 - click reads the \b
    from rich.console import Console

    from maege.tour import show_tour

    with failures(as_json=False, reassurance="Nothing was changed."):
        show_tour(find_warehouse(), Console(highlight=False, markup=False))


@app.command()
def card(
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="A metric of the marts.")],
    corpus: Annotated[
        str | None,
        typer.Option(metavar="CORPUS", help="By default the largest that has its scores."),
    ] = None,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown, for a paper's appendix.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print what the published marts say of a metric, on one page.

    Can it be trusted, where does it fail, how sure is that, and which metrics is it better than?
    The same in SQL: marts metric_cards and discordant_pairs.

    \b
    Examples:
      maege card gleu
      maege card gleu --corpus conll14 --markdown > gleu.md
      maege card mymetric --json
    """  # noqa: D301 - click reads the \b
    from rich.console import Console

    from maege.cards.facts import read_card
    from maege.cards.output import WIDTH, markdown
    from maege.cards.output import show as show_card
    from maege.cards.page import page
    from maege.unknown import UnknownError

    if as_json and as_markdown:
        raise typer.BadParameter("choose one of --json and --markdown")
    with failures(as_json, "Nothing was changed."):
        try:
            found = read_card(find_warehouse(), metric, corpus)
        except UnknownError as error:
            raise typer.BadParameter(str(error)) from None
    if as_json:
        print_json(found.as_record())
    elif as_markdown:
        typer.echo(markdown(page(found)), nl=False)
    else:
        console = Console(highlight=False, markup=False)
        console.width = min(console.width, WIDTH)
        show_card(page(found), console)


@app.command()
def doctor(
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Also compare all rows with what they were when written."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what is installed, what is missing, and what state the warehouse is in.

    Also the cluster that MAEGE_SCHEDULER names. Exit code 1 when something required
    is missing or broken, or when rows were changed by hand (--deep).

    \b
    Examples:
      maege doctor
      maege doctor --deep
      maege doctor --json
    """  # noqa: D301 - click reads the \b
    from rich.console import Console

    from maege.doctor import diagnose, show

    with failures(as_json, "Nothing was changed."):
        diagnosis = diagnose(find_warehouse(), deep=deep)
    if as_json:
        print_json(diagnosis.as_record())
    else:
        show(diagnosis, Console(highlight=False, markup=False))
    if not diagnosis.healthy:
        raise typer.Exit(FAILED)


def main() -> None:
    """Run the command line; letters that the terminal does not have are written as numbers."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="maege")


def _show_loaded(loaded: "Loaded", warehouse: Warehouse) -> None:
    of = f"{loaded.sentences} sentences"
    if loaded.manifest != loaded.corpus:
        of = f"rankings of {loaded.corpus}"
    about = f"{loaded.manifest}: {of}, {loaded.files} files"
    if loaded.status == "unchanged":
        typer.echo(f"{about}; all as ingested before, nothing to do.")
        _show_readings(loaded.readings)
        return
    typer.echo(
        f"{about}; {len(loaded.loaded)} loaded into {warehouse.build}, "
        f"{len(loaded.removed)} removed."
    )
    _show_rows(loaded.rows)
    for treatment, edits in loaded.out_of_range.items():
        typer.echo(f"  {edits:,} edits with a span that is none of their sentence: {treatment}")
    for kind, number in loaded.left_out.items():
        typer.echo(f"  {number:,} left out: {kind.replace('_', ' ')}")
    _show_readings(loaded.readings)
    typer.echo("Next: dbt build")


def _show_readings(readings: Sequence[str]) -> None:
    for line in readings:
        typer.echo(f"  {line}")


def _show_rows(of_tables: Mapping[str, int]) -> None:
    for table, rows in of_tables.items():
        if rows:
            typer.echo(f"  {table:<21}{rows:>9,} rows")


def _show_publication(published: "Published", as_json: bool, parquet: Path | None = None) -> None:
    if as_json:
        written = {"parquet": str(parquet)} if parquet else {}
        print_json(
            {
                "status": "published",
                "path": str(published.path),
                "bytes": published.size,
                "marts": published.marts,
                **written,
            }
        )
        return
    _show_published(published)
    if parquet is not None:
        typer.echo(f"As Parquet, with a manifest, in {parquet}.")


def _show_published(published: "Published") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("mart")
    table.add_column("rows", justify="right")
    for mart, rows in published.marts.items():
        table.add_row(mart, "a view" if rows is None else f"{rows:,}")
    Console(highlight=False, markup=False).print(table)
    typer.echo(f"\nPublished to {published.path} ({published.size / 1e6:.1f} MB).")
    if published.older_page is not None:
        typer.echo(f"Older than that, and says so: {published.older_page}. Next: maege report")
