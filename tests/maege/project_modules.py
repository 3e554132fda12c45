"""The modules of the project, in all folders of the checkout."""

from pathlib import Path

# Build outputs in the checkout do not belong to the project.
WRITTEN = {"build", "logs", "target", "warehouse"}


def project_modules(repository: Path) -> list[Path]:
    """Return the paths of all modules; links to folders are not followed."""
    top = [p for p in repository.iterdir() if not p.name.startswith(".") and p.name not in WRITTEN]
    inside = (module for path in top if path.is_dir() for module in path.rglob("*.py"))
    return sorted([*inside, *(path for path in top if path.suffix == ".py")])
