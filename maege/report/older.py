"""A page that is older than the marts says so: `maege publish` writes it where it waits for it."""

import os
from pathlib import Path

PAGE = "index.html"
# Stands in the head of every page.
PLACE = "<!-- older -->"
SAID = (
    '<p class="older"><strong>This page is older than the published marts.</strong> '
    "To write it anew: <code>maege report</code></p>"
)


def mark_older(page: Path) -> bool:
    """Have a page that is there say that it is older than the marts; return whether there is one.

    Its date stays, by which `make` knows that it is to be written anew.
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
