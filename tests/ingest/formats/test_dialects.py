"""Dialects of formats are read alike; for an unreadable file one finding says what to do."""

import json
from pathlib import Path

import pytest
from small_corpus import ingest, maege, query

from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import AnnotationFile
from maege.ingest.formats.common import other_kind
from maege.ingest.formats.fcgec import parse_fcgec
from maege.ingest.formats.m2 import parse_m2

TAIL = "|||REQUIRED|||-NONE-|||"
M2 = f"""\
S He go home .
A 1 2|||R:VERB|||goes{TAIL}0
A 1 2|||R:VERB|||went{TAIL}1

S All well .
A -1 -1|||noop|||-NONE-{TAIL}0
A -1 -1|||noop|||-NONE-{TAIL}1
"""
CHERRANT = f"""\
S 我 看 花 多 。
T0-A0 我 看 了 多 花 。
A 2 2|||M|||了{TAIL}0
A 2 4|||W|||多 花{TAIL}0
T0-A1 我 看 了 多 花 。
A 2 2|||M|||了{TAIL}0
A 2 3|||R|||-NONE-{TAIL}0
A 4 4|||M|||花{TAIL}0
T1-A0 我 看 多 花 。
A 2 4|||W|||多 花{TAIL}1

S 很 好 。
T0 没有错误
A -1 -1|||noop|||-NONE-{TAIL}0
T1 没有标注
A -1 -1|||NA|||-NONE-{TAIL}1
"""


def edits(parsed: AnnotationFile) -> list[tuple[object, ...]]:
    return [
        (e.sentence_id, e.annotator, e.edit_index, e.edit.start, e.edit.end, e.correction)
        for e in parsed.edits
    ]


def read(text: str) -> AnnotationFile:
    findings = Findings()
    parsed = parse_m2(text.split("\n"), findings.about("x.m2"))
    assert list(findings) == []
    return parsed


@pytest.mark.parametrize(
    "text",
    [
        M2.replace("S ", "S\t").replace("A ", "A\t"),
        M2.replace("\n", " \n").replace("S ", "S  "),
        "".join(f"  {line}\n" for line in M2.splitlines()),
        "\ufeff" + M2.removesuffix("\n"),
        M2.replace("|||REQUIRED|||-NONE-", ""),
        M2.replace("|||-NONE-|||0", "|||0").replace("|||-NONE-|||1", "|||1"),
        M2.replace(f"A 1 2|||R:VERB|||goes{TAIL}0\n", "").replace(
            f"went{TAIL}1\n", f"went{TAIL}1\nA 1 2|||R:VERB|||goes{TAIL}0\n"
        ),
    ],
    ids=["tabs", "blanks", "indented", "mark, no end", "short", "five fields", "other order"],
)
def test_m2_is_read_however_it_is_spaced_and_ordered(text: str) -> None:
    parsed = read(text)
    assert sorted(edits(parsed), key=repr) == sorted(edits(read(M2)), key=repr)
    assert [s.tokens for s in parsed.sentences] == [["He", "go", "home", "."], ["All", "well", "."]]


def test_without_its_last_fields_an_edit_is_required_and_of_annotator_0() -> None:
    (edit,) = read("S a b\nA 0 1|||R|||x").edits
    assert (edit.annotator, edit.required, edit.comment) == ("0", "REQUIRED", "-NONE-")


def test_each_way_to_make_a_target_is_an_annotator() -> None:
    parsed = read(CHERRANT)
    assert edits(parsed) == [
        (0, "0", 0, 2, 2, "了"),
        (0, "0", 1, 2, 4, "多 花"),
        (0, "0-A1", 0, 2, 2, "了"),
        (0, "0-A1", 1, 2, 3, ""),
        (0, "0-A1", 2, 4, 4, "花"),
        (0, "1", 0, 2, 4, "多 花"),
        (1, "0", None, -1, -1, ""),
    ]
    assert [(entry.line, entry.kind) for entry in parsed.left_out] == [(16, "not_annotated")]


OTHER_KINDS = {
    "JSON list": ('[\n{"a": "x"},\n{"a": "y"}\n]\n', "JSON, such as", "Write M2"),
    "sentences": ("A dog barks .\nShe sings .\n", "2 lines of text", "extracted_from"),
    "swapped fields": (
        M2.replace("R:VERB|||goes", "goes|||SVA").replace("noop|||-NONE-", "-NONE-|||noop"),
        "with swapped fields",
        "in this order",
    ),
}


@pytest.mark.parametrize(("text", "found", "remedy"), OTHER_KINDS.values(), ids=OTHER_KINDS.keys())
def test_what_is_no_m2_is_named(text: str, found: str, remedy: str) -> None:
    findings = Findings()
    parse_m2(text.removesuffix("\n").split("\n"), findings.about("x.m2"))
    finding, *_ = findings
    assert found in finding.found
    assert remedy in finding.remedy


def operation(position: int, tag: str, label: str | list[str]) -> list[dict[str, object]]:
    return [{"pos": position, "tag": tag, "label": label}]


def test_operations_of_fcgec_become_edits_of_characters() -> None:
    both = {
        "Insert": operation(0, "INS_1", ["也", "都"]),
        "Modify": operation(2, "MOD_1+INS_1", "报纸"),
    }
    operations: dict[str, object] = {
        "他MP3去好": [{"Delete": [0]}, {"Switch": [0, 1, 2, 3, 5, 4]}],
        "我看书。": "[]",
        "他看书。": [both],
        "看MP3": [{"Insert": operation(1, "x", "X")}],
    }
    entries = {text: {"sentence": text, "operation": each} for text, each in operations.items()}
    findings = Findings()
    parsed = parse_fcgec(json.dumps(entries).split("\n"), findings.about("x.json"))
    assert list(findings) == []
    assert parsed.sentences[0].text == "他 MP 3 去 好"
    assert edits(parsed) == [
        (0, "0", 0, 0, 1, ""),
        (0, "1", 0, 3, 5, "好 去"),
        (1, "0", None, -1, -1, ""),
        (2, "0", 0, 1, 1, "也||都"),
        (2, "0", 1, 2, 3, "报 纸"),
        (3, "0", 0, 1, 2, "MXP"),
    ]


HEAD = "corpus: tables\ntitle: x\nlicence: x\norigin: x\n"


def write(folder: Path, keys: str, **texts: str | bytes) -> Path:
    """Write a manifest with these keys and files; return the folder of a warehouse."""
    for name, text in {"manifest_yml": HEAD + keys, **texts}.items():
        content = text if isinstance(text, bytes) else text.encode()
        (folder / name.replace("_", ".")).write_bytes(content)
    return folder / "warehouse"


JSON_LINES = """\
{"source": "He go .", "targets": ["He goes .", "He went ."], "rough": "He gos ."}
{"source": "All well .", "targets": ["All well ."], "rough": "Well ."}
"""
TABLES = {
    "ids": "1\tHe go .\tHe goes .\tHe went .\n2\tAll well .\t没有错误\t没有标注\n",
    "two columns and more": "He go .\tHe goes .\tHe went .\nAll well .\tAll well .\n",
    "header": "source\ttarget1\ttarget2\nHe go .\tHe goes .\tHe went .\nAll well .\tAll well .\t\n",
    "hashes": "3afc\tHe go .\tHe goes .\tHe went .\n1c8a\tAll well .\tAll well .\t\n",
    "lists": JSON_LINES,
    "objects": JSON_LINES.replace("source", "sentence_text").replace(
        '"targets": ["All well ."]', '"sentence_annos": [{"correction": "All well ."}]'
    ),
    "one key each": '{"src": "He go .", "ref0": "He goes .", "ref1": "He went ."}\n'
    '{"src": "All well .", "ref0": "All well .", "ref1": null}\n',
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES.keys())
def test_sentences_and_corrections_come_from_one_file(tmp_path: Path, text: str) -> None:
    warehouse = write(tmp_path, "source: t.txt\nreferences: {main: {texts: [t.txt]}}\n", t_txt=text)
    ingest(warehouse, tmp_path)
    rows = query(
        warehouse,
        "select s.text, list(r.text order by reference) from raw.sentences as s "
        'left join raw."references" as r using (sentence_id) group by all order by all desc',
    )
    assert rows == [("He go .", ["He goes .", "He went ."]), ("All well .", ["All well ."])]
    members = query(warehouse, "select reference from raw.reference_set_members")
    assert members == [("t.1",), ("t.2",)]


def test_outputs_come_from_columns_of_their_name(tmp_path: Path) -> None:
    keys = "source: t.jsonl\nsystems: {INPUT: t.jsonl, rough: t.jsonl}\n"
    warehouse = write(tmp_path, keys, t_jsonl=JSON_LINES)
    ingest(warehouse, tmp_path)
    rows = query(warehouse, "select system, text from raw.outputs order by system, sentence_id")
    assert [text for _, text in rows] == ["He go .", "All well .", "He gos .", "Well ."]
    assert [system for system, _ in rows] == ["INPUT", "INPUT", "rough", "rough"]


def test_the_corrections_of_references_are_no_output(tmp_path: Path) -> None:
    text = JSON_LINES.replace('["All', '["It", "All')
    keys = "source: t.jsonl\nreferences: {main: {texts: [t.jsonl]}}\nsystems: {ruff: t.jsonl}\n"
    result = maege(write(tmp_path, keys, t_jsonl=text), "ingest", tmp_path)
    assert 'no column "ruff", but rough' in result.stderr
    assert result.exit_code == 2


def test_tabs_in_plain_text_are_said(tmp_path: Path) -> None:
    warehouse = write(tmp_path, "source: s.txt\n", s_txt="He go .\tHe goes .\nAll well .\n")
    assert "1 of 2 sentences have tabs, which count" in ingest(warehouse, tmp_path).output


@pytest.mark.parametrize(
    ("key", "meaning", "reason"),
    [
        ("", "not_asked", "set in the manifest, or marked by lines of type NA"),
        ("absent: no_error\n", "no_error", "set in the manifest"),
    ],
)
def test_who_is_said_not_to_have_annotated_was_not_asked(
    key: str, meaning: str, reason: str, tmp_path: Path
) -> None:
    first, second = (block.rstrip("\n") for block in CHERRANT.split("\n\n"))
    nobody = second.splitlines()[0] + f"\nT0 没有标注\nA -1 -1|||NA|||-NONE-{TAIL}0"
    keys = f"annotations: {{main: [e.m2]}}\n{key}"
    warehouse = write(tmp_path, keys, e_m2=f"{first}\n\n{nobody}\n")
    output = ingest(warehouse, tmp_path).output
    assert f"1 sentence without any line, counted as {meaning} ({reason})" in output
    assert query(warehouse, "select absent from raw.corpora") == [(meaning,)]


def test_texts_are_chosen_by_ids_and_cut_into_characters(tmp_path: Path) -> None:
    ranking = '<ranking-item src-id="{}" id="{}" user="a" doc-id="{}">{}</ranking-item>'
    cell = '<translation rank="1" system="out"/>'
    items = ranking.format(2, 1, "t", cell) + ranking.format(9, 2, "other", cell)
    keys = (
        "language: zh\ntokens: characters\nids: ids.txt\nsource: t.txt\n"
        "references: {main: {texts: [t.txt]}}\nsystems: {out: out.txt}\n"
        "judgments: {ranked: {file: j.xml, documents: [t]}}\n"
    )
    warehouse = write(
        tmp_path,
        keys,
        t_txt="1\t我看\t我看书\n2\t好MP3\t很好\n3\t去\t不去\n",
        ids_txt="3\n2\n",
        out_txt="去了\n好\n",
        j_xml=f'<ranking-result id="1">{items}</ranking-result>\n',
    )
    result = ingest(warehouse, tmp_path)
    sentences = query(warehouse, "select text from raw.sentences order by sentence_id")
    assert sentences == [("去",), ("好 MP 3",)]
    assert query(warehouse, "select text from raw.outputs order by sentence_id")[0] == ("去 了",)
    assert query(warehouse, "select sentence_id from raw.judgments") == [(0,)]
    assert query(warehouse, "select format from raw.judgment_sets") == [("appraise",)]
    assert query(warehouse, "select kind, detail from raw.ingest_findings") == [
        ("other_document", "1 items of the document other")
    ]
    assert "1 excluded: other document" in result.stdout


REFUSED = {
    "M2 as source": (M2, "found    M2", "Name it under annotations"),
    "JSON list": ('[\n{"source": "x"}\n]\n', "found    JSON", "an object in each line"),
    "large file": ("version https://git-lfs.github.com/spec/v1\n", "Git LFS", "git lfs pull"),
    "web page": ("<!DOCTYPE html>\n<html></html>\n", "XML or HTML", "one sentence per line"),
    "JSON without a sentence": ('{"a": "x"}\n', "no sentence under a", "Rename the key"),
    "broken JSON": ('{"source": "x"}\noops\n', "not a JSON object", "correct or remove"),
    "commas": ("source,target\nHe go,He goes\n", "columns separated by commas", "by tabs"),
    "a column too few": ("source\ttarget\nx\ty\nx\n", "no tab", "formats: {FILE: text}"),
    "carriage returns": ("a\rb\r", "a carriage return alone", "tr '\\r' '\\n'"),
    "packed otherwise": (b"BZh91AY", "packed with bzip2", "Unpack it"),
}


@pytest.mark.parametrize(("content", "found", "remedy"), REFUSED.values(), ids=REFUSED.keys())
def test_a_source_of_another_kind_has_one_finding(
    tmp_path: Path, content: str | bytes, found: str, remedy: str
) -> None:
    # The findings of a file that is read twice are reported once.
    keys = "source: s.txt\nreferences: {main: {texts: [s.txt]}}\n"
    result = maege(write(tmp_path, keys, s_txt=content), "ingest", tmp_path)
    words = " ".join(result.stderr.split())
    assert (result.exit_code, words.count("found")) == (2, 1), result.stderr
    assert " ".join(found.split()) in words
    assert remedy in words


def test_blank_lines_byte_order_marks_and_tags_in_sentences_are_no_dialect() -> None:
    assert other_kind(["", "\ufeff", " \ufeff\t"]) is None
    assert other_kind(["<b> He go .", "All well ."]) is None
