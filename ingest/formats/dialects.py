"""What a file is that is not what was asked for, so that one finding names it and the way out."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from maege.ingest.findings import Findings, quote
from maege.ingest.reading import parse_json

SENTENCE = re.compile(r"[\ufeff \t]*S(?:[ \t]|$)")
DETAILED = re.compile(r"[ \t]*A\s+-?[0-9]+ +-?[0-9]+ *\|\|\|")
ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
LARGE_FILES = "version https://git-lfs.github.com/spec/"
CONLL_COLUMNS = 2
# Enough to know the shape of a file by.
LINES_LOOKED_AT = 2_000


class Dialect(NamedTuple):
    """A kind of file, and what makes a readable one of it."""

    name: str
    way_out: str


def dialect_of(lines: Sequence[str]) -> Dialect | None:
    """Return what the lines are, if that is neither sentences nor a table of them."""
    written = [line for line in lines[:LINES_LOOKED_AT] if line.strip()]
    if not written:
        return None
    first = written[0].lstrip("\ufeff \t")
    if first.startswith(LARGE_FILES):
        return Dialect("a pointer of Git LFS, not the file", "Fetch the file: git lfs pull.")
    if first.startswith("<") and (markup := _markup(written)) is not None:
        return markup
    if first[0] in "[{":
        return _json(lines, first)
    if is_m2(written):
        return Dialect("M2", "Name it under annotations; its S lines are the sentences.")
    if _is_conll(lines, written):
        return Dialect(
            "columns with a token a line (CoNLL)",
            "Write a sentence a line, its tokens separated by blanks, or M2 of its errors.",
        )
    return None


def is_m2(lines: Sequence[str]) -> bool:
    """Whether there are sentences and edits as in M2."""
    has_sentence = any(SENTENCE.match(line) for line in lines)
    return has_sentence and any(DETAILED.match(line) for line in lines)


def may_be_m2(lines: Sequence[str]) -> bool:
    """Whether any line is one of M2."""
    return any(SENTENCE.match(line) or DETAILED.match(line) for line in lines)


def refuse_dialect(
    dialect: Dialect | None, shown: str, expected: str, findings: Findings, way_out: str = ""
) -> bool:
    """Return whether there is a dialect, with one finding that names it.

    `way_out` is what to do where that depends on what was expected.
    """
    if dialect is None:
        return False
    findings.add(shown, 0, dialect.name, expected, way_out or dialect.way_out)
    return True


def _markup(written: Sequence[str]) -> Dialect | None:
    start = "\n".join(written[:50]).lstrip("\ufeff \t")
    if re.match(r"<!doctype html|<html", start, re.IGNORECASE):
        return Dialect("an HTML page", "Fetch the file itself, not the page that shows it.")
    root = ROOT.search(start)
    # A sentence may begin with a tag.
    if root is None or not (start.startswith(("<?xml", "<!")) or _is_element(written, root[1])):
        return None
    return Dialect(
        f"XML with the root <{root[1]}>",
        "Read are the I-measure's gold (<scripts>) under annotations and Appraise's rankings "
        "(<appraise-results>) under judgments; write other XML as M2 or a sentence a line.",
    )


def _is_element(written: Sequence[str], name: str) -> bool:
    """Whether what begins with the tag is one element to the end, as far as it was looked at."""
    last = written[-1].rstrip()
    return last.endswith((f"</{name}>", "/>")) or len(written) == LINES_LOOKED_AT


def _json(lines: Sequence[str], first: str) -> Dialect | None:
    if is_json_object(first):
        return Dialect(
            "JSON with an object a line",
            "Name it as source, text or output; annotations are M2, or extracted from its texts.",
        )
    if _is_list_of_texts(first):
        return Dialect(
            "JSON with a list a line",
            "Write an object a line: jq -c '{source: .[0], targets: .[1:]}' OLD > NEW.jsonl",
        )
    try:
        content = parse_json("\n".join(lines))
    except ValueError:
        return None
    if isinstance(content, list):
        return Dialect("one JSON list", "Write an object a line: jq -c '.[]' OLD.json > NEW.jsonl")
    return Dialect(
        "one JSON object over several lines",
        "Write an object a line: jq -c '.[]' OLD.json > NEW.jsonl",
    )


def is_json_object(line: str) -> bool:
    """Whether the line is a whole JSON object."""
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(parse_json(line), dict)
    except ValueError:
        return False


def _is_list_of_texts(line: str) -> bool:
    """Whether the line is a list of two or more texts."""
    if not line.startswith("["):
        return False
    try:
        content = parse_json(line)
    except ValueError:
        return False
    return (
        isinstance(content, list)
        and len(content) > 1
        and all(isinstance(text, str) for text in content)
    )


def _is_conll(lines: Sequence[str], written: Sequence[str]) -> bool:
    rows = [line.split("\t") for line in written if not line.startswith("# ")]
    if len(rows) < CONLL_COLUMNS or len(rows[0]) < CONLL_COLUMNS:
        return False
    is_table = all(len(row) == len(rows[0]) for row in rows)
    has_words = all(" " not in cell.strip() for row in rows for cell in row)
    return is_table and has_words and any(not line.strip() for line in lines[:LINES_LOOKED_AT])


def shown_start(lines: Sequence[str]) -> str:
    """Return the first line that holds something, as a finding shows it."""
    return quote(next((line for line in lines if line.strip()), ""))
