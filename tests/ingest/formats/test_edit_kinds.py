"""An edit that changes nothing is not a correction, whatever its type and form."""

import pytest

from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import edit_kind, edit_of
from maege.ingest.formats.m2 import parse_m2

TOKENS = ["He", "go", "to", "school", "in", "foot", "."]


@pytest.mark.parametrize(
    ("start", "end", "error_type", "correction", "kind"),
    [
        (1, 2, "R:VERB:SVA", "goes", "correction"),
        (1, 2, "U:VERB", "", "correction"),
        (1, 1, "M:PREP", "to", "correction"),
        # The first of several alternatives counts.
        (1, 2, "R:VERB", "goes||go", "correction"),
        (1, 2, "R:VERB", "go||goes", "detection"),
        # The official texts delete the spans that NUCLE marks as unclear.
        (1, 2, "Um", "", "correction"),
        # W&I: repeated edits, and empty insertions.
        (4, 6, "UNK", "in foot", "detection"),
        (4, 4, "UNK", "", "detection"),
        (4, 6, "UNK", "", "detection"),
        (4, 6, "UNK", "on foot", "correction"),
        # QALB, the alternative answers of CoNLL-2014, and Hi-GEC.
        (4, 4, "ArtOrDet", "", "detection"),
        (4, 6, "NO_OP", "in foot", "none"),
        (-1, -1, "noop", "-NONE-", "none"),
    ],
)
def test_an_edit_is_a_correction_where_it_changes_the_text(
    start: int, end: int, error_type: str, correction: str, kind: str
) -> None:
    assert edit_kind(edit_of(start, end, error_type, correction), TOKENS) == kind


def kinds(*edits: str) -> list[tuple[str, int | None]]:
    lines = ["S He go home", *(f"A {edit}|||REQUIRED|||-NONE-|||0" for edit in edits)]
    findings = Findings()
    parsed = parse_m2(lines, findings.about("x.m2"))
    assert findings.as_text() == ""
    return [(edit.kind, edit.edit_index) for edit in parsed.edits]


def test_only_corrections_and_detections_are_numbered() -> None:
    assert kinds("1 2|||R:VERB|||goes", "2 3|||UNK|||") == [("correction", 0), ("detection", 1)]
    # An annotator without any correction deletes what is of type UNK.
    assert kinds("1 2|||UNK|||goes", "2 3|||UNK|||") == [("correction", 0), ("correction", 1)]
    assert kinds("-1 -1|||NO_OP|||-NONE-", "1 2|||R:VERB|||goes")[0] == ("none", None)
