"""The manifest of a corpus: which files, in which format, play which part."""

import difflib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from ingest.findings import BadInputError, Findings, listing, quote
from ingest.plain_yaml import Document, Location, read_yaml
from ingest.reading import TextFile, read_text

FILE_NAME = "manifest.yml"

# By pydantic's type of error.
EXPECTED = {
    "bool_parsing": "true or false",
    "dict_type": "a mapping: {name: value}",
    "list_type": "a list: [FILE, FILE]",
    "model_type": "a mapping of the keys in docs/corpora.md",
    "string_pattern_mismatch": "a name of letters, digits and _ . + - (of a corpus: a-z, 0-9, _)",
    "string_too_short": "a value",
    "string_type": "one value",
    "too_short": "at least one entry",
}

CorpusName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
FilePath = Annotated[str, StringConstraints(min_length=1)]
Mode = Literal["paper", "as_published"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReferenceSet(_Part):
    """References that metrics read: texts, edits, or both.

    `system_edits` is the edit set that counts for the outputs instead of edits made here.
    """

    texts: list[FilePath] = Field(default_factory=list)
    annotations: Name | None = None
    system_edits: Name | None = None

    @model_validator(mode="after")
    def _has_content(self) -> Self:
        if not self.texts and self.annotations is None:
            raise ValueError("a reference set needs texts or annotations")
        return self


class LatticeSources(_Part):
    """The annotations that a mode makes lattices of, and the references it scores with."""

    annotations: Name
    references: Name


class Lattice(_Part):
    """The sources of both modes; `as_published` is as `paper` where it is left out."""

    paper: LatticeSources
    as_published: LatticeSources | None = None

    def sources(self) -> Iterator[tuple[Mode, LatticeSources]]:
        """Every mode with what it reads."""
        yield "paper", self.paper
        yield "as_published", self.as_published or self.paper


class Scores(_Part):
    """A file of sentence scores made elsewhere."""

    file: FilePath
    higher_is_better: bool
    references: Name | None = None


def _form(value: object) -> str:
    return "mapping" if isinstance(value, dict) else "list"


AnnotationFiles = Annotated[
    Annotated[list[FilePath], Field(min_length=1), Tag("list")]
    | Annotated[dict[Name, FilePath], Field(min_length=1), Tag("mapping")],
    Discriminator(_form),
]
SystemFiles = Annotated[dict[Name, FilePath], Field(min_length=1)]


class Manifest(_Part):
    """One corpus.

    An annotation set is a list of files with the annotators as in the files, or a mapping from an
    annotator to the file that holds this annotator alone. An edit set of `system_edits` maps
    systems to M2 files.
    """

    corpus: CorpusName
    title: Words
    licence: Words
    origin: Words
    source: FilePath | None = None
    annotations: dict[Name, AnnotationFiles] = Field(default_factory=dict)
    references: dict[Name, ReferenceSet] = Field(default_factory=dict)
    systems: dict[Name, FilePath] = Field(default_factory=dict)
    system_edits: dict[Name, SystemFiles] = Field(default_factory=dict)
    lattice: Lattice | None = None
    scores: dict[Name, Scores] = Field(default_factory=dict)
    judgments: dict[Name, FilePath] = Field(default_factory=dict)


def reference_name(path: str) -> str:
    """Return the name of a reference: its file's name without `.gz` and `.txt`."""
    return PurePosixPath(path).name.removesuffix(".gz").removesuffix(".txt")


def is_xml(path: str) -> bool:
    """Whether a file of annotations is the I-measure's XML; all others are M2."""
    return path.removesuffix(".gz").endswith(".xml")


def read_manifest(corpus_folder: Path) -> tuple[Manifest, TextFile]:
    """Return the manifest and the file it stands in; raise BadInputError where it has faults."""
    findings = Findings()
    file = read_text(corpus_folder / FILE_NAME, findings)
    if file is None:
        raise BadInputError(findings)
    document = read_yaml(file, findings)
    if document is None or len(findings):
        raise BadInputError(findings)
    try:
        manifest = Manifest.model_validate(document.content)
    except ValidationError as error:
        for details in error.errors():
            _add_schema_finding(details, document, findings)
        raise BadInputError(findings) from None
    _check_names(manifest, document, findings)
    _check_paths(manifest, document, findings)
    if len(findings):
        raise BadInputError(findings)
    return manifest, file


def _add_schema_finding(details: ErrorDetails, document: Document, findings: Findings) -> None:
    location: Location = details["loc"]
    key = str(location[-1]) if location else "manifest"
    line = document.line(location)
    match details["type"]:
        case "extra_forbidden":
            allowed = _allowed_keys(location)
            close = difflib.get_close_matches(key, allowed, n=1)
            findings.add(
                document.shown,
                line,
                f"the unknown key {quote(key)}",
                f"one of {', '.join(allowed)}",
                f"Did you mean {close[0]}?" if close else "Remove the key.",
            )
        case "missing":
            findings.add(
                document.shown,
                line,
                f"no key {quote(key)}" + _inside(location),
                f"the key {key}",
                f"Add {key}: ...; docs/corpora.md says what it holds.",
            )
        case _:
            key = str(location[-2]) if key == "[key]" else key
            message = details["msg"].removeprefix("Value error, ")
            expected = EXPECTED.get(details["type"], message)
            findings.add(
                document.shown,
                line,
                _shown_value(key, details["input"]),
                expected,
                "Correct the entry; docs/corpora.md describes every key.",
            )


def _allowed_keys(location: Location) -> list[str]:
    parts: dict[str, type[BaseModel]] = {"references": ReferenceSet, "scores": Scores}
    if len(location) == 1:
        part: type[BaseModel] = Manifest
    elif location[0] == "lattice":
        part = Lattice if len(location) == 2 else LatticeSources
    else:
        part = parts[str(location[0])]
    return list(part.model_fields)


def _inside(location: Location) -> str:
    return f" in {'.'.join(str(part) for part in location[:-1])}" if len(location) > 1 else ""


def _shown_value(key: str, value: object) -> str:
    match value:
        case str():
            return f"{quote(value)} at {key}"
        case list() | dict():
            form = "mapping" if isinstance(value, dict) else "list"
            return f"{'a' if value else 'an empty'} {form} at {key}"
        case _:
            return f"nothing at {key}"


def _check_names(manifest: Manifest, document: Document, findings: Findings) -> None:
    """Every name that refers to a set must be the name of a set."""
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
    for name, files in manifest.system_edits.items():
        for system in files:
            check(system, "systems", "system_edits", name, system)
    if manifest.lattice is not None:
        for mode, sources in manifest.lattice.sources():
            check(sources.annotations, "annotations", "lattice", mode, "annotations")
            check(sources.references, "references", "lattice", mode, "references")
    for name, scores in manifest.scores.items():
        check(scores.references, "references", "scores", name, "references")
    if manifest.source is None and not manifest.annotations:
        findings.add(
            document.shown,
            0,
            "neither source nor annotations",
            "a file that the sentences come from",
            "Add source: FILE with one sentence a line, or annotations with M2 files.",
        )
    _check_reference_names(manifest, document, findings)
    _check_xml(manifest, document, findings)


def _check_xml(manifest: Manifest, document: Document, findings: Findings) -> None:
    for location, path in manifest_paths(manifest):
        if location[0] == "annotations" and is_xml(path):
            if len(manifest.annotations[str(location[1])]) > 1:
                findings.add(
                    document.shown,
                    document.line(location),
                    f"the XML {path} beside other files in the annotation set {location[1]}",
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
        for position, path in enumerate(references.texts):
            name = reference_name(path)
            line = document.line(("references", set_name, "texts", position))
            other = path_of.setdefault(name, path)
            if other != path:
                findings.add(
                    document.shown,
                    line,
                    f"the reference {name} from {path}, which is also {other}",
                    "one file for a reference's name (the file's name without .txt)",
                    "Rename one of the files.",
                )
            if path in references.texts[:position]:
                findings.add(
                    document.shown,
                    line,
                    f"{path} twice in the reference set {set_name}",
                    "each text once",
                    "Remove the repetition.",
                )


def _check_paths(manifest: Manifest, document: Document, findings: Findings) -> None:
    """Paths stay inside the data root, so that they mean the same on every machine."""
    for location, path in manifest_paths(manifest):
        posix = PurePosixPath(path)
        if posix.is_absolute() or ".." in posix.parts:
            findings.add(
                document.shown,
                document.line(location),
                f"the path {quote(path)}",
                "a path inside the data root, relative to it",
                "Write it from the data root, and choose that folder with --data-root.",
            )


def manifest_paths(manifest: Manifest) -> Iterator[tuple[Location, str]]:
    """Every path of the manifest with the place where it stands."""
    if manifest.source is not None:
        yield ("source",), manifest.source
    for name, files in manifest.annotations.items():
        entries: list[tuple[str | int, str]] = (
            list(files.items()) if isinstance(files, dict) else list(enumerate(files))
        )
        for key, path in entries:
            yield ("annotations", name, key), path
    for name, references in manifest.references.items():
        for position, path in enumerate(references.texts):
            yield ("references", name, "texts", position), path
    for name, path in manifest.systems.items():
        yield ("systems", name), path
    for name, system_files in manifest.system_edits.items():
        for system, path in system_files.items():
            yield ("system_edits", name, system), path
    for name, scores in manifest.scores.items():
        yield ("scores", name, "file"), scores.file
    for name, path in manifest.judgments.items():
        yield ("judgments", name), path
