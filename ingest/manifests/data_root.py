"""One finding in place of one for each file, where none of a manifest's files is where it says."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from maege.ingest.findings import Findings

# How far up a folder is looked for that all paths would be right from.
_LEVELS_UP = 3


def find_no_file(
    paths: Sequence[str], folder: Path, data_root: Path | None, shown: str, findings: Findings
) -> bool:
    """Whether none of the paths is there; then with a finding that says where they would be.

    `folder` is the manifest's, `shown` the manifest's name in findings. Where folders may not be
    looked into, every file has its own finding.
    """
    try:
        return _find_no_file(paths, data_root or folder, shown, findings)
    except PermissionError:
        return False


def _find_no_file(paths: Sequence[str], root: Path, shown: str, findings: Findings) -> bool:
    if not paths or any((root / path).exists() for path in paths):
        return False
    first = paths[0]
    if not root.is_dir():
        found = f"paths from {root}, where there is no such folder"
    elif len(paths) == 1:
        found = f"no file {first} in {root}"
    else:
        found = f"none of its {len(paths)} files in {root}, such as {first}"
    expected = "a folder from which its paths lead to files"
    findings.add(shown, 0, found, expected, _remedy(root, paths))
    return True


def _remedy(root: Path, paths: Sequence[str]) -> str:
    first = paths[0]
    for place in _near(root):
        if (place / first).is_file():
            return f"Repeat with --data-root {place}, where {first} is."
    tops = sorted({path.partition("/")[0] for path in paths if "/" in path})
    if len(tops) == 1:
        return (
            f"Say with --data-root which folder holds the folder {tops[0]}, or correct the paths "
            "in the manifest."
        )
    return (
        "Say with --data-root which folder the paths start from, or correct them in the manifest."
    )


def _near(root: Path) -> Iterable[Path]:
    """Yield folders that somebody may have meant: those above, then those within."""
    yield from list(root.absolute().parents)[:_LEVELS_UP]
    if root.is_dir():
        yield from sorted(path for path in root.iterdir() if path.is_dir())
