"""The dbt project that an installed package carries, laid out where somebody wants to work."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from maege.outcome import refuse

CARRIED = Path(__file__).with_name("project")


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Is made where it is missing.")
    ] = Path(),
) -> None:
    """Lay out the dbt project and the sample corpus in a folder, to build there.

    For an installed package: whoever has a checkout works in that. Nothing is
    overwritten (exit code 2).

    \b
    Examples:
      maege init gec && cd gec
      maege ingest corpora/sample && maege build
    """  # noqa: D301 - click reads the \b
    if not CARRIED.is_dir():
        checkout = Path(__file__).resolve().parents[1]
        refuse(
            f"maege runs from the checkout {checkout}, which is the project: work there; or install"
            " the package: pip wheel --no-deps . && pip install maege_warehouse-*.whl"
        )
    names = sorted(path.name for path in CARRIED.iterdir())
    if taken := [name for name in names if (folder / name).exists()]:
        refuse(
            f"{folder}: expected a folder without {', '.join(names)}, found {', '.join(taken)}; "
            "choose another folder"
        )
    shutil.copytree(CARRIED, folder, dirs_exist_ok=True)
    typer.echo(f"The project is in {folder}. Next, there: maege ingest corpora/sample")
