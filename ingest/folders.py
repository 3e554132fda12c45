"""Load the folders that a user names: corpora, or human judgments."""

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from maege.ingest.corpora.corpus import read_corpus
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.formats.annotation_file import BadEdits
from maege.ingest.judged.judgments import JudgmentSet, read_judgments
from maege.ingest.judged.manifest import JudgmentsManifest
from maege.ingest.manifests.manifest import FILE_NAME, read_manifest
from maege.ingest.raw_tables.load import Loaded, load_corpus
from maege.ingest.raw_tables.readings import readings
from maege.ingest.raw_tables.tables import ingest_again, make_tables, record_change
from maege.ingest.warehouse import Warehouse, open_build, transaction

# --- Load a validated set of judgments in one transaction ---


def load_judgments(
    warehouse: Warehouse, judged: JudgmentSet, on_start: Callable[[str], None] = lambda _: None
) -> Loaded:
    """Replace all rows of the set unless they are already stored; return what was loaded.

    `on_start` is called once, when rows are being loaded. Raises BadInputError if a corpus has the
    name, and WarehouseError if the database cannot be opened. If the process ends before the
    commit, the tables are unchanged.
    """
    name = judged.manifest.name
    rows_of = hashlib.sha256(repr(sorted(judged.rows.items())).encode()).hexdigest()
    left_out = dict(sorted(Counter(judged.left_out).items()))
    n_items = len(judged.rows["judged_items"])
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        if dropped := make_tables(connection):
            on_start(ingest_again(dropped))
        _refuse_taken_name(connection, judged)
        files = _files(judged, rows_of)
        stored = _stored(connection, name)
        if stored == {(path, sha, found) for path, _, sha, _, _, found in files}:
            unchanged = _loaded(name, n_items, len(files), left_out)
            return replace(unchanged, readings=readings(connection, name))
        on_start(f"loading {name}: {len(files)} files")
        connection.execute("delete from raw.files where corpus = $1", [name])
        for table in judged.rows:
            connection.execute(f"delete from raw.{table} where judgment_set = $1", [name])  # noqa: S608
        now = datetime.now(UTC).replace(tzinfo=None)
        origin = judged.manifest.origin
        _insert(
            connection,
            "files",
            [
                (name, path, form, "judgments", name, sha, size, lines, origin, now, name, rows_of)
                for path, form, sha, size, lines, rows_of in files
            ],
        )
        counts = {
            table: _insert(connection, table, [(name, *row) for row in rows])
            for table, rows in judged.rows.items()
        }
        record_change(connection)
        paths = sorted(path for path, *_ in files)
        gone = sorted({path for path, _, _ in stored} - set(paths))
        return replace(
            _loaded(name, n_items, len(files), left_out),
            status="loaded",
            loaded=paths,
            removed=gone,
            rows=counts,
            readings=readings(connection, name),
        )


def _loaded(name: str, n_items: int, n_files: int, left_out: dict[str, int]) -> Loaded:
    none: list[str] = []
    return Loaded(
        *(name, name, "unchanged", n_items, n_files, none, none, {}, {}, left_out, none),
        unit="judged items",
    )


def _files(judged: JudgmentSet, rows_of: str) -> list[tuple[str, str, str, int, int, str]]:
    files = [
        (path, "judgments_table", file.sha256, file.size, len(file.lines), rows_of)
        for path, file in judged.files.items()
    ]
    file = judged.manifest_file
    return [*files, (FILE_NAME, "manifest", file.sha256, file.size, len(file.lines), rows_of)]


def _stored(connection: duckdb.DuckDBPyConnection, name: str) -> set[tuple[str, str, str]]:
    rows = connection.execute(
        "select path, sha256, rows_sha256 from raw.files where corpus = $1 and manifest = $1",
        [name],
    ).fetchall()
    return {(path, sha, found) for path, sha, found in rows}


def _refuse_taken_name(connection: duckdb.DuckDBPyConnection, judged: JudgmentSet) -> None:
    name = judged.manifest.name
    taken = connection.execute("select 1 from raw.corpora where corpus = $1", [name]).fetchone()
    if taken is None:
        return
    findings = Findings()
    findings.add(
        judged.manifest_file.shown,
        0,
        f"the judgment set {name}, which is the name of a corpus",
        "a name of its own",
        "Rename the set.",
    )
    raise BadInputError(findings)


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, rows: list[tuple[object, ...]]
) -> int:
    """Append rows in the order of the table's columns; return their number."""
    if rows:
        columns = list(zip(*rows, strict=True))
        names = [f"c{i}" for i in range(len(columns))]
        arrow = pa.table([pa.array(column) for column in columns], names=names)
        connection.from_arrow(arrow).insert_into(f"raw.{table}")
    return len(rows)


# --- Load a folder with a manifest ---


def ingest_folder(
    warehouse: Warehouse,
    folder: Path,
    data_root: Path | None,
    bad_edits: BadEdits,
    on_file: Callable[[str], None],
    on_start: Callable[[str], None],
    *,
    force: bool = False,
) -> Loaded:
    """Load a corpus, rankings of one, or a set of human judgments; return what was loaded.

    Arguments and errors are those of `read_corpus` and `load_corpus`.
    """
    manifest, file = read_manifest(folder)
    if isinstance(manifest, JudgmentsManifest):
        judged = read_judgments(manifest, file, folder, data_root, on_file)
        return load_judgments(warehouse, judged, on_start)
    corpus = read_corpus(warehouse, folder, data_root, on_file, bad_edits, force=force)
    return load_corpus(warehouse, corpus, on_start)
