"""Check that files of a manifest are inside its data root.

If no file is at its path, one finding replaces the findings of all files.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from maege.ingest.findings import Findings
from maege.ingest.reading import TextFile, read_text

# Number of parent folders that are searched for one from which all paths exist.
_LEVELS_UP = 3


def read_inside(root: Path, path: str, findings: Findings, remedy: str) -> TextFile | None:
    """Return the lines of a file as `read_text` does; None and a finding if it is not in `root`.

    The finding names the link that leads out of `root`, so it is the same for all files behind a
    link.
    """
    real_root = os.path.realpath(root)
    place = root
    for part in PurePosixPath(path).parts:
        place /= part
        if not Path(os.path.realpath(place)).is_relative_to(real_root):
            findings.add(
                str(place),
                0,
                "a link out of the data root",
                f"a file or folder inside {root}",
                "Replace the link with a copy of the file or folder, or name a folder that holds "
                "both with --data-root.",
            )
            return None
    return read_text(root / path, findings, remedy)


def find_no_file(
    paths: Sequence[str], folder: Path, data_root: Path | None, shown: str, findings: Findings
) -> bool:
    """Return whether none of the paths exists, with a finding that says where they would exist.

    `folder` is the manifest's folder, `shown` the manifest's name in findings. If folders cannot be
    read, every file gets its own finding.
    """
    try:
        return _find_no_file(paths, data_root or folder, shown, findings)
    except OSError:
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
    yield from list(root.absolute().parents)[:_LEVELS_UP]
    if root.is_dir():
        yield from sorted(path for path in root.iterdir() if path.is_dir())
