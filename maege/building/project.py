"""`maege new`: copy the dbt project from the package or a checkout to a new folder."""

import shutil
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from maege.commands.outcome import refuse

CARRIED = Path(__file__).parents[1] / "project"
CHECKOUT = Path(__file__).resolve().parents[2]
SAMPLE = "corpora/sample"
TEMPLATE = "corpora/template"
WAREHOUSE = "warehouse"
# Files of this folder that a new project gets in addition, with their target paths.
ADDED = {"README.md": "README.md", "manifest.yml": f"{TEMPLATE}/manifest.yml"}


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Created if it does not exist.")],
    sample: Annotated[
        bool, typer.Option("--sample", help="Load the sample corpus into the warehouse.")
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
    names = carried()
    if taken := [name for name in names if (folder / name).exists()]:
        refuse(
            f"{folder}: expected a folder without {', '.join(names)}, found {', '.join(taken)}; "
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
            shutil.copyfile(Path(__file__).with_name("new") / name, target)
    if sample:
        _load_sample(folder)
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


def _load_sample(folder: Path) -> None:
    from maege.ingest.corpus import read_corpus
    from maege.ingest.load import load_corpus
    from maege.ingest.warehouse import Warehouse

    warehouse = Warehouse(folder / WAREHOUSE)
    load_corpus(warehouse, read_corpus(warehouse, folder / SAMPLE))


def source() -> Path:
    """Return the folder to copy the project from: that of the package, or the checkout."""
    return CARRIED if CARRIED.is_dir() else CHECKOUT


def carried() -> list[str]:
    """Return the paths of the project's files and folders in a checkout."""
    return resources.files("maege").joinpath("project.txt").read_text("utf-8").split()
