"""Read and validate a corpus completely: every file of its manifest as rows."""

from collections.abc import Callable
from pathlib import Path

from maege.ingest.corpora.annotations import JudgedCorpus, read_judgment_sets
from maege.ingest.corpora.corpus_files import JUDGMENTS_FORMAT, Corpus, Row, corpus_file
from maege.ingest.corpora.corpus_reader import CorpusReader
from maege.ingest.corpora.normal_forms import file_in_form
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.formats.annotation_file import BadEdits
from maege.ingest.formats.rankings import NO_RANKINGS
from maege.ingest.judged.manifest import JudgmentsManifest
from maege.ingest.manifests.data_root import find_no_file, read_inside
from maege.ingest.manifests.manifest import FILE_NAME, read_manifest
from maege.ingest.manifests.manifest_schema import (
    Manifest,
    manifest_paths,
)
from maege.ingest.raw_tables.tables import find_judged_corpus
from maege.ingest.reading import TextFile
from maege.ingest.warehouse import Warehouse

OTHER_DOCUMENT = "other_document"
CORRECT_THE_PATH = (
    "Correct the path in the manifest, or say with --data-root which folder the paths start from."
)


def read_corpus(
    warehouse: Warehouse,
    corpus_folder: Path,
    data_root: Path | None = None,
    on_file: Callable[[str], None] = lambda _: None,
    bad_edits: BadEdits = "refuse",
    *,
    force: bool = False,
) -> Corpus:
    """Return the corpus of a folder with a manifest, completely read and validated.

    Paths are relative to `data_root`, by default the folder itself. `on_file` is called with every
    file before it is read. `bad_edits` decides what happens to annotators' edits whose span is
    outside their sentence. With `force` suspicious texts are warnings; without it they are
    findings, unless the manifest accepts them. The warehouse is only read, and only if the manifest
    contains nothing but rankings of an existing corpus. Raises BadInputError with all findings of
    all files, and WarehouseError if the database cannot be read.
    """
    manifest, manifest_file = read_manifest(corpus_folder)
    findings = Findings()
    judged = None
    if isinstance(manifest, JudgmentsManifest):
        findings.add(
            manifest_file.shown,
            0,
            "human judgments, which have sentences of their own",
            "a corpus, or rankings of one",
            f"maege ingest {corpus_folder}",
        )
        raise BadInputError(findings)
    if not isinstance(manifest, Manifest):
        judged = find_judged_corpus(warehouse, manifest.corpus, manifest_file, findings)
        if judged is None:
            raise BadInputError(findings)
    texts: dict[str, TextFile | None] = {}
    paths = list(dict.fromkeys(path for _, path in manifest_paths(manifest)))
    if find_no_file(paths, corpus_folder, data_root, manifest_file.shown, findings):
        raise BadInputError(findings)
    for path in paths:
        on_file(path)
        texts[path] = read_inside(data_root or corpus_folder, path, findings, CORRECT_THE_PATH)
    if isinstance(manifest, Manifest):
        texts = {
            path: file and file_in_form(file, manifest.unicode) for path, file in texts.items()
        }
        reader = CorpusReader(manifest, texts, findings, bad_edits, force=force)
        corpus = reader.read()
        # Without sentences, every ranking would cause a finding about a missing sentence.
        if corpus.sentences:
            own = JudgedCorpus(manifest.systems.keys(), corpus.sentences, reader.texts.rows())
            _read_judgments(corpus, own, texts, findings)
        path = FILE_NAME
    elif judged is not None:
        corpus = Corpus(manifest, judged.sentences, judged)
        _read_judgments(corpus, judged, texts, findings)
        path = f"{manifest.name}/{FILE_NAME}"
    if len(findings):
        raise BadInputError(findings)
    corpus.files.append(
        corpus_file(
            path, "manifest", "manifest", manifest.name, manifest_file, _description(corpus)
        )
    )
    return corpus


def _description(corpus: Corpus) -> list[Row]:
    rankings = [
        (ranked.name, ranked.systems, ranked.rankings.items, ranked.rankings.conflicts)
        for ranked in corpus.judgment_sets
    ]
    manifest = corpus.manifest
    about = (manifest.model_dump_json(), corpus.references)
    return [about, *corpus.annotators, *corpus.left_out, *corpus.warnings, *rankings]


def _read_judgments(
    corpus: Corpus,
    judged: JudgedCorpus,
    texts: dict[str, TextFile | None],
    findings: Findings,
) -> None:
    for ranked, file in read_judgment_sets(corpus.manifest.judgments, texts, judged, findings):
        form = JUDGMENTS_FORMAT[ranked.format]
        rows: list[Row] = [(j.line, ranked.name, *j[1:]) for j in ranked.rankings.judgments]
        corpus.judgment_sets.append(ranked)
        corpus.files.append(
            corpus_file(ranked.entry.file, form, "judgments", ranked.name, file, rows)
        )
        if not ranked.rankings.items:
            detail = f"the judgment set {ranked.name} has no ranking"
            corpus.warnings.append((ranked.entry.file, 0, NO_RANKINGS, detail))
        for document, items in sorted(ranked.rankings.other_documents.items()):
            detail = f"{items} items of the document {document or 'without a name'}"
            corpus.left_out.append((ranked.entry.file, 0, OTHER_DOCUMENT, detail))
