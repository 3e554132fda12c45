"""The command `maege`. Exit codes: 0 done, 1 something failed, 2 bad input or usage."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import duckdb
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ingest.corpus import read_corpus
from ingest.doctor import diagnose, show
from ingest.export import UnknownNameError, export_imeasure, write_whole
from ingest.findings import BadInputError
from ingest.formats.imeasure_xml_writer import UnwritableError
from ingest.load import Loaded, load_corpus
from ingest.publish import Published
from ingest.publish import publish as publish_marts
from ingest.tour import show_tour
from ingest.warehouse import Warehouse, WarehouseError, find_warehouse

FAILED = 1
BAD_INPUT = 2
STANDARD_OUTPUT = Path("-")

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help="Fill, publish and inspect the MAEGE warehouse.\n\n"
    "The warehouse is the folder that MAEGE_WAREHOUSE names, else ./warehouse.",
)
export = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Write annotations in the formats of other programs.",
)
app.add_typer(export, name="export")
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


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
    as_json: AsJson = False,
) -> None:
    """Load a corpus: all of its files are validated, then loaded together or not at all.

    Files that have not changed since the last time are left alone. Findings are listed with file
    and line, and then nothing is loaded (exit code 2).

    \b
    Examples:
      maege ingest corpora/sample
      maege ingest corpora/conll14 --data-root ../shared/data
      maege ingest corpora/mine --json
    """  # noqa: D301 - click reads the \b
    warehouse = find_warehouse()
    progress = Console(stderr=True, highlight=False)
    with _failures(as_json, "The tables are as before."):
        if progress.is_terminal:
            with progress.status("reading") as status:
                corpus = read_corpus(
                    corpus_folder, data_root, lambda path: status.update(Text(f"reading {path}"))
                )
                loaded = load_corpus(warehouse, corpus, lambda line: status.update(Text(line)))
        else:
            corpus = read_corpus(corpus_folder, data_root)
            loaded = load_corpus(warehouse, corpus, lambda line: typer.echo(line, err=True))
    if as_json:
        _print_json({**loaded.__dict__, "warehouse": str(warehouse.folder), "findings": []})
    else:
        _show_loaded(loaded, warehouse)


@app.command()
def publish(as_json: AsJson = False) -> None:
    """Copy the marts of the last build to marts.duckdb, the file for readers.

    Nothing is published unless every node of the last build passed (else exit code 1). The file is
    replaced in one step: readers see the old marts or the new ones.

    \b
    Examples:
      dbt build && maege publish
      maege publish --json
    """  # noqa: D301 - click reads the \b
    with _failures(as_json, "The published marts are as before."):
        published = publish_marts(find_warehouse())
    if as_json:
        _print_json(
            {"path": str(published.path), "bytes": published.size, "marts": published.marts}
        )
    else:
        _show_published(published)


@export.command()
def imeasure(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="A corpus that was ingested.")],
    annotation_set: Annotated[
        str, typer.Argument(metavar="ANNOTATION_SET", help="One of its annotation sets.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to write it; - is standard output.")
    ] = STANDARD_OUTPUT,
) -> None:
    """Write an annotation set as the I-measure's XML gold.

    Overlapping corrections of M2 become alternatives of one error, as the I-measure's own
    converter has it; of the alternatives of one edit the first counts. A set that came from XML
    keeps its errors.

    \b
    Examples:
      maege export imeasure sample sample --out sample.ieval.xml
      maege export imeasure conll14 nucle | head
    """  # noqa: D301 - click reads the \b
    with _failures(as_json=False, reassurance="Nothing was written."):
        try:
            text = export_imeasure(find_warehouse(), corpus, annotation_set)
        except UnknownNameError as error:
            raise typer.BadParameter(str(error)) from None
        except UnwritableError as error:
            _fail(f"XML cannot hold {error}. Nothing was written.", as_json=False)
        if out == STANDARD_OUTPUT:
            typer.echo(text.encode(), nl=False)
        else:
            write_whole(text, out)


@app.command()
def tour() -> None:
    """Ask the published marts three first questions, and show the queries.

    \b
    Examples:
      maege tour
    """  # noqa: D301 - click reads the \b
    with _failures(as_json=False, reassurance="Nothing was changed."):
        show_tour(find_warehouse(), Console(highlight=False, markup=False))


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what is installed, what is missing, and what state the warehouse is in.

    Exit code 1 when something required is missing or broken.

    \b
    Examples:
      maege doctor
      maege doctor --json
    """  # noqa: D301 - click reads the \b
    with _failures(as_json, "Nothing was changed."):
        diagnosis = diagnose(find_warehouse())
    if as_json:
        _print_json(diagnosis.as_record())
    else:
        show(diagnosis, Console(highlight=False, markup=False))
    if not diagnosis.healthy:
        raise typer.Exit(FAILED)


def main() -> None:
    """Run the command line."""
    app(prog_name="maege")


@contextmanager
def _failures(as_json: bool, reassurance: str) -> Iterator[None]:
    """Turn what can go wrong into a message and an exit code."""
    try:
        yield
    except BadInputError as error:
        if as_json:
            _print_json({"status": "refused", "findings": error.findings.as_records()})
        else:
            typer.echo(error.findings.as_text(), err=True)
            count = len(error.findings)
            typer.echo(f"\n{count} finding{'s' if count > 1 else ''}. {reassurance}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    except KeyboardInterrupt:
        _fail(f"Interrupted. {reassurance}", as_json)
    except WarehouseError as error:
        _fail(str(error), as_json)
    except (duckdb.Error, OSError) as error:
        _fail(f"{error}\n{reassurance}", as_json)


def _fail(message: str, as_json: bool) -> NoReturn:
    if as_json:
        _print_json({"status": "failed", "message": message})
    else:
        typer.echo(message, err=True)
    raise typer.Exit(FAILED)


def _print_json(answer: dict[str, Any]) -> None:
    typer.echo(json.dumps(answer, indent=2, ensure_ascii=False, default=_plain))


def _plain(value: object) -> str:
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat() if isoformat else value)


def _show_loaded(loaded: Loaded, warehouse: Warehouse) -> None:
    about = f"{loaded.corpus}: {loaded.sentences} sentences, {loaded.files} files"
    if loaded.status == "unchanged":
        typer.echo(f"{about}; all as ingested before, nothing to do.")
        return
    typer.echo(
        f"{about}; {len(loaded.loaded)} loaded into {warehouse.build}, "
        f"{len(loaded.removed)} removed."
    )
    for table, rows in loaded.rows.items():
        if rows:
            typer.echo(f"  {table:<16}{rows:>10,} rows")
    typer.echo("Next: dbt build")


def _show_published(published: Published) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("mart")
    table.add_column("rows", justify="right")
    for mart, rows in published.marts.items():
        table.add_row(mart, f"{rows:,}")
    Console(highlight=False, markup=False).print(table)
    typer.echo(f"\nPublished to {published.path} ({published.size / 1e6:.1f} MB).")
