"""The manifest of a corpus: the role and format of each file."""

import os
from collections.abc import Callable, Iterator
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
from maege.ingest.plain_yaml import Location, add_schema_findings, read_yaml
from maege.ingest.reading import TextFile, read_text
from maege.names import did_you_mean

FILE_NAME = "manifest.yml"
PAGE = "docs/corpora.md"
CORRECT_THE_PATH = (
    "Correct the path in the manifest, or say with --data-root which folder the paths start from."
)


def read_manifest(corpus_folder: Path) -> tuple[AnyManifest | JudgmentsManifest, TextFile]:
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
    remedy = f"Give a folder with a {FILE_NAME}, such as corpora/sample; {PAGE} describes the file."
    file = _read_inside(corpus_folder, FILE_NAME, findings, remedy)
    document = read_yaml(file, findings) if file is not None else None
    if file is None or document is None:
        raise BadInputError(findings)
    keys = document.content.keys() if isinstance(document.content, dict) else ()
    schema: type[AnyManifest | JudgmentsManifest] = Manifest
    if "rankings_of" in keys:
        schema = RankingsManifest
    elif "judgment_set" in keys:
        schema = JudgmentsManifest
    try:
        manifest = schema.model_validate(document.content)
    except ValidationError as error:
        add_schema_findings(
            error,
            document,
            findings,
            allowed=lambda location: keys_at(schema, location),
            page=PAGE,
        )
        raise BadInputError(findings) from None
    for location, found, expected in _faults(manifest):
        remedy = f"Correct the entry; {PAGE} describes every key."
        findings.add(file.shown, document.line(location), found, expected, remedy)
    if len(findings):
        raise BadInputError(findings)
    return manifest, file


Fault = tuple[Location, str, str]


def _faults(manifest: AnyManifest | JudgmentsManifest) -> Iterator[Fault]:
    # Paths stay inside the data root, so that they are valid on every machine.
    for location, path in paths_in(manifest):
        posix = PurePosixPath(path)
        if posix.is_absolute() or ".." in posix.parts:
            expected = "a path relative to the data root, which --data-root chooses, and inside it"
            yield location, f"the path {quote(path)}", expected
    if isinstance(manifest, Manifest):
        yield from _unknown_names(manifest)
        yield from _faults_of_references(manifest)
        yield from _faults_of_files(manifest)


def _unknown_names(manifest: Manifest) -> Iterator[Fault]:
    uses: list[tuple[Location, str, str | None]] = []
    for name, references in manifest.extracted.items():
        uses.append((("annotations", name, "extracted_from"), "references", references))
    for name, scores in manifest.scores.items():
        uses.append((("scores", name, "references"), "references", scores.references))
    for name, entry in manifest.references.items():
        uses.append((("references", name, "annotations"), "annotations", entry.annotations))
        uses.append((("references", name, "system_edits"), "system_edits", entry.system_edits))
    for name, files in manifest.system_edits.items():
        uses += [(("system_edits", name, system), "systems", system) for system in files]
    for key in ("annotations", "references"):
        uses.append((("lattice", key), key, getattr(manifest.lattice, key, None)))
    for place, kind, named in uses:
        known = list(getattr(manifest, kind))
        if named is not None and named not in known:
            found = f"{quote(named)} at {'.'.join(map(str, place))}"
            yield place, found, f"a name under {kind}: {listing(known) or 'there is none'}"


def _faults_of_references(manifest: Manifest) -> Iterator[Fault]:
    path_of: dict[str, str] = {}
    for name, entry in manifest.references.items():
        for position, path in enumerate(entry.texts):
            other = path_of.setdefault(reference_name(path), path)
            if other != path or path in entry.texts[:position]:
                found = f"the reference {reference_name(path)} from {path}, which is also {other}"
                expected = "each file once, and one file for a name (that of the file without .txt)"
                yield ("references", name, "texts", position), found, expected
    for name, references_name in manifest.extracted.items():
        reference_set = manifest.references.get(references_name)
        if reference_set and (not reference_set.texts or reference_set.annotations is not None):
            found = f"the reference set {references_name}, which has annotations or no texts"
            yield ("annotations", name, "extracted_from"), found, "a reference set with texts alone"


def _faults_of_files(manifest: Manifest) -> Iterator[Fault]:
    if not (manifest.source or manifest.annotation_files or manifest.corrections):
        found = "neither source nor annotations nor corrections"
        yield (), found, "a file that the sentences come from, such as source: FILE"
    if manifest.validity is not None and manifest.corrections is None:
        found = "validity, and no corrections that it judges"
        yield ("validity",), found, "the crowd's corrections, as corrections: FILE"
    paths = [path for _, path in paths_in(manifest)]
    for path in manifest.formats:
        if path not in paths:
            expected = (
                f"a file that the manifest names elsewhere. {did_you_mean(path, paths) or ''}"
            )
            yield ("formats", path), f"the file {quote(path)}, which has no part", expected.strip()
    for name, files in manifest.annotation_files.items():
        set_paths = files.values() if isinstance(files, dict) else files
        xml = [path for path in set_paths if is_xml(path)]
        if xml and len(files) > 1:
            found = f"the XML {xml[0]} and other files in the annotation set {name}"
            expected = "an annotation set of its own: its errors join the corrections of annotators"
            yield ("annotations", name), found, expected


# --- Files of a manifest, which are inside its data root ---


def read_files(
    manifest: AnyManifest | JudgmentsManifest,
    manifest_file: TextFile,
    folder: Path,
    data_root: Path | None,
    on_file: Callable[[str], None],
) -> dict[str, TextFile]:
    root = data_root or folder
    findings = Findings()
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
    files: dict[str, TextFile] = {}
    for path in paths:
        on_file(path)
        if (file := _read_inside(root, path, findings, CORRECT_THE_PATH)) is not None:
            files[path] = file
    if len(findings):
        raise BadInputError(findings)
    return files


def _read_inside(root: Path, path: str, findings: Findings, remedy: str) -> TextFile | None:
    real_root = os.path.realpath(root)
    place = root
    for part in PurePosixPath(path).parts:
        place /= part
        # The finding names the link itself, so it is the same for all files behind a link.
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
