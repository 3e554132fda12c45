"""A corpus of three sentences with every kind of file, for tests to damage."""

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import duckdb
from typer.testing import CliRunner, Result

from maege.cli import app

MANIFEST = """\
corpus: small
title: Three sentences
licence: CC0-1.0
origin: written for tests
annotations:
  shared: [edits.m2]
  single: {A1: one.m2}
references:
  texts: {texts: [ref0.txt, ref1.txt], annotations: shared}
  edits: {annotations: single}
systems: {INPUT: INPUT.txt, good: good.txt}
lattice:
  {annotations: shared, references: texts}
scores:
  naturalness: {file: fluency.tsv, higher_is_better: true, references: texts}
judgments:
  judges: judgments.csv
"""

FILES = {
    "manifest.yml": MANIFEST,
    "edits.m2": """\
S This are a cat .
A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0
A 2 3|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||1
A 3 4|||Nn|||cats|||REQUIRED|||-NONE-|||1

S All well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S He go home
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||.|||REQUIRED|||-NONE-|||0
""",
    "one.m2": """\
S This are a cat .
A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0

S All well .

S He go home
""",
    "ref0.txt": "This is a cat .\nAll well .\nHe goes home .\n",
    "ref1.txt": "These are cats .\nAll is well .\nHe went home .\n",
    "INPUT.txt": "This are a cat .\nAll well .\nHe go home\n",
    "good.txt": "This is a cat .\nAll well .\nHe goes home\n",
    "fluency.tsv": "system\tsentence_id\tscore\nINPUT\t0\t0.25\ngood\t0\t0.75\ngood\t2\t-1e-3\n",
    "judgments.csv": """\
judge,item,sentence_id,system,rank
ann,1,0,good,1
ann,1,0,INPUT,2
bob,1,2,good,1
bob,1,2,INPUT,1
""",
}


Tables = dict[str, list[tuple[Any, ...]]]


class Loaded(NamedTuple):
    """A test's own corpus and warehouse, and the ingested rows."""

    corpus: Path
    warehouse: Path
    tables: Tables


def write_corpus(folder: Path, **changes: str | bytes | None) -> Path:
    """Write the corpus and return its folder; a keyword names a file, with `_` for its dot.

    The value None omits the file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    contents: dict[str, str | bytes | None] = {**FILES}
    for name, content in changes.items():
        contents[name.replace("_", ".")] = content
    for name, content in contents.items():
        path = folder / name
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def maege(warehouse: Path, *arguments: str | Path) -> Result:
    """Return the result of the command, run in this process on the warehouse."""
    environment = {"MAEGE_WAREHOUSE": str(warehouse), "COLUMNS": "80"}
    return CliRunner(env=environment).invoke(app, [str(argument) for argument in arguments])


def refusal(warehouse: Path, *arguments: str | Path, code: int = 2) -> str:
    """Return the message of a command that must fail, with single spaces."""
    result = maege(warehouse, *arguments)
    assert result.exit_code == code, result.output
    return " ".join(result.stderr.replace("│", " ").split())


def ingest(warehouse: Path, *arguments: str | Path) -> Result:
    """Return the result of an ingest that must succeed."""
    result = maege(warehouse, "ingest", *arguments)
    assert result.exit_code == 0, result.stderr
    return result


def raw_tables(warehouse: Path) -> Tables:
    """Return every raw table's rows, sorted, except the time of the last change."""
    names = "select table_name from duckdb_tables() where schema_name = 'raw'"
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        return {
            table: sorted(connection.execute(f'from raw."{table}"').fetchall(), key=repr)
            for (table,) in connection.execute(names).fetchall()
            if table != "last_change"
        }


@cache
def ingested(changes: frozenset[tuple[str, str]]) -> tuple["TemporaryDirectory[str]", Tables]:
    """Return a folder with the changed corpus in a warehouse, and the ingested rows."""
    folder = TemporaryDirectory()
    warehouse = Path(folder.name) / "warehouse"
    ingest(warehouse, write_corpus(Path(folder.name) / "corpus", **dict(changes)))
    return folder, raw_tables(warehouse)


def load(tmp_path: Path, **changes: str) -> Loaded:
    """Return a changed copy of the corpus, and a copy of the warehouse with the original."""
    folder, tables = ingested(frozenset(changes.items()))
    warehouse = tmp_path / "warehouse"
    shutil.copytree(Path(folder.name) / "warehouse", warehouse)
    return Loaded(write_corpus(tmp_path / "corpus", **changes), warehouse, tables)


def refused(loaded: Loaded) -> list[dict[str, Any]]:
    """Return the findings of an ingest that must fail and change nothing."""
    result = maege(loaded.warehouse, "ingest", loaded.corpus, "--json")
    assert result.exit_code == 2, result.output
    assert raw_tables(loaded.warehouse) == loaded.tables
    findings: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    assert findings
    return findings


def query(warehouse: Path, sql: str, file: str = "build.duckdb") -> list[tuple[Any, ...]]:
    """Return the rows of a query on a warehouse file."""
    with duckdb.connect(warehouse / file, read_only=True) as connection:
        return connection.execute(sql).fetchall()
