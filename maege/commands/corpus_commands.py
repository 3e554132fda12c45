"""`maege ingest` and `maege remove`: add corpora to the warehouse and remove them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.commands.outcome import failures, print_json
from maege.ingest.findings import UnknownNameError
from maege.ingest.formats.annotation_file import BadEdits
from maege.ingest.warehouse import Warehouse, find_warehouse, refuse_second_writer

if TYPE_CHECKING:
    from maege.ingest.load import Loaded

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def ingest(
    corpus_folder: Annotated[
        Path, typer.Argument(metavar="CORPUS_FOLDER", help="A folder with a manifest.yml.")
    ],
    data_root: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder that the manifest's paths start from. Default: CORPUS_FOLDER.",
        ),
    ] = None,
    bad_edits: Annotated[
        BadEdits,
        typer.Option(
            help="Treatment of annotators' edits whose span is not in their sentence. refuse: an "
            "error. skip: exclude them. keep: count edits that end beyond the sentence as gold "
            "that no system can match. The mart ingest_findings lists them."
        ),
    ] = "refuse",
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Load texts that look wrong; ingest_findings records what was found."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Load a corpus: all its files are checked, then loaded together or not at all.

    Only new and changed files are loaded. If a file has faults, they are listed with file and line,
    and nothing is loaded (exit code 2).

    \b
    Examples:
      maege ingest corpora/sample
      maege ingest corpora/conll14 --data-root ../shared/data
      maege ingest corpora/mine --bad-edits skip
      maege ingest corpora/mine --json
    """  # noqa: D301 - click reads the \b
    from rich.text import Text

    from maege.ingest.load import ingest_folder
    from maege.terminal import Terminal

    warehouse = find_warehouse()
    progress = Terminal(stderr=True)
    with failures(as_json, "The tables are as before."):
        refuse_second_writer(warehouse)
        if progress.is_terminal:
            with progress.status("reading") as status:
                loaded = ingest_folder(
                    warehouse,
                    corpus_folder,
                    data_root,
                    bad_edits,
                    lambda path: status.update(Text(f"reading {path}")),
                    lambda line: status.update(Text(line)),
                    force=force,
                )
        else:
            loaded = ingest_folder(
                warehouse,
                corpus_folder,
                data_root,
                bad_edits,
                lambda _: None,
                lambda line: typer.echo(line, err=True),
                force=force,
            )
    if as_json:
        print_json({**loaded.__dict__, "warehouse": str(warehouse.folder), "findings": []})
    else:
        _show_loaded(loaded, warehouse)


def remove(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Name of an ingested corpus.")],
    judgment_set: Annotated[
        str | None,
        typer.Option("--judgments", metavar="SET", help="Remove only this set of human rankings."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Remove a corpus, or one set of human rankings, from the warehouse.

    The next maege build creates the marts without it. Scores and parses of its texts stay in the
    cache, so that they are not computed again if the corpus is ingested again.

    \b
    Examples:
      maege remove sample
      maege remove conll14 --judgments gjg15
    """  # noqa: D301 - click reads the \b
    from maege.ingest.raw_tables import remove_corpus, remove_judgments

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
    typer.echo("Next: maege build")


def _show_loaded(loaded: "Loaded", warehouse: Warehouse) -> None:
    of = f"{loaded.sentences} {loaded.unit}"
    if loaded.manifest != loaded.corpus:
        of = f"rankings of {loaded.corpus}"
    about = f"{loaded.manifest}: {of}, {loaded.files} files"
    if loaded.status == "unchanged":
        typer.echo(f"{about}; unchanged since it was ingested.")
        _show_readings(loaded.readings)
        return
    typer.echo(
        f"{about}; {len(loaded.loaded)} loaded into {warehouse.build}, "
        f"{len(loaded.removed)} removed."
    )
    _show_rows(loaded.rows)
    for treatment, edits in loaded.out_of_range.items():
        typer.echo(f"  {edits:,} edits with a span outside their sentence: {treatment}")
    for kind, number in loaded.left_out.items():
        typer.echo(f"  {number:,} excluded: {kind.replace('_', ' ')}")
    _show_readings(loaded.readings)
    typer.echo("Next: maege build")


def _show_readings(readings: Sequence[str]) -> None:
    for line in readings:
        typer.echo(f"  {line}")


def _show_rows(of_tables: Mapping[str, int]) -> None:
    for table, rows in of_tables.items():
        if rows:
            typer.echo(f"  {table:<21}{rows:>9,} rows")
