"""A folder with a manifest into the raw tables, whatever the manifest describes."""

from collections.abc import Callable
from pathlib import Path

from maege.ingest.corpora.corpus import read_corpus
from maege.ingest.formats.annotations.annotation_file import BadEdits
from maege.ingest.judged.judgments import read_judgments
from maege.ingest.judged.load import load_judgments
from maege.ingest.judged.manifest import JudgmentsManifest
from maege.ingest.manifests.manifest import read_manifest
from maege.ingest.raw_tables.load import Loaded, load_corpus
from maege.ingest.warehouse import Warehouse


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
    """Return what was loaded: a corpus, rankings of one, or a set of human judgments.

    Arguments and errors are those of `read_corpus` and `load_corpus`.
    """
    manifest, file = read_manifest(folder)
    if isinstance(manifest, JudgmentsManifest):
        judged = read_judgments(manifest, file, folder, data_root, on_file)
        return load_judgments(warehouse, judged, on_start)
    corpus = read_corpus(warehouse, folder, data_root, on_file, bad_edits, force=force)
    return load_corpus(warehouse, corpus, on_start)
