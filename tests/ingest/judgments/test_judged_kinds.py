"""Human judgments with their own manifest: ratings, pairs, edit verdicts and post-edits."""

import re
from pathlib import Path

import pytest
from small_corpus import ingest, maege, query

from maege.ingest.judgments import changed_span, placed_edits

HEAD = """\
judgment_set: mine
title: Judgments of two sentences
licence: CC0-1.0
may_be_shared: true
origin: written for tests
judgments:
"""
RATINGS = """\
  rated:
    kind: ratings
    file: rated.tsv
    judges: identified
    columns: {item: id, source: text, output: out, system: sys, judge: who}
    references: [gold]
    aspects:
      fluency: {low: 1, high: 5, step: 1}
      errors_left: {low: 0, high: 2, higher_is_better: false, column: errors}
"""
RATED = """\
id\ttext\tout\tsys\twho\tfluency\terrors
1\tHe go .\tHe goes .\ta\tann\t5\t0
1\tHe go .\tHe goes .\tgold\tann\t4\t
1\tHe go .\tHe go .\tb\tann\t1\t2
1\tHe go .\tHe go .\tb\tbob\t2\t2
2\tFine .\tFine .\ta\tbob\t5\t0
"""
PAIRS = """\
  pairs:
    kind: pairs
    file: pairs.csv
    judges: identified
    columns: {item: id, judge: who, output_a: a, output_b: b, system_b: other, winner: best}
    system_a: mine
    winners: {tie: [similar]}
    aspects: {meaning: {}}
"""
VERDICTS = """\
  verdicts:
    kind: edit_verdicts
    file: verdicts.tsv
    judges: bag
    columns: {item: id, source: src, hypothesis: hyp, original: old, correction: new, verdict: said}
    verdicts: {TP: 1, FP: -1}
"""
SAID = """\
id\tsrc\thyp\told\tnew\tsaid
1\tI has a dogs .\tI have a dog .\thas\thave\tTP TP
1\tI has a dogs .\tI have a dog .\tdogs\tdog\tTP FP
2\tGood .\tGood .\t\t\t
"""
WHOLE = """\
  whole:
    kind: edit_verdicts
    file: whole.tsv
    judges: single
    provenance: by_text
    columns: {source: src, hypothesis: hyp, verdict: ok}
    verdicts: {"1": 1, "0": -1}
"""


def written(folder: Path, entries: str, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "manifest.yml").write_text(HEAD + entries)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def loaded(tmp_path: Path, entries: str, **files: str) -> Path:
    """Return the warehouse after an ingest of the judgments."""
    ingest(tmp_path / "warehouse", written(tmp_path / "mine", entries, **files))
    return tmp_path / "warehouse"


def findings(warehouse: Path) -> list[tuple[object, ...]]:
    return query(warehouse, "select line, kind, detail from raw.judgment_findings order by all")


def test_equal_texts_of_an_item_are_one_output(tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    answer = ingest(warehouse, written(tmp_path / "mine", RATINGS, rated_tsv=RATED)).stdout
    assert "mine: 2 judged items, 2 files; 2 loaded" in answer
    outputs = "select item, output_id, text, is_source from raw.judged_outputs order by all"
    assert query(warehouse, outputs) == [
        ("1", 0, "He goes .", False),
        ("1", 1, "He go .", True),
        ("2", 0, "Fine .", True),
    ]
    systems = "select item, output_id, system, is_reference from raw.output_systems order by all"
    assert query(warehouse, systems) == [
        ("1", 0, "a", False),
        ("1", 0, "gold", True),
        ("1", 1, "b", False),
        ("2", 0, "a", False),
    ]
    # Two judges of the same presentation have the same `presented`. The blank on line 3 counts as
    # no rating.
    assert query(warehouse, "select line, kind, detail from raw.judgment_findings") == [
        (3, "blank", "no rating: errors_left, gold")
    ]
    assert query(
        warehouse,
        "select line, presented, judge, aspect, value from raw.ratings where item = '1' "
        "order by all",
    ) == [
        (2, 0, "ann", "errors_left", 0.0),
        (2, 0, "ann", "fluency", 5.0),
        (3, 1, "ann", "fluency", 4.0),
        (4, 2, "ann", "errors_left", 2.0),
        (4, 2, "ann", "fluency", 1.0),
        (5, 2, "bob", "errors_left", 2.0),
        (5, 2, "bob", "fluency", 2.0),
    ]
    assert "unchanged since it was ingested" in ingest(warehouse, tmp_path / "mine").stdout
    assert maege(warehouse, "remove", "mine").exit_code == 0
    assert query(warehouse, "select count(*) from raw.ratings") == [(0,)]


def test_a_winner_is_the_name_of_a_side_or_a_word_of_the_manifest(tmp_path: Path) -> None:
    rows = "id,who,a,b,other,best\n1,x,A .,B .,theirs,theirs\n1,x,A .,B .,theirs,similar\n"
    warehouse = loaded(tmp_path, PAIRS, pairs_csv=f"{rows}2,y,C .,C .,theirs,mine\n")
    pairs = "select item, judge, output_a, output_b, preference from raw.preference_pairs"
    assert query(warehouse, f"{pairs} order by line") == [
        ("1", "x", 0, 1, -1),
        ("1", "x", 0, 1, 0),
        ("2", "y", 0, 0, 1),
    ]


def test_edits_without_offsets_are_placed_and_each_is_a_text_of_its_own(tmp_path: Path) -> None:
    warehouse = loaded(tmp_path, VERDICTS, verdicts_tsv=SAID)
    columns = "edit, start_char, end_char, edited, slot, verdict, value"
    assert query(warehouse, f"select {columns} from raw.edit_verdicts order by all") == [
        (0, 2, 5, "I have a dogs .", 1, "TP", 1.0),
        (0, 2, 5, "I have a dogs .", 2, "TP", 1.0),
        (1, 8, 12, "I has a dog .", 1, "TP", 1.0),
        (1, 8, 12, "I has a dog .", 2, "FP", -1.0),
    ]
    assert [finding[:2] for finding in findings(warehouse)] == [(4, "no_edit")]


def test_a_verdict_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    rows = "src\thyp\tok\nHe go .\tHe goes .\t1\nHe go .\tHe goes .\t1\nHe go .\tHe went .\t0\n"
    warehouse = loaded(tmp_path, WHOLE, whole_tsv=rows)
    columns = "item, edit, original, correction, value"
    assert query(warehouse, f"select {columns} from raw.edit_verdicts order by all") == [
        ("0", 0, "go", "goes", 1.0),
        ("0", 1, "go", "went", -1.0),
    ]
    assert findings(warehouse) == [(3, "repetition", "as on line 2")]


CODED = """\
  packed:
    kind: ratings
    file: packed.csv
    judges: positional
    values: packed
    columns: {source: src, output: out}
    aspects: {fluency: {low: 0, high: 4}}
  coded:
    kind: ratings
    file: coded.csv
    judges: single
    values: codes
    item_prefix: coded
    columns: {item: id}
    systems: {a: A, b: B}
    aspects: {awkward: {code: A}, orthography: {code: O}}
"""


def test_packed_values_are_slots_and_codes_are_sets_of_letters(tmp_path: Path) -> None:
    files = {"packed_csv": 'src,out,fluency\nx,y,"3,4"\n', "coded_csv": "id,A,B\n7,AO,\n"}
    warehouse = loaded(tmp_path, CODED, **files)
    columns = "task, item, systems, slot, aspect, value"
    assert query(warehouse, f"select {columns} from raw.ratings order by all") == [
        ("coded", "coded/7", "a", None, "awkward", 1.0),
        ("coded", "coded/7", "a", None, "orthography", 1.0),
        ("coded", "coded/7", "b", None, "awkward", 0.0),
        ("coded", "coded/7", "b", None, "orthography", 0.0),
        ("packed", "0", "", 1, "fluency", 3.0),
        ("packed", "0", "", 2, "fluency", 4.0),
    ]


WIDE = """\
  wide:
    kind: ratings
    file: wide.csv
    judges: identified
    values: wide
    columns: {source: src, output: out, system: sys}
    aspects:
      simplicity: {low: 0, high: 100, raters: {ann: ann_simple, bob: bob_simple}}
      meaning: {raters: {ann: ann_meaning}}
"""
WIDE_ROWS = """\
src,out,sys,ann_simple,bob_simple,ann_meaning
He go .,He goes .,a,80,90,5
He go .,,b,0,,
"""


def test_each_rater_may_have_a_column(tmp_path: Path) -> None:
    warehouse = loaded(tmp_path, WIDE, wide_csv=WIDE_ROWS)
    columns = "line, output_id, judge, slot, aspect, value"
    assert query(warehouse, f"select {columns} from raw.ratings order by all") == [
        (2, 0, "ann", 1, "meaning", 5.0),
        (2, 0, "ann", 1, "simplicity", 80.0),
        (2, 0, "bob", 2, "simplicity", 90.0),
        (3, 1, "ann", 1, "simplicity", 0.0),
    ]
    # An empty output is an output, and each blank is counted.
    outputs = query(warehouse, "select text from raw.judged_outputs order by output_id")
    assert outputs == [("He goes .",), ("",)]
    assert findings(warehouse) == [
        (3, "blank", "no rating: meaning, b, ann"),
        (3, "blank", "no rating: simplicity, b, bob"),
    ]


TEXTS = """\
  rated:
    kind: ratings
    file: rated.csv
    judges: single
    columns: {item: id, output: out, system: sys}
    aspects: {fluency: {}}
    texts: {file: texts.csv, columns: {item: id, source: src}, systems: {a: A, b: B}}
"""


def test_empty_output_has_the_text_of_other_files(tmp_path: Path) -> None:
    """System a is empty in the judgments and in the texts; b has a text only in the texts."""
    rated = "id,out,sys,fluency\n1,,a,0\n1,,b,3\n"
    warehouse = loaded(tmp_path, TEXTS, rated_csv=rated, texts_csv="id,src,A,B\n1,x,,y\n")
    outputs = query(warehouse, "select text from raw.judged_outputs order by output_id")
    assert outputs == [("",), ("y",)]


EDITED = """\
  edited:
    kind: post_edits
    file: edited.csv
    judges: identified
    columns: {item: id, output: out, judge: who, text: better}
"""


def test_a_post_edit_that_changes_nothing_is_the_output_itself(tmp_path: Path) -> None:
    rows = "id,out,who,better\n1,He go .,ann,He goes .\n1,Fine .,ann,Fine .\n1,So .,ann,\n"
    warehouse = loaded(tmp_path, EDITED, edited_csv=rows)
    edits = query(warehouse, "select line, output_id, edited_id from raw.post_edits order by all")
    assert edits == [(2, 0, 1), (3, 2, 2)]
    assert [finding[:2] for finding in findings(warehouse)] == [(4, "blank")]


@pytest.mark.parametrize(
    ("entries", "rows", "place", "words"),
    [
        (RATINGS, RATED.replace("\t5\t0", "\t6\t0"), "rated.tsv:2", "from 1 to 5"),
        (
            RATINGS,
            RATED.replace(".\tHe go .\tb\tbob", "\tHe go .\tb\tbob"),
            "rated.tsv:5",
            "one source",
        ),
        (RATINGS.replace("judge: who", "judge: by"), RATED, "rated.tsv:1", "column by"),
        (PAIRS, "id,who,a,b,other,best\n1,x,A,B,y,z\n", "pairs.csv:2", "winners"),
        (VERDICTS, SAID.replace("FP", "NO"), "verdicts.tsv:3", "TP, FP"),
        (RATINGS.replace(", judge: who", ""), RATED, ":7", "columns.judge"),
        (WIDE.replace("identified", "single"), WIDE_ROWS, ":7", "positional"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_file_and_line(
    tmp_path: Path, entries: str, rows: str, place: str, words: str
) -> None:
    (file,) = re.findall(r" file: (\S+)", entries)
    folder = written(tmp_path / "mine", entries, **{file.replace(".", "_"): rows})
    result = maege(tmp_path / "warehouse", "ingest", folder)
    assert result.exit_code == 2
    output = " ".join(result.stderr.split())
    assert place in output
    assert words in output


def test_edits_are_placed_and_spans_are_whole_words() -> None:
    # "a" occurs three times; the second edit comes after the first.
    assert placed_edits("a b a c a", "a b the c a", [("a", "the")]) == [(4, 5)]
    # It is unknown which of two equal positions is meant, because neither is unique.
    assert placed_edits("so so", "so", [("so", "")]) == [None]
    assert placed_edits("x y", "z", [("y", "w"), ("none", "w")]) == [(2, 3), None]

    assert changed_span("he go home", "he goes home") == (3, 5, "goes")
    assert changed_span("he home", "he go home") == (3, 3, "go ")
    assert changed_span("a b", "a c") == (2, 3, "c")
