"""Load a validated corpus into the raw tables, in one transaction."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Literal

import duckdb
import pyarrow as pa

from maege.ingest.corpora.corpus import OTHER_DOCUMENT
from maege.ingest.corpora.corpus_files import Corpus, CorpusFile, Role, Row
from maege.ingest.formats.annotation_file import annotator_order
from maege.ingest.manifests.manifest_schema import Lattice, Manifest
from maege.ingest.raw_tables.load_rankings import check_rankings, ranking_rows, undescribe
from maege.ingest.raw_tables.readings import readings
from maege.ingest.raw_tables.tables import ingest_again, make_tables, record_change
from maege.ingest.warehouse import Warehouse, open_build, transaction

TABLE_OF_ROLE: dict[Role, str] = {
    "annotations": "m2_edits",
    "source": "sentences",
    "reference": "references",
    "system": "outputs",
    "system_edits": "system_edits",
    "k_best": "k_best",
    "scores": "sentence_scores",
    "judgments": "judgments",
    "corrections": "corrections",
    "validity": "validity_judgements",
    "estimates": "frequency_estimates",
    "labels": "sentence_labels",
}
DELETE_ROWS: dict[Role, str] = {
    "annotations": "delete from raw.m2_edits where corpus = $corpus and path = $path "
    "and (annotation_set = $name or annotation_set || '/' || annotator = $name)",
    "source": "delete from raw.sentences where corpus = $corpus and path = $path "
    "and $name is not null",
    "reference": 'delete from raw."references" where corpus = $corpus and path = $path '
    "and reference = $name",
    "system": "delete from raw.outputs where corpus = $corpus and path = $path and system = $name",
    "system_edits": "delete from raw.system_edits where corpus = $corpus and path = $path "
    "and edit_set || '/' || system = $name",
    "k_best": "delete from raw.k_best where corpus = $corpus and path = $path "
    "and system || '/' || rank = $name",
    "scores": "delete from raw.sentence_scores where corpus = $corpus and path = $path "
    "and metric = $name",
    "judgments": "delete from raw.judgments where corpus = $corpus and path = $path "
    "and judgment_set = $name",
    "corrections": "delete from raw.corrections where corpus = $corpus and path = $path "
    "and $name is not null",
    "validity": "delete from raw.validity_judgements where corpus = $corpus and path = $path "
    "and $name is not null",
    "estimates": "delete from raw.frequency_estimates where corpus = $corpus and path = $path "
    "and measure || '/' || name = $name",
    "labels": "delete from raw.sentence_labels where corpus = $corpus and path = $path "
    "and kind = $name",
}
DELETE_DESCRIPTION = (
    "delete from raw.corpora where corpus = $corpus",
    "delete from raw.annotators where corpus = $corpus",
    "delete from raw.reference_sets where corpus = $corpus",
    "delete from raw.reference_set_members where corpus = $corpus",
    "delete from raw.lattices where corpus = $corpus",
    "delete from raw.extracted_sets where corpus = $corpus",
)
DELETE_FILE = (
    "delete from raw.files "
    "where corpus = $corpus and path = $path and role = $role and name = $name"
)

FileKey = tuple[str, Role, str]
# Hashes of the bytes of a file, and of its parsed content.
Content = tuple[str, str | None]


@dataclass(frozen=True)
class Loaded:
    """The result of an ingest: paths loaded and removed, and the rows inserted by raw table.

    `manifest` is the corpus, or the name of the rankings that were added to it. `out_of_range`
    counts edits whose span is outside their sentence, by treatment. `left_out` counts other unused
    content of the files by kind. `readings` says how the corpus is read where its files leave it
    open.
    """

    corpus: str
    manifest: str
    status: Literal["loaded", "unchanged"]
    sentences: int
    files: int
    loaded: list[str]
    removed: list[str]
    rows: dict[str, int]
    out_of_range: dict[str, int]
    left_out: dict[str, int]
    readings: list[str]
    unit: Literal["sentences", "judged items"] = "sentences"


def load_corpus(
    warehouse: Warehouse, corpus: Corpus, on_start: Callable[[str], None] = lambda _: None
) -> Loaded:
    """Update the raw tables of the corpus, and return what was loaded.

    A file keeps its rows if its content, role and name are as stored and the parser still returns
    the same rows. A changed file replaces its rows. The rows of files that the manifest no longer
    names are removed. Other corpora, and the content that other manifests added to this one, are
    unchanged.

    `on_start` is called once, inside the transaction, when rows are being loaded. Raises
    BadInputError if rankings and corpus do not match, and WarehouseError if the database cannot be
    opened. If the process ends before the commit, the tables are unchanged.
    """
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        if dropped := make_tables(connection):
            on_start(ingest_again(dropped))
        name, manifest = corpus.manifest.corpus, corpus.manifest.name
        check_rankings(connection, corpus)
        stored = _stored_files(connection, corpus)
        wanted = {_key(file): file for file in corpus.files}
        paths = {file.path for file in corpus.files}
        changed = [
            file
            for file in corpus.files
            if stored.get(_key(file)) != (file.sha256, file.rows_sha256)
        ]
        removed = [key for key in stored if key not in wanted]
        bad, left_out = _out_of_range(corpus), _left_out(corpus)
        if not changed and not removed:
            return Loaded(
                name,
                manifest,
                "unchanged",
                corpus.sentences,
                len(paths),
                [],
                [],
                {},
                bad,
                left_out,
                readings(connection, name),
            )
        loaded = sorted({file.path for file in changed})
        for key in removed:
            _delete(connection, name, key)
        for file in changed:
            _delete(connection, name, _key(file))
        on_start(f"loading {manifest}: {len(loaded)} of {len(paths)} files are new or changed")
        now = datetime.now(UTC).replace(tzinfo=None)
        rows = _insert_files(connection, corpus, changed, now)
        rows |= _replace_description(connection, corpus, now)
        record_change(connection)
        return Loaded(
            name,
            manifest,
            "loaded",
            corpus.sentences,
            len(paths),
            loaded,
            sorted({path for path, _, _ in removed} - paths),
            rows,
            bad,
            left_out,
            readings(connection, name),
        )


def _out_of_range(corpus: Corpus) -> dict[str, int]:
    edits = (row for file in corpus.files if file.role == "annotations" for row in file.rows)
    return dict(sorted(Counter(row[-2] for row in edits if row[-2] is not None).items()))


def _left_out(corpus: Corpus) -> dict[str, int]:
    """Return the numbers of unused lines and of unused items of rankings, by kind."""
    kinds = Counter(str(kind) for _, _, kind, _ in corpus.left_out if kind != OTHER_DOCUMENT)
    for ranked in corpus.judgment_sets:
        kinds.update(conflict.kind for conflict in ranked.rankings.conflicts)
        kinds[OTHER_DOCUMENT] += ranked.rankings.other_documents.total()
    return dict(sorted((kind, number) for kind, number in kinds.items() if number))


def _key(file: CorpusFile) -> FileKey:
    return file.path, file.role, file.name


def _stored_files(connection: duckdb.DuckDBPyConnection, corpus: Corpus) -> dict[FileKey, Content]:
    rows = connection.execute(
        "select path, role, name, sha256, rows_sha256 from raw.files "
        "where corpus = $corpus and manifest = $manifest",
        {"corpus": corpus.manifest.corpus, "manifest": corpus.manifest.name},
    ).fetchall()
    return {(row[0], row[1], row[2]): (row[3], row[4]) for row in rows}


def _delete(connection: duckdb.DuckDBPyConnection, corpus: str, key: FileKey) -> None:
    path, role, name = key
    if role in DELETE_ROWS:
        connection.execute(DELETE_ROWS[role], {"corpus": corpus, "path": path, "name": name})
    connection.execute(DELETE_FILE, {"corpus": corpus, "path": path, "role": role, "name": name})


def _insert_files(
    connection: duckdb.DuckDBPyConnection,
    corpus: Corpus,
    changed: list[CorpusFile],
    now: datetime,
) -> dict[str, int]:
    name, origin, manifest = corpus.manifest.corpus, corpus.manifest.origin, corpus.manifest.name
    connection.execute(
        "update raw.files set origin = $origin where corpus = $corpus and manifest = $manifest",
        {"origin": origin, "corpus": name, "manifest": manifest},
    )
    _insert(
        connection,
        "files",
        (
            (
                name,
                f.path,
                f.format,
                f.role,
                f.name,
                f.sha256,
                f.size,
                f.lines,
                origin,
                now,
                manifest,
                f.rows_sha256,
            )
            for f in changed
        ),
    )
    rows: Counter[str] = Counter()
    for role, table in TABLE_OF_ROLE.items():
        rows[table] += _insert(
            connection,
            table,
            ((name, file.path, *row) for file in changed if file.role == role for row in file.rows),
        )
    return dict(rows)


def _replace_description(
    connection: duckdb.DuckDBPyConnection, corpus: Corpus, now: datetime
) -> dict[str, int]:
    undescribe(connection, corpus)
    counts = {
        table: _insert(connection, table, rows) for table, rows in ranking_rows(corpus).items()
    }
    if isinstance(corpus.manifest, Manifest):
        _replace_corpus_description(connection, corpus, corpus.manifest, now)
    key = {"corpus": corpus.manifest.corpus, "manifest": corpus.manifest.name}
    connection.execute(
        "delete from raw.ingest_findings where corpus = $corpus and manifest = $manifest", key
    )
    _insert(
        connection,
        "ingest_findings",
        ((key["corpus"], key["manifest"], *row) for row in (*corpus.left_out, *corpus.warnings)),
    )
    # A corpus may add the output of a system that was ranked without one.
    connection.execute(
        "update raw.judgment_systems set has_output = system in "
        "(select name from raw.files where corpus = $corpus and role = 'system') "
        "where corpus = $corpus",
        {"corpus": corpus.manifest.corpus},
    )
    return {"judgment_conflicts": counts["judgment_conflicts"]}


def _replace_corpus_description(
    connection: duckdb.DuckDBPyConnection, corpus: Corpus, manifest: Manifest, now: datetime
) -> None:
    name = manifest.corpus
    for statement in DELETE_DESCRIPTION:
        connection.execute(statement, {"corpus": name})
    told = (manifest.title, manifest.licence, manifest.origin)
    about = (name, *told, corpus.sentences, now, manifest.language, corpus.absent)
    sets = manifest.references.items()
    _insert(connection, "corpora", [about])
    _insert(connection, "annotators", _annotator_rows(corpus))
    _insert(
        connection,
        "reference_sets",
        (
            (
                name,
                key,
                position,
                entry.annotations,
                bool(entry.texts),
                entry.system_edits,
                entry.empty_references,
            )
            for position, (key, entry) in enumerate(sets)
        ),
    )
    _insert(
        connection,
        "reference_set_members",
        (
            (name, key, position, reference)
            for key, references in corpus.references.items()
            for position, reference in enumerate(references)
        ),
    )
    if manifest.lattice:
        _insert(connection, "lattices", [lattice_row(name, manifest, manifest.lattice)])
    _insert(connection, "extracted_sets", ((name, *pair) for pair in manifest.extracted.items()))


def lattice_row(corpus: str, manifest: Manifest, lattice: Lattice) -> Row:
    """Return the annotations and references of lattices, and whether they share annotators."""
    extracted_from = manifest.extracted.get(lattice.annotations)
    is_own = (
        manifest.references[lattice.references].annotations == lattice.annotations
        or extracted_from == lattice.references
    )
    return (
        corpus,
        lattice.annotations,
        lattice.references,
        "annotators" if extracted_from is None else "references",
        "own" if is_own else "disjoint_set",
        lattice.published_run,
    )


def _annotator_rows(corpus: Corpus) -> Iterator[Row]:
    """Yield the annotators with their positions in their set: A2 before A10."""
    ordered = sorted(corpus.annotators, key=lambda pair: (pair[0], annotator_order(pair[1])))
    for _, annotators in groupby(ordered, key=itemgetter(0)):
        for position, pair in enumerate(annotators):
            yield (corpus.manifest.corpus, *pair, position)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Row]) -> int:
    """Append rows in the order of the table's columns; return their number."""
    columns = list(zip(*rows, strict=True))
    if not columns:
        return 0
    arrow = pa.table([pa.array(c) for c in columns], names=[f"c{i}" for i in range(len(columns))])
    connection.from_arrow(arrow).insert_into(f"raw.{table}")
    return len(columns[0])
