"""The manifest of a corpus: the role and format of each file."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ValidationError

from maege.ingest.findings import BadInputError, Findings, listing, quote
from maege.ingest.judged.manifest import JudgmentsManifest, judgment_paths, part_at
from maege.ingest.manifests.data_root import read_inside
from maege.ingest.manifests.manifest_schema import (
    AnyManifest,
    CorrectionColumns,
    Corrections,
    Extracted,
    JudgmentSet,
    Lattice,
    Manifest,
    RankingsManifest,
    ReferenceSet,
    Scores,
    Validity,
    ValidityColumnNames,
    is_xml,
    manifest_paths,
    reference_name,
)
from maege.ingest.manifests.plain_yaml import (
    Document,
    Location,
    add_schema_findings,
    read_yaml,
)
from maege.ingest.reading import TextFile
from maege.names import did_you_mean

FILE_NAME = "manifest.yml"

# By pydantic's type of error.
EXPECTED = {
    "bool_parsing": "true or false",
    "greater_than_equal": "-1, 0 or 1: the number that the file gives the first sentence",
    "int_parsing": "-1, 0 or 1: the number that the file gives the first sentence",
    "less_than_equal": "-1, 0 or 1: the number that the file gives the first sentence",
    "dict_type": "a mapping: {name: value}",
    "list_type": "a list: [FILE, FILE]",
    "model_type": "a mapping of the keys in docs/corpora.md",
    "string_pattern_mismatch": "a name of letters, digits and _ . + - (of a corpus: a-z, 0-9, _)",
    "string_too_short": "a value",
    "string_type": "one value",
    "too_short": "at least one entry",
}


def read_manifest(corpus_folder: Path) -> tuple[AnyManifest | JudgmentsManifest, TextFile]:
    """Return the manifest and its file; raise BadInputError if it has faults."""
    findings = Findings()
    if corpus_folder.is_file():
        findings.add(
            str(corpus_folder),
            0,
            "a file",
            f"a corpus: a folder with a {FILE_NAME}",
            f"maege ingest {corpus_folder.parent}"
            if corpus_folder.name == FILE_NAME
            else f"Write a {FILE_NAME} in its folder and give the folder's name: docs/corpora.md.",
        )
        raise BadInputError(findings)
    file = read_inside(
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
            allowed=lambda location: _allowed_keys(location, schema),
            expected=lambda details, message: EXPECTED.get(details["type"], message),
            page="docs/corpora.md",
        )
        raise BadInputError(findings) from None
    if isinstance(manifest, Manifest):
        _check_names(manifest, document, findings)
    _check_paths(manifest, document, findings)
    if len(findings):
        raise BadInputError(findings)
    return manifest, file


def paths_of(manifest: AnyManifest | JudgmentsManifest) -> Iterator[tuple[Location, str]]:
    """Yield every path of the manifest with its location."""
    if isinstance(manifest, JudgmentsManifest):
        return judgment_paths(manifest)
    return manifest_paths(manifest)


def _schema(content: object) -> type[RankingsManifest | JudgmentsManifest | Manifest]:
    keys = content.keys() if isinstance(content, dict) else ()
    if "rankings_of" in keys:
        return RankingsManifest
    return JudgmentsManifest if "judgment_set" in keys else Manifest


def _allowed_keys(location: Location, schema: type[BaseModel]) -> list[str]:
    parts: dict[str, type[BaseModel]] = {
        "annotations": Extracted,
        "references": ReferenceSet,
        "scores": Scores,
        "judgments": JudgmentSet,
    }
    if schema is JudgmentsManifest:
        part = part_at(location)
    elif len(location) == 1:
        part = schema
    elif location[0] == "lattice":
        part = Lattice
    elif location[0] == "corrections":
        part = Corrections if len(location) == 2 else CorrectionColumns
    elif location[0] == "validity":
        part = Validity if len(location) == 2 else ValidityColumnNames
    else:
        part = parts[str(location[0])]
    return list(part.model_fields)


def _check_names(manifest: Manifest, document: Document, findings: Findings) -> None:
    sets = {
        "annotations": list(manifest.annotations),
        "references": list(manifest.references),
        "systems": list(manifest.systems),
        "system_edits": list(manifest.system_edits),
    }

    def check(name: str | None, kind: str, *location: str) -> None:
        if name is not None and name not in sets[kind]:
            findings.add(
                document.shown,
                document.line(location),
                f"{quote(name)} at {'.'.join(location)}",
                f"a name under {kind}: {listing(sets[kind]) or 'there is none'}",
                f"Correct the name, or add it under {kind}.",
            )

    for name, references in manifest.references.items():
        check(references.annotations, "annotations", "references", name, "annotations")
        check(references.system_edits, "system_edits", "references", name, "system_edits")
    for name, references_name in manifest.extracted.items():
        check(references_name, "references", "annotations", name, "extracted_from")
        _check_extracted(manifest, name, references_name, document, findings)
    for name, files in manifest.system_edits.items():
        for system in files:
            check(system, "systems", "system_edits", name, system)
    if manifest.lattice is not None:
        check(manifest.lattice.annotations, "annotations", "lattice", "annotations")
        check(manifest.lattice.references, "references", "lattice", "references")
    for name, scores in manifest.scores.items():
        check(scores.references, "references", "scores", name, "references")
    if not (manifest.source or manifest.annotation_files or manifest.corrections):
        findings.add(
            document.shown,
            0,
            "neither source nor annotations nor corrections",
            "a file that the sentences come from",
            "Add source: FILE with one sentence a line, annotations with M2 files, or corrections.",
        )
    if manifest.validity is not None and manifest.corrections is None:
        findings.add(
            document.shown,
            document.line(("validity",)),
            "validity, and no corrections that it judges",
            "the crowd's corrections",
            "Add corrections: FILE, or remove validity.",
        )
    for name, k_best in manifest.k_best.items():
        _check_once(k_best, f"the k-best list {name}", ("k_best", name), document, findings)
    _check_reference_names(manifest, document, findings)
    _check_formats(manifest, document, findings)
    _check_xml(manifest, document, findings)


def _check_extracted(
    manifest: Manifest, name: str, references: str, document: Document, findings: Findings
) -> None:
    found = manifest.references.get(references)
    if found is not None and (not found.texts or found.annotations is not None):
        findings.add(
            document.shown,
            document.line(("annotations", name, "extracted_from")),
            f"the reference set {references}, which has annotations or no texts",
            "a reference set with texts alone",
            "Name a set of texts; what has annotations needs none extracted.",
        )


def _check_formats(manifest: Manifest, document: Document, findings: Findings) -> None:
    paths = [path for _, path in manifest_paths(manifest)]
    for path in manifest.formats:
        if path not in paths:
            findings.add(
                document.shown,
                document.line(("formats", path)),
                f"the file {quote(path)} at formats, which has no part",
                "a file that the manifest names elsewhere",
                did_you_mean(path, paths) or "Correct the name, or remove the entry.",
            )


def _check_xml(manifest: Manifest, document: Document, findings: Findings) -> None:
    for location, path in manifest_paths(manifest):
        if location[0] == "annotations" and is_xml(path):
            if len(manifest.annotation_files[str(location[1])]) > 1:
                findings.add(
                    document.shown,
                    document.line(location),
                    f"the XML {path} and other files in the annotation set {location[1]}",
                    "one file: its errors join the corrections of all annotators",
                    "Give the file an annotation set of its own.",
                )
        elif location[0] == "system_edits" and is_xml(path):
            findings.add(
                document.shown,
                document.line(location),
                f"the XML {path} for the edits of an output",
                "an M2 file",
                "Write the edits as M2; XML groups the corrections of several annotators.",
            )


def _check_reference_names(manifest: Manifest, document: Document, findings: Findings) -> None:
    path_of: dict[str, str] = {}
    for set_name, references in manifest.references.items():
        location = ("references", set_name, "texts")
        inside = f"the reference set {set_name}"
        _check_once(references.texts, inside, location, document, findings)
        for position, path in enumerate(references.texts):
            name = reference_name(path)
            line = document.line((*location, position))
            other = path_of.setdefault(name, path)
            if other != path:
                findings.add(
                    document.shown,
                    line,
                    f"the reference {name} from {path}, which is also {other}",
                    "one file for a reference's name (the file's name without .txt)",
                    "Rename one of the files.",
                )


def _check_once(
    paths: list[str], inside: str, location: Location, document: Document, findings: Findings
) -> None:
    for position, path in enumerate(paths):
        if path in paths[:position]:
            findings.add(
                document.shown,
                document.line((*location, position)),
                f"{path} twice in {inside}",
                "each text once",
                "Remove the repetition.",
            )


def _check_paths(
    manifest: AnyManifest | JudgmentsManifest, document: Document, findings: Findings
) -> None:
    """Check that paths stay inside the data root, so that they are valid on every machine."""
    for location, path in paths_of(manifest):
        posix = PurePosixPath(path)
        if posix.is_absolute() or ".." in posix.parts:
            findings.add(
                document.shown,
                document.line(location),
                f"the path {quote(path)}",
                "a path inside the data root, relative to it",
                "Write it from the data root, and choose that folder with --data-root.",
            )
