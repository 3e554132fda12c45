"""The annotations of a corpus' files, in whichever format they are."""

from collections.abc import Mapping

from maege.ingest.findings import Findings
from maege.ingest.formats.annotations.annotation_file import AnnotationFile, BadEdits
from maege.ingest.formats.annotations.fcgec import is_fcgec, parse_fcgec
from maege.ingest.formats.annotations.imeasure_xml import parse_imeasure_xml
from maege.ingest.formats.annotations.m2 import parse_m2
from maege.ingest.formats.dialects import ROOT
from maege.ingest.manifests.manifest_schema import FileFormat, Manifest, is_xml
from maege.ingest.reading import TextFile

IMEASURE_ROOT = "scripts"


class AnnotationReader:
    """Reads files of annotations, each parsed once, however many roles it has."""

    def __init__(
        self,
        manifest: Manifest,
        files: Mapping[str, TextFile | None],
        findings: Findings,
        bad_edits: BadEdits,
    ) -> None:
        self._manifest = manifest
        self._files = files
        self._findings = findings
        self._bad_edits = bad_edits
        self._parsed: dict[str, AnnotationFile | None] = {}

    def format(self, path: str) -> FileFormat:
        """Return how a file is written: as the manifest says, or as it looks."""
        file = self._files[path]
        said = self._manifest.formats.get(path)
        if said is not None or file is None:
            return said or "m2"
        if is_xml(path) or _root(file) == IMEASURE_ROOT:
            return "imeasure_xml"
        return "fcgec" if is_fcgec(file.lines) else "m2"

    def parsed(self, path: str) -> AnnotationFile | None:
        """Return what the file holds; None where it cannot be read."""
        file = self._files[path]
        if file is None:
            return None
        if path not in self._parsed:
            self._parsed[path] = self._parse(path, file)
        return self._parsed[path]

    def _parse(self, path: str, file: TextFile) -> AnnotationFile | None:
        edit_sets = self._manifest.system_edits.values()
        is_output = any(path in files.values() for files in edit_sets)
        bad_edits = "refuse" if is_output else self._bad_edits
        match self.format(path):
            case "imeasure_xml":
                return parse_imeasure_xml(file.lines, file.shown, self._findings, bad_edits)
            case "fcgec":
                return parse_fcgec(file.lines, file.shown, self._findings)
            case _:
                return parse_m2(file.lines, file.shown, self._findings, bad_edits)


def _root(file: TextFile) -> str:
    """Return the name of a document's first element; nothing where it is no XML."""
    start = "\n".join(file.lines[:20]).lstrip("\ufeff \t\n")
    found = ROOT.search(start) if start.startswith("<") else None
    return "" if found is None else found[1]
