"""Edits of system outputs that a tool outside the warehouse extracted."""

from pathlib import Path

import pytest
from small_corpus import MANIFEST, load, query, refused, write_corpus

WITH_EDITS = (
    MANIFEST.replace("annotations: single}", "annotations: single, system_edits: tool}")
    + "system_edits:\n  tool: {INPUT: input.errant, good: good.errant}\n"
)
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
TAIL = "|||REQUIRED|||-NONE-|||0\n"


def m2(*edits: str, first: str = "This are a cat .") -> str:
    return f"S {first}\n{edits[0]}\nS All well .\n{edits[1]}\nS He go home\n{edits[2]}"


INPUT_EDITS = m2(NOOP, NOOP, "")
GOOD_EDITS = m2(f"A 1 2|||R:VERB:SVA|||is{TAIL}", NOOP, f"A 1 2|||R:VERB:SVA|||goes{TAIL}")


FILES = {"manifest_yml": WITH_EDITS, "input_errant": INPUT_EDITS, "good_errant": GOOD_EDITS}


def test_edits_stand_with_their_edit_set_and_system(tmp_path: Path) -> None:
    _, warehouse, tables = load(tmp_path, **FILES)
    tail = ("REQUIRED", "-NONE-", "correction")
    assert tables["system_edits"] == [
        ("small", "good.errant", 2, "tool", "good", 0, 0, 1, 2, "R:VERB:SVA", "is", *tail),
        ("small", "good.errant", 8, "tool", "good", 2, 0, 1, 2, "R:VERB:SVA", "goes", *tail),
    ]
    assert tables["reference_sets"][0] == ("small", "edits", 1, "single", False, "tool", None)
    files = query(
        warehouse,
        "select path, format, name from raw.files where role = 'system_edits' order by path",
    )
    assert files == [("good.errant", "m2", "tool/good"), ("input.errant", "m2", "tool/INPUT")]


def test_the_edits_of_an_empty_output_delete_everything(tmp_path: Path) -> None:
    edits = m2(NOOP, f"A 0 3|||U:OTHER|||{TAIL}", NOOP)
    files = {**FILES, "good_errant": edits, "good_txt": "This are a cat .\n\nHe go home\n"}
    assert len(load(tmp_path, **files).tables["system_edits"]) == 1


CASES = {
    "another correction": (
        GOOD_EDITS.replace("goes", "went"),
        8,
        'edits of sentence 2 that make its token 1 "went"',
    ),
    "an edit too few": (m2(NOOP, NOOP, NOOP), 1, 'edits of sentence 0 that make its token 1 "are"'),
    "two annotators": (
        GOOD_EDITS.replace(NOOP, NOOP[:-2] + "1\n"),
        5,
        "annotator 1 in a file of annotator 0",
    ),
}


@pytest.mark.parametrize(("good", "line", "found"), CASES.values(), ids=CASES.keys())
def test_edits_that_do_not_lead_from_the_source_to_the_output_are_refused(
    tmp_path: Path, good: str, line: int, found: str
) -> None:
    loaded = load(tmp_path, **FILES)
    write_corpus(loaded.corpus, **{**FILES, "good_errant": good})
    (finding,) = refused(loaded)
    assert (Path(finding["file"]).name, finding["line"]) == ("good.errant", line)
    assert finding["found"] == found
