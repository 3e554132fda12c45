"""Read and validate a set of judgments completely: every file as rows for the raw tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from maege.ingest.findings import BadInputError, Findings
from maege.ingest.judged.manifest import JudgmentsManifest, Kind, judgment_paths
from maege.ingest.judged.ratings import read_pairs, read_post_edits, read_ratings
from maege.ingest.judged.tables import JudgedTexts, Reading, read_texts
from maege.ingest.judged.verdicts import read_verdicts
from maege.ingest.manifests.data_root import find_no_file, read_inside
from maege.ingest.reading import TextFile

Row = tuple[Any, ...]
READERS: dict[Kind, tuple[str, Callable[[Reading], Sequence[Row]]]] = {
    "ratings": ("ratings", read_ratings),
    "pairs": ("preference_pairs", read_pairs),
    "edit_verdicts": ("edit_verdicts", read_verdicts),
    "post_edits": ("post_edits", read_post_edits),
}
CORRECT_THE_PATH = (
    "Correct the path in the manifest, or say with --data-root which folder the paths start from."
)


@dataclass
class JudgmentSet:
    """The validated content of a manifest; `rows` by raw table, without the set's name."""

    manifest: JudgmentsManifest
    manifest_file: TextFile
    files: dict[str, TextFile] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)

    @property
    def left_out(self) -> list[str]:
        """The kind of each unused row of the files."""
        return [str(row[3]) for row in self.rows["judgment_findings"]]


def read_judgments(
    manifest: JudgmentsManifest,
    manifest_file: TextFile,
    folder: Path,
    data_root: Path | None = None,
    on_file: Callable[[str], None] = lambda _: None,
) -> JudgmentSet:
    """Return the completely read set; raise BadInputError with all findings of all files."""
    findings = Findings()
    paths = list(dict.fromkeys(path for _, path in judgment_paths(manifest)))
    if find_no_file(paths, folder, data_root, manifest_file.shown, findings):
        raise BadInputError(findings)
    files: dict[str, TextFile | None] = {}
    for path in paths:
        on_file(path)
        files[path] = read_inside(data_root or folder, path, findings, CORRECT_THE_PATH)
    found = JudgmentSet(manifest, manifest_file)
    texts = JudgedTexts()
    left_out: list[Row] = []
    for table, _ in READERS.values():
        found.rows[table] = []
    for name, task in manifest.judgments.items():
        reading = Reading(name, task, files, texts, findings)
        if task.texts is not None:
            read_texts(reading, task.texts)
        table, read = READERS[task.kind]
        before = len(findings)
        rows = read(reading)
        if not rows and len(findings) == before and files[task.file] is not None:
            reading.fault(
                1,
                f"no judgment of the task {name}",
                "at least one",
                "Correct columns and where, or take the task out.",
            )
        found.rows[table] += [(task.file, *row) for row in rows]
        left_out += [
            (task.file, line, name, kind, detail) for line, kind, detail in reading.left_out
        ]
    if len(findings):
        raise BadInputError(findings)
    found.files = {path: file for path, file in files.items() if file is not None}
    references = {name for task in manifest.judgments.values() for name in task.references}
    found.rows |= {table: list(rows) for table, rows in texts.rows(references).items()}
    found.rows["judgment_findings"] = left_out
    found.rows |= _described(manifest)
    return found


def _described(manifest: JudgmentsManifest) -> dict[str, list[Row]]:
    about = (manifest.title, manifest.licence, manifest.may_be_shared, manifest.origin)
    return {
        "judgment_tasks": [
            (
                *(name, position, task.kind, manifest.task, task.unit, task.judges),
                *(task.language or manifest.language, task.tokens or manifest.tokens, task.link),
                *(task.provenance, task.protocol, task.file, *about),
            )
            for position, (name, task) in enumerate(manifest.judgments.items())
        ],
        "task_aspects": [
            (
                *(name, position, key, aspect.low, aspect.high, aspect.step),
                *(aspect.higher_is_better, aspect.neutral),
            )
            for name, task in manifest.judgments.items()
            for position, (key, aspect) in enumerate(task.aspects.items())
        ],
    }
