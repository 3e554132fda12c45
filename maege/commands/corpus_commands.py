"""`maege new`, `maege ingest` and `maege remove`: create a project, add corpora, remove them."""

import shutil
from collections.abc import Mapping
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.commands.outcome import AsJson, argument, failures, option, print_json, refuse
from maege.ingest.formats.annotation_file import BadEdits
from maege.ingest.warehouse import Warehouse, find_warehouse, refuse_second_writer

if TYPE_CHECKING:
    from maege.ingest.load import Loaded

CARRIED = Path(__file__).parents[1] / "project"
SAMPLE = "corpora/sample"
TEMPLATE = "corpora/template"
# Files of this folder that a new project gets in addition, with their target paths.
ADDED = {"README.md": "README.md", "manifest.yml": f"{TEMPLATE}/manifest.yml"}


def new(
    folder: Annotated[Path, argument("Created if it does not exist.", "FOLDER")],
    sample: Annotated[
        bool, option("Load the sample corpus into the warehouse.", None, "--sample")
    ] = False,
) -> None:
    """Create a warehouse project in a folder, with a README and a template for a corpus.

    The warehouse is empty, unless --sample loads the invented sample corpus. No file is overwritten
    (exit code 2), and nothing is downloaded: the package contains the project.

    \b
    Examples:
      maege new gec
      maege new gec --sample && cd gec && maege build
    """  # noqa: D301 - click reads the \b
    if any(above.exists() and not above.is_dir() for above in (folder, *folder.parents)):
        refuse(f"{folder}: expected a folder, found a file; choose another name")
    if sample:
        with failures(as_json=False, reassurance="Nothing was created."):
            from maege.ingest.load import ingest_folder
    names = carried()
    if existing := [name for name in names if (folder / name).exists()]:
        refuse(
            f"{folder}: expected a folder without {', '.join(names)}, found {', '.join(existing)}; "
            "choose another folder"
        )
    root = source()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"{folder}: the folder cannot be created ({error.strerror}); choose another place")
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (root / name).is_dir():
            shutil.copytree(root / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(root / name, target)
    for name, place in ADDED.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        # Keep the README of a folder that is already in use.
        if not target.exists():
            shutil.copyfile(Path(__file__).parents[1] / "building" / "new" / name, target)
    if sample:
        ingest_folder(Warehouse(folder / "warehouse"), folder / SAMPLE)
        typer.echo(
            f"The project is in {folder}, with the sample loaded. Next, in that folder: maege build"
        )
    else:
        typer.echo(
            f"The project is in {folder}; its README.md says how to use it. Next, in that folder:\n"
            f"  copy {TEMPLATE} to corpora/mine, add your files and edit manifest.yml, then\n"
            "  maege ingest corpora/mine && maege build\n"
            f"To see the sample first: maege ingest {SAMPLE} && maege build"
        )
    typer.echo(
        "No command downloads anything but maege languagetool install. What is installed: maege "
        "doctor"
    )


def source() -> Path:
    """Return the folder to copy the project from: that of the package, or the checkout."""
    return CARRIED if CARRIED.is_dir() else Path(__file__).resolve().parents[2]


def carried() -> list[str]:
    """Return the paths of the project's files and folders in a checkout."""
    return resources.files("maege").joinpath("project.txt").read_text("utf-8").split()


def ingest(
    corpus_folder: Annotated[Path, argument("A folder with a manifest.yml.", "CORPUS_FOLDER")],
    data_root: Annotated[
        Path | None,
        option("Folder that the manifest's paths start from. Default: CORPUS_FOLDER.", "DIR"),
    ] = None,
    bad_edits: Annotated[
        BadEdits,
        option(
            "Treatment of annotators' edits whose span is not in their sentence. refuse: an "
            "error. skip: exclude them. keep: count edits that end beyond the sentence as gold "
            "that no system can match. The mart ingest_findings lists them."
        ),
    ] = "refuse",
    force: Annotated[
        bool,
        option(
            "Load texts that look wrong; ingest_findings records what was found.", None, "--force"
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

    from maege.terminal import Terminal

    warehouse = find_warehouse()
    progress = Terminal(stderr=True)
    with failures(as_json, "The tables are as before."):
        from maege.ingest.load import ingest_folder

        refuse_second_writer(warehouse)
        load = partial(ingest_folder, warehouse, corpus_folder, data_root, bad_edits, force=force)
        if progress.is_terminal:
            with progress.status("reading") as status:
                loaded = load(
                    lambda path: status.update(Text(f"reading {path}")),
                    lambda line: status.update(Text(line)),
                )
        else:
            loaded = load(lambda _: None, lambda line: typer.echo(line, err=True))
    if as_json:
        print_json({**loaded.__dict__, "warehouse": str(warehouse.folder), "findings": []})
    else:
        _show_loaded(loaded, warehouse)


def remove(
    corpus: Annotated[str, argument("Name of an ingested corpus.", "CORPUS")],
    judgment_set: Annotated[
        str | None, option("Remove only this set of human rankings.", "SET", "--judgments")
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
        if judgment_set is None:
            removed = remove_corpus(find_warehouse(), corpus)
        else:
            removed = remove_judgments(find_warehouse(), corpus, judgment_set)
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
    is_unchanged = loaded.status == "unchanged"
    if is_unchanged:
        typer.echo(f"{about}; unchanged since it was ingested.")
    else:
        n_loaded, n_removed = len(loaded.loaded), len(loaded.removed)
        typer.echo(f"{about}; {n_loaded} loaded into {warehouse.build}, {n_removed} removed.")
        _show_rows(loaded.rows)
        for treatment, edits in loaded.out_of_range.items():
            typer.echo(f"  {edits:,} edits with a span outside their sentence: {treatment}")
        for kind, number in loaded.left_out.items():
            typer.echo(f"  {number:,} excluded: {kind.replace('_', ' ')}")
    for line in loaded.readings:
        typer.echo(f"  {line}")
    if not is_unchanged:
        typer.echo("Next: maege build")


def _show_rows(rows_by_table: Mapping[str, int]) -> None:
    for table, rows in rows_by_table.items():
        if rows:
            typer.echo(f"  {table:<21}{rows:>9,} rows")
