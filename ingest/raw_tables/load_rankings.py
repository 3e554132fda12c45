"""Check rankings against the corpus whose outputs they rank, and describe them in raw tables."""

from collections.abc import Iterator
from typing import Any

import duckdb

from maege.ingest.corpora.corpus_files import Corpus
from maege.ingest.findings import BadInputError, Findings, listing
from maege.ingest.manifests.manifest import FILE_NAME
from maege.ingest.manifests.manifest_schema import Manifest
from maege.ingest.raw_tables.tables import stored_corpus
from maege.ingest.warehouse import WarehouseError

DESCRIPTIONS = (
    "judgment_systems",
    "judgment_system_sets",
    "judgment_conflicts",
    "judgment_sets",  # last, because the other tables are deleted by its rows
)


def check_rankings(connection: duckdb.DuckDBPyConnection, corpus: Corpus) -> None:
    """Raise BadInputError if rankings in the warehouse do not match the corpus to be loaded.

    Raises WarehouseError if the corpus changed after its rankings were checked against it.
    """
    manifest = corpus.manifest
    if corpus.judged is not None and corpus.judged != stored_corpus(connection, manifest.corpus):
        raise WarehouseError(
            f"{manifest.corpus} changed while its rankings were read. Repeat the command."
        )
    findings = Findings()
    others = dict(
        connection.execute(
            "select judgment_set, loaded_from from raw.judgment_sets "
            "where corpus = $corpus and loaded_from <> $manifest order by all",
            {"corpus": manifest.corpus, "manifest": manifest.name},
        ).fetchall()
    )
    for name in sorted(manifest.judgments.keys() & others.keys()):
        findings.add(
            FILE_NAME,
            0,
            f"the judgment set {name}, which {others[name]} added to {manifest.corpus}",
            "a name that no other manifest uses for its rankings of this corpus",
            "Rename one of the two.",
        )
    if isinstance(manifest, Manifest):
        for name, loaded_from in others.items():
            _check_still_fits(connection, corpus, manifest, (name, loaded_from), findings)
    if len(findings):
        raise BadInputError(findings)


def _check_still_fits(
    connection: duckdb.DuckDBPyConnection,
    corpus: Corpus,
    manifest: Manifest,
    judgment_set: tuple[str, str],
    findings: Findings,
) -> None:
    name, loaded_from = judgment_set
    key = {"corpus": manifest.corpus, "name": name}
    judged = connection.execute(
        "select system from raw.judgment_systems "
        "where corpus = $corpus and judgment_set = $name and has_output order by all",
        key,
    ).fetchall()
    gone = [system for (system,) in judged if system not in manifest.systems]
    last = connection.execute(
        "select max(sentence_id) from raw.judgments "
        "where corpus = $corpus and judgment_set = $name",
        key,
    ).fetchone()
    remedy = (
        f"Keep them, or take the rankings out first: ingest the manifest {loaded_from} with "
        "judgments: {}."
    )
    if gone:
        findings.add(
            FILE_NAME,
            0,
            f"no output of {listing(gone)}",
            f"the systems that the judgment set {name} ranks",
            remedy,
        )
    if last and last[0] is not None and last[0] >= corpus.sentences:
        findings.add(
            FILE_NAME,
            0,
            f"{corpus.sentences} sentences",
            f"at least {last[0] + 1}, because the judgment set {name} ranks outputs of sentence "
            f"{last[0]}",
            remedy,
        )


def undescribe(connection: duckdb.DuckDBPyConnection, corpus: Corpus) -> None:
    """Delete the descriptions of the manifest's judgment sets, but not the judgments."""
    for table in DESCRIPTIONS:
        connection.execute(
            f"delete from raw.{table} where corpus = $corpus and judgment_set in "  # noqa: S608
            "(select judgment_set from raw.judgment_sets "
            "where corpus = $corpus and loaded_from = $manifest)",
            {"corpus": corpus.manifest.corpus, "manifest": corpus.manifest.name},
        )


def ranking_rows(corpus: Corpus) -> dict[str, Iterator[tuple[Any, ...]]]:
    """Return the rows that describe the manifest's judgment sets, by raw table."""
    manifest, name, sets = corpus.manifest, corpus.manifest.corpus, corpus.judgment_sets
    about = (manifest.title, manifest.licence, manifest.origin)
    return {
        "judgment_sets": (
            (
                *(name, ranked.name, manifest.name, ranked.entry.file, ranked.format),
                *(ranked.rankings.items, *about),
            )
            for ranked in sets
        ),
        "judgment_systems": (
            (name, ranked.name, system, system not in ranked.entry.without_outputs)
            for ranked in sets
            for system in ranked.systems
        ),
        "judgment_system_sets": (
            (name, ranked.name, key, position, system)
            for ranked in sets
            for key, systems in ranked.entry.system_sets.items()
            for position, system in enumerate(systems)
        ),
        "judgment_conflicts": (
            (name, ranked.name, ranked.entry.file, *conflict)
            for ranked in sets
            for conflict in ranked.rankings.conflicts
        ),
    }
