"""Load corpora, rankings and human judgments into raw tables, each in one transaction."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal

import duckdb
import pyarrow as pa

from maege.ingest.corpus import read_corpus
from maege.ingest.corpus_files import OTHER_DOCUMENT, Corpus, CorpusFile, Row, rows_hash
from maege.ingest.findings import BadInputError, Findings, listing
from maege.ingest.formats.annotation_file import BadEdits, annotator_order
from maege.ingest.judgments import JudgmentSet, read_judgments
from maege.ingest.manifest import FILE_NAME, read_manifest
from maege.ingest.manifest_schema import JudgmentsManifest, Lattice, Manifest
from maege.ingest.raw_tables import (
    RANKING_TABLES,
    delete_rows,
    ingest_again,
    make_tables,
    record_change,
)
from maege.ingest.readings import readings
from maege.ingest.warehouse import Warehouse, open_build, transaction

TABLE_OF_ROLE = {
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
OWN_FILES = "corpus = $corpus and manifest = $manifest"
OWN_RANKINGS = (
    "corpus = $corpus and judgment_set in (select judgment_set from raw.judgment_sets "
    "where corpus = $corpus and loaded_from = $manifest)"
)


@dataclass(frozen=True)
class Loaded:
    """The result of an ingest: paths loaded and removed, and the rows inserted by raw table.

    `manifest` is the corpus, or the name of the rankings that were added to it. `out_of_range` and
    `left_out` are numbers of edits and lines by kind.
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


def ingest_folder(
    warehouse: Warehouse,
    folder: Path,
    data_root: Path | None = None,
    bad_edits: BadEdits = "refuse",
    on_file: Callable[[str], None] = lambda _: None,
    on_start: Callable[[str], None] = lambda _: None,
    *,
    force: bool = False,
) -> Loaded:
    """Load a corpus, rankings of one, or human judgments: replace the rows of the manifest.

    Nothing changes if all files, and what the parsers return, are as stored. Content that other
    manifests added stays. `on_start` is called once, inside the transaction, when rows are being
    loaded. Raises BadInputError if rankings and corpus do not match, and WarehouseError if the
    database cannot be opened. If the process ends before the commit, the tables are unchanged.
    """
    manifest, file = read_manifest(folder)
    if isinstance(manifest, JudgmentsManifest):
        content = _judged_content(read_judgments(manifest, file, folder, data_root, on_file))
    else:
        corpus = read_corpus(warehouse, folder, data_root, on_file, bad_edits, force=force)
        content = _corpus_content(corpus)
    return _load(warehouse, content, on_start)


@dataclass(frozen=True)
class _Content:
    """The rows of a manifest by raw table.

    `replaced` has the condition of the stored rows that they replace, by table, in the order of
    deletion. The numbers of rows in the tables `counted` are shown to the user.
    """

    corpus: str
    manifest: str
    origin: str
    sentences: int
    unit: Literal["sentences", "judged items"]
    files: Sequence[CorpusFile]
    rows: Mapping[str, Iterable[Row]]
    replaced: dict[str, str]
    counted: Collection[str]
    check: Callable[[duckdb.DuckDBPyConnection], None]
    out_of_range: Counter[str]
    left_out: Counter[str]


def _load(warehouse: Warehouse, content: _Content, on_start: Callable[[str], None]) -> Loaded:
    key = {"corpus": content.corpus, "manifest": content.manifest}
    paths = {file.path for file in content.files}
    loaded: list[str] = []
    removed: list[str] = []
    counts: dict[str, int] = {}
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        if dropped := make_tables(connection):
            on_start(ingest_again(dropped))
        content.check(connection)
        stored = {
            (path, role, name): (hashes, ingested_at)
            for path, role, name, ingested_at, *hashes in connection.execute(
                "select path, role, name, ingested_at, sha256, rows_sha256 from raw.files "
                "where corpus = $corpus and manifest = $manifest",
                key,
            ).fetchall()
        }
        now = datetime.now(UTC).replace(tzinfo=None)
        times = {
            file.key: stored[file.key][1]
            if file.key in stored and stored[file.key][0] == [file.file.sha256, file.rows_sha256]
            else now
            for file in content.files
        }
        if now in times.values() or stored.keys() - times.keys():
            loaded = sorted({path for (path, _, _), time in times.items() if time == now})
            removed = sorted({path for path, _, _ in stored} - paths)
            on_start(
                f"loading {content.manifest}: {len(loaded)} of {len(paths)} files are new or "
                "changed"
            )
            delete_rows(connection, content.replaced, key)
            files = (
                (
                    *(content.corpus, file.path, file.format, file.role, file.name),
                    *(file.file.sha256, file.file.size, len(file.file.lines), content.origin),
                    *(times[file.key], content.manifest, file.rows_sha256),
                )
                for file in content.files
            )
            for table, rows in {"files": files, **content.rows}.items():
                counts[table] = _insert(connection, table, rows)
            # A corpus may add the output of a system that was ranked without one.
            connection.execute(
                "update raw.judgment_systems set has_output = system in "
                "(select name from raw.files where corpus = $corpus and role = 'system') "
                "where corpus = $corpus",
                {"corpus": content.corpus},
            )
            record_change(connection)
        return Loaded(
            content.corpus,
            content.manifest,
            "loaded" if counts else "unchanged",
            content.sentences,
            len(paths),
            loaded,
            removed,
            {table: number for table, number in counts.items() if table in content.counted},
            dict(sorted(content.out_of_range.items())),
            dict(sorted(content.left_out.items())),
            readings(connection, content.corpus),
            content.unit,
        )


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Row]) -> int:
    columns = list(zip(*rows, strict=True))
    if not columns:
        return 0
    arrow = pa.table([pa.array(c) for c in columns], names=[f"c{i}" for i in range(len(columns))])
    connection.from_arrow(arrow).insert_into(f"raw.{table}")
    return len(columns[0])


# --- Human judgments with their own manifest ---


def _judged_content(judged: JudgmentSet) -> _Content:
    name = judged.manifest.name
    # The hash of all rows together, because they are not distinguished by file.
    parsed = rows_hash(sorted(judged.rows.items()))

    def check(connection: duckdb.DuckDBPyConnection) -> None:
        if connection.execute("from raw.corpora where corpus = $1", [name]).fetchall():
            findings = Findings()
            findings.add(
                judged.manifest_file.shown,
                0,
                f"the judgment set {name}, which is the name of a corpus",
                "a name of its own",
                "Rename the set.",
            )
            raise BadInputError(findings)

    return _Content(
        name,
        name,
        judged.manifest.origin,
        len(judged.rows["judged_items"]),
        "judged items",
        [
            *(
                CorpusFile(path, "judgments_table", "judgments", name, file, [], parsed)
                for path, file in judged.files.items()
            ),
            CorpusFile(FILE_NAME, "manifest", "judgments", name, judged.manifest_file, [], parsed),
        ],
        {table: [(name, *row) for row in rows] for table, rows in judged.rows.items()},
        {"files": OWN_FILES, **dict.fromkeys(judged.rows, "judgment_set = $corpus")},
        judged.rows.keys(),
        check,
        Counter(),
        Counter(str(row[3]) for row in judged.rows["judgment_findings"]),
    )


# --- A corpus, or rankings of one ---


def _corpus_content(corpus: Corpus) -> _Content:
    name, manifest = corpus.manifest.corpus, corpus.manifest
    rows: dict[str, Iterable[Row]] = {
        table: _file_rows(corpus, role) for role, table in TABLE_OF_ROLE.items()
    }
    rows |= _ranking_rows(corpus)
    replaced = dict.fromkeys(RANKING_TABLES, OWN_RANKINGS)
    if isinstance(manifest, Manifest):
        rows |= _description(corpus, manifest)
        replaced |= dict.fromkeys(rows.keys() - replaced.keys(), "corpus = $corpus")
    rows["ingest_findings"] = [
        (name, manifest.name, *row) for row in (*corpus.left_out, *corpus.warnings)
    ]
    # Unused lines, and unused items of rankings.
    left_out = Counter(str(kind) for _, _, kind, _ in corpus.left_out if kind != OTHER_DOCUMENT)
    for ranked in corpus.judgment_sets:
        left_out.update(conflict.kind for conflict in ranked.rankings.conflicts)
        left_out[OTHER_DOCUMENT] += ranked.rankings.other_documents.total()
    return _Content(
        name,
        manifest.name,
        manifest.origin,
        corpus.sentences,
        "sentences",
        corpus.files,
        rows,
        {**replaced, "files": OWN_FILES, "ingest_findings": OWN_FILES},
        {*TABLE_OF_ROLE.values(), "judgment_conflicts"},
        lambda connection: _check_rankings(connection, corpus),
        Counter(
            out_of_range
            for file in corpus.files
            if file.role == "annotations"
            for *_, out_of_range, _ in file.rows
            if out_of_range is not None
        ),
        +left_out,
    )


def _file_rows(corpus: Corpus, role: str) -> Iterator[Row]:
    for file in corpus.files:
        if file.role == role:
            yield from ((corpus.manifest.corpus, file.path, *row) for row in file.rows)


def _ranking_rows(corpus: Corpus) -> dict[str, list[Row]]:
    manifest, name, sets = corpus.manifest, corpus.manifest.corpus, corpus.judgment_sets
    about = (manifest.title, manifest.licence, manifest.origin)
    return {
        "judgment_sets": [
            (
                *(name, ranked.name, manifest.name, ranked.entry.file, ranked.format),
                *(ranked.rankings.items, *about),
            )
            for ranked in sets
        ],
        "judgment_systems": [
            (name, ranked.name, system, system not in ranked.entry.without_outputs)
            for ranked in sets
            for system in ranked.systems
        ],
        "judgment_system_sets": [
            (name, ranked.name, key, position, system)
            for ranked in sets
            for key, systems in ranked.entry.system_sets.items()
            for position, system in enumerate(systems)
        ],
        "judgment_conflicts": [
            (name, ranked.name, ranked.entry.file, *conflict)
            for ranked in sets
            for conflict in ranked.rankings.conflicts
        ],
    }


def _description(corpus: Corpus, manifest: Manifest) -> dict[str, list[Row]]:
    name = manifest.corpus
    about = (manifest.title, manifest.licence, manifest.origin)
    now = datetime.now(UTC).replace(tzinfo=None)
    # Annotators have a position in their set: A2 before A10.
    annotators = sorted(corpus.annotators, key=lambda pair: (pair[0], annotator_order(pair[1])))
    return {
        "corpora": [(name, *about, corpus.sentences, now, manifest.language, corpus.absent)],
        "annotators": [
            (name, *pair, position)
            for _, pairs in groupby(annotators, key=itemgetter(0))
            for position, pair in enumerate(pairs)
        ],
        "reference_sets": [
            (
                *(name, key, position, entry.annotations, bool(entry.texts), entry.system_edits),
                entry.empty_references,
            )
            for position, (key, entry) in enumerate(manifest.references.items())
        ],
        "reference_set_members": [
            (name, key, position, reference)
            for key, references in corpus.references.items()
            for position, reference in enumerate(references)
        ],
        "lattices": [lattice_row(name, manifest, manifest.lattice)] if manifest.lattice else [],
        "extracted_sets": [(name, *pair) for pair in manifest.extracted.items()],
    }


def lattice_row(corpus: str, manifest: Manifest, lattice: Lattice) -> Row:
    extracted_from = manifest.extracted.get(lattice.annotations)
    is_own = (
        manifest.references[lattice.references].annotations == lattice.annotations
        or extracted_from == lattice.references
    )
    return (
        *(corpus, lattice.annotations, lattice.references),
        "annotators" if extracted_from is None else "references",
        "own" if is_own else "disjoint_set",
        lattice.published_run,
    )


def _check_rankings(connection: duckdb.DuckDBPyConnection, corpus: Corpus) -> None:
    manifest = corpus.manifest
    findings = Findings()
    # Rankings of other manifests, with the systems that have outputs and the last sentence.
    other_sets = connection.execute(
        """
        select
            judgment_set, loaded_from,
            list(distinct system order by system) filter (where has_output),
            coalesce(max(sentence_id), -1)
        from raw.judgment_sets
        left join raw.judgments using (corpus, judgment_set)
        left join raw.judgment_systems using (corpus, judgment_set, system)
        where corpus = $corpus and loaded_from <> $manifest
        group by all
        order by all
        """,
        {"corpus": manifest.corpus, "manifest": manifest.name},
    ).fetchall()
    for name, loaded_from, systems, last in other_sets:
        if name in manifest.judgments:
            findings.add(
                FILE_NAME,
                0,
                f"the judgment set {name}, which {loaded_from} added to {manifest.corpus}",
                "a name that no other manifest uses for its rankings of this corpus",
                "Rename one of the two.",
            )
        if not isinstance(manifest, Manifest):
            continue
        missing = [system for system in systems or () if system not in manifest.systems]
        if missing or last >= corpus.sentences:
            findings.add(
                FILE_NAME,
                0,
                f"{corpus.sentences} sentences, and outputs of all ranked systems but "
                f"{listing(missing) or 'none'}",
                f"at least {last + 1} sentences, and all systems that the set {name} ranks",
                f"Keep them, or take the rankings out first: ingest the manifest {loaded_from} "
                "with judgments: {}.",
            )
    if len(findings):
        raise BadInputError(findings)
