"""Puts the dbt project into the wheel, for `maege new`; all else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

# The files that dbt reads, the seeds, and the manifests with the sample's data.
PROJECT = Path(__file__).with_name("maege").joinpath("project.txt").read_text().split()


class BuildWithProject(build_py):
    """Builds the packages, and copies the project to maege/project."""

    def run(self) -> None:
        """Copy nothing where the checkout itself is installed: there it is at hand."""
        super().run()
        if self.editable_mode:
            return
        checkout = Path(__file__).resolve().parent
        project = Path(self.build_lib) / "maege" / "project"
        shutil.rmtree(project, ignore_errors=True)
        for name in PROJECT:
            source, target = checkout / name, project / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, target)


# pyproject.toml maps the folders that are not in maege/; `results` has only data.
mapped = [*find_packages(include=["analysis*", "ingest*"]), "results"]
setup(
    cmdclass={"build_py": BuildWithProject},
    packages=sorted({*find_packages(include=["maege*"]), *(f"maege.{name}" for name in mapped)}),
)
