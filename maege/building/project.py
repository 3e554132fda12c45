"""The dbt project, laid out where somebody wants to work: as the package or a checkout has it."""

import shutil
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from maege.commands.outcome import refuse

CARRIED = Path(__file__).parents[1] / "project"
CHECKOUT = Path(__file__).resolve().parents[2]
SAMPLE = "corpora/sample"
WAREHOUSE = "warehouse"


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Is made where it is missing.")],
) -> None:
    """Lay out a warehouse project in a folder, with the sample corpus loaded.

    `maege build`, there, builds it. Nothing is overwritten (exit code 2), and nothing is fetched:
    the package carries the project.

    \b
    Examples:
      maege new gec && cd gec && maege build
    """  # noqa: D301 - click reads the \b
    from maege.ingest.corpora.corpus import read_corpus
    from maege.ingest.raw_tables.load import load_corpus
    from maege.ingest.warehouse import Warehouse

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
        refuse(f"{folder}: the folder cannot be made ({error.strerror}); choose another place")
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (root / name).is_dir():
            shutil.copytree(root / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(root / name, target)
    warehouse = Warehouse(folder / WAREHOUSE)
    load_corpus(warehouse, read_corpus(warehouse, folder / SAMPLE))
    typer.echo(
        f"The project is in {folder}, with the sample loaded. Next, there: maege build\n"
        "Nothing will be fetched: ERRANT's pipeline and LanguageTool are used where they are "
        "installed (maege doctor)."
    )


def source() -> Path:
    """Return the folder that the project is copied from: the package's, or the checkout."""
    return CARRIED if CARRIED.is_dir() else CHECKOUT


def carried() -> list[str]:
    """Return the files and folders that are a project, as they are called in a checkout."""
    return resources.files("maege").joinpath("project.txt").read_text("utf-8").split()
