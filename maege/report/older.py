"""Mark a page as older than the marts: `maege publish` inserts a note at a marker in the page."""

import os
from pathlib import Path

PAGE = "index.html"
# The marker that every page contains.
PLACE = "<!-- older -->"
SAID = (
    '<p class="older"><strong>This page is older than the published marts.</strong> '
    "To update it: <code>maege report</code></p>"
)


def mark_older(page: Path) -> bool:
    """Insert the note into an existing page; return whether the page exists.

    The page keeps its modification time, so that `make` still writes it again.
    """
    if not page.is_file():
        return False
    text = page.read_text(encoding="utf-8")
    if PLACE in text:
        dates = page.stat()
        copy = page.with_name(f"{page.name}.{os.getpid()}.writing")
        copy.write_text(text.replace(PLACE, SAID, 1), encoding="utf-8", newline="\n")
        os.utime(copy, ns=(dates.st_atime_ns, dates.st_mtime_ns))
        copy.replace(page)
    return True
