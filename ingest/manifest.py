"""The manifest of a corpus: the role and format of each file."""

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from maege.ingest.findings import BadInputError, Findings, listing, quote
from maege.ingest.manifest_schema import (
    AnyManifest,
    JudgmentsManifest,
    Manifest,
    RankingsManifest,
    is_xml,
    keys_at,
    paths_in,
    reference_name,
)
from maege.ingest.plain_yaml import Document, Location, add_schema_findings, read_yaml
from maege.ingest.reading import TextFile, read_text
from maege.names import did_you_mean

FILE_NAME = "manifest.yml"

CORRECT_THE_PATH = (
    "Correct the path in the manifest, or say with --data-root which folder the paths start from."
)


def read_manifest(corpus_folder: Path) -> tuple[AnyManifest | JudgmentsManifest, TextFile]:
    """Return the manifest and its file; raise BadInputError if it has faults."""
    findings = Findings()
    if corpus_folder.is_file():
        findings.add(
            str(corpus_folder),
            0,
            "a file",
            f"a corpus: a folder with a {FILE_NAME}",
            f"Give the folder: maege ingest {corpus_folder.parent}",
        )
        raise BadInputError(findings)
    file = _read_inside(
        corpus_folder,
        FILE_NAME,
        findings,
        f"Give a folder with a {FILE_NAME}, such as corpora/sample; docs/corpora.md describes the "
        "file.",
    )
    if file is None:
        raise BadInputError(findings)
    document = read_yaml(file, findings)
    if document is None or len(findings):
        raise BadInputError(findings)
    schema = _schema(document.content)
    manifest: AnyManifest | JudgmentsManifest
    try:
        manifest = schema.model_validate(document.content)
    except ValidationError as error:
        add_schema_findings(
            error,
            document,
            findings,
            allowed=lambda location: keys_at(schema, location),
            page="docs/corpora.md",
        )
        raise BadInputError(findings) from None
    if isinstance(manifest, Manifest):
        _check_names(manifest, document, findings)
    _check_paths(manifest, document, findings)
    if len(findings):
        raise BadInputError(findings)
    return manifest, file


def _schema(content: object) -> type[RankingsManifest | JudgmentsManifest | Manifest]:
    keys = content.keys() if isinstance(content, dict) else ()
    if "rankings_of" in keys:
        return RankingsManifest
    return JudgmentsManifest if "judgment_set" in keys else Manifest


def _check_names(manifest: Manifest, document: Document, findings: Findings) -> None:
    add = _adder(document, findings)
    references = manifest.references
    named_sets: list[tuple[tuple[str, ...], str | None]] = [
        *((("annotations", name, "extracted_from"), of) for name, of in manifest.extracted.items()),
        *((("scores", name, "references"), of.references) for name, of in manifest.scores.items()),
    ]
    for key in ("annotations", "system_edits"):
        named_sets += [
            (("references", name, key), getattr(of, key)) for name, of in references.items()
        ]
    for key in ("annotations", "references"):
        named_sets.append((("lattice", key), getattr(manifest.lattice, key, None)))
    for name, files in manifest.system_edits.items():
        named_sets += [(("system_edits", name, system), system) for system in files]
    for place, named in named_sets:
        kind = {"extracted_from": "references"}.get(place[-1], place[-1])
        kind = "systems" if place[0] == "system_edits" else kind
        known = list(getattr(manifest, kind))
        if named is not None and named not in known:
            add(
                place,
                f"{quote(named)} at {'.'.join(place)}",
                f"a name under {kind}: {listing(known) or 'there is none'}",
                f"Correct the name, or add it under {kind}.",
            )
    path_of: dict[str, str] = {}
    for name, entry in references.items():
        for position, path in enumerate(entry.texts):
            other = path_of.setdefault(reference_name(path), path)
            if other != path or path in entry.texts[:position]:
                add(
                    ("references", name, "texts", position),
                    f"the reference {reference_name(path)} from {path}, which is also {other}",
                    "one file for a reference's name (the file's name without .txt)",
                    "Rename one of the files, or remove the repetition.",
                )
    for name, references_name in manifest.extracted.items():
        reference_set = references.get(references_name)
        if reference_set and (not reference_set.texts or reference_set.annotations is not None):
            add(
                ("annotations", name, "extracted_from"),
                f"the reference set {references_name}, which has annotations or no texts",
                "a reference set with texts alone",
                "Name a set of texts; what has annotations needs none extracted.",
            )
    if not (manifest.source or manifest.annotation_files or manifest.corrections):
        findings.add(
            document.shown,
            0,
            "neither source nor annotations nor corrections",
            "a file that the sentences come from",
            "Add source: FILE with one sentence a line, annotations with M2 files, or corrections.",
        )
    if manifest.validity is not None and manifest.corrections is None:
        add(
            ("validity",),
            "validity, and no corrections that it judges",
            "the crowd's corrections",
            "Add corrections: FILE, or remove validity.",
        )
    paths = [path for _, path in paths_in(manifest)]
    for path in manifest.formats:
        if path not in paths:
            add(
                ("formats", path),
                f"the file {quote(path)} at formats, which has no part",
                "a file that the manifest names elsewhere",
                did_you_mean(path, paths) or "Correct the name, or remove the entry.",
            )
    for location, path in paths_in(manifest):
        is_shared = location[0] == "annotations" and (
            len(manifest.annotation_files[str(location[1])]) > 1
        )
        if is_shared and is_xml(path):
            add(
                location,
                f"the XML {path} and other files in the annotation set {location[1]}",
                "one file: its errors join the corrections of all annotators",
                "Give the file an annotation set of its own.",
            )


def _check_paths(
    manifest: AnyManifest | JudgmentsManifest, document: Document, findings: Findings
) -> None:
    """Check that paths stay inside the data root, so that they are valid on every machine."""
    for location, path in paths_in(manifest):
        posix = PurePosixPath(path)
        if posix.is_absolute() or ".." in posix.parts:
            _adder(document, findings)(
                location,
                f"the path {quote(path)}",
                "a path inside the data root, relative to it",
                "Write it from the data root, and choose that folder with --data-root.",
            )


def _adder(document: Document, findings: Findings) -> Callable[[Location, str, str, str], None]:
    def add(location: Location, found: str, expected: str, remedy: str) -> None:
        findings.add(document.shown, document.line(location), found, expected, remedy)

    return add


# --- Files of a manifest, which are inside its data root ---


def read_files(
    manifest: AnyManifest | JudgmentsManifest,
    manifest_file: TextFile,
    folder: Path,
    data_root: Path | None,
    on_file: Callable[[str], None],
    findings: Findings,
) -> dict[str, TextFile | None]:
    """Return the files by their path; None, with a finding, for a file that cannot be read.

    `folder` is the manifest's folder. `on_file` is called with each path before it is read. If no
    file is at its path, BadInputError has one finding that says where the files would exist.
    """
    root = data_root or folder
    paths = list(dict.fromkeys(path for _, path in paths_in(manifest)))
    if paths and not any(os.path.exists(root / path) for path in paths):  # noqa: PTH110
        findings.add(
            manifest_file.shown,
            0,
            f"none of its {len(paths)} files in {root}, such as {paths[0]}",
            "a folder from which its paths lead to files",
            CORRECT_THE_PATH,
        )
        raise BadInputError(findings)
    files: dict[str, TextFile | None] = {}
    for path in paths:
        on_file(path)
        files[path] = _read_inside(root, path, findings, CORRECT_THE_PATH)
    return files


def _read_inside(root: Path, path: str, findings: Findings, remedy: str) -> TextFile | None:
    """Return the lines of a file as `read_text` does; None and a finding if it is not in `root`.

    The finding names the link that leads out of `root`, so it is the same for all files behind a
    link.
    """
    real_root = os.path.realpath(root)
    place = root
    for part in PurePosixPath(path).parts:
        place /= part
        if not Path(os.path.realpath(place)).is_relative_to(real_root):
            findings.add(
                str(place),
                0,
                "a link out of the data root",
                f"a file or folder inside {root}",
                "Replace the link with a copy of the file or folder, or name a folder that holds "
                "both with --data-root.",
            )
            return None
    return read_text(root / path, findings, remedy)
