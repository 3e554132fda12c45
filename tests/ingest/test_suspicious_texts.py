"""Suspicious texts at ingest: rejected with one finding, or accepted and recorded; odd tables."""

from pathlib import Path

import pytest
from small_corpus import ingest, maege, query

M2 = """\
S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S She like cats .
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0

"""
HEAD = "corpus: mine\ntitle: t\nlicence: MIT\norigin: o\n"
EDITS = """\
annotations: {main: [edits.m2]}
references: {main: {annotations: main}}
lattice: {paper: {annotations: main, references: main}}
systems: {a: out.txt}
"""
TABLE = """\
source: t.tsv
references: {r: {texts: [t.tsv]}}
annotations: {r: {extracted_from: r}}
systems: {a: out.txt}
"""
GOOD = "He goes home .\nShe likes cats .\n"
UNTOKENISED = "He goes home.\nShe likes cats.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "corpus"
    path.mkdir()
    for name, text in (("manifest.yml", HEAD + EDITS), ("edits.m2", M2), ("out.txt", GOOD)):
        (path / name).write_text(text, encoding="utf-8")
    return path


def refused(folder: Path) -> str:
    result = maege(folder.parent / "wh", "ingest", folder)
    assert result.exit_code == 2
    assert "1 finding. The tables are as before." in result.stderr
    return " ".join(result.stderr.split())


def table(folder: Path, text: str) -> None:
    (folder / "manifest.yml").write_text(HEAD + TABLE, encoding="utf-8")
    (folder / "t.tsv").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("output", "check"),
    [(UNTOKENISED, "untokenised"), ('"He goes home ."\n"She likes cats ."\n', "quoted")],
)
def test_suspicious_output_is_refused_or_recorded(folder: Path, output: str, check: str) -> None:
    (folder / "out.txt").write_text(output, encoding="utf-8")
    assert f"accept: [{check}] in the manifest, or add --force" in refused(folder)
    warehouse = folder.parent / "wh"
    assert f"warning: out.txt:1: {check}" in ingest(warehouse, folder, "--force").stdout
    (folder / "manifest.yml").write_text(f"{HEAD}accept: [{check}]\n{EDITS}", encoding="utf-8")
    ingest(warehouse, folder)
    kinds = query(warehouse, "select path, line, kind from raw.ingest_findings")
    assert kinds == [("out.txt", 1, check)]


def test_text_with_a_zero_byte_is_refused(folder: Path) -> None:
    (folder / "out.txt").write_text('{"text": "a\\u0000b"}\n{"text": "c"}\n', encoding="utf-8")
    assert "out.txt:1 found a text with a zero byte or half of a UTF-16 pair" in refused(folder)


def test_repeated_edit_and_empty_rankings_are_warned_of(folder: Path) -> None:
    edit = "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
    (folder / "edits.m2").write_text(M2.replace(edit, edit * 2), encoding="utf-8")
    manifest = f"{HEAD}{EDITS}judgments: {{j: j.csv}}\n"
    (folder / "manifest.yml").write_text(manifest, encoding="utf-8")
    (folder / "j.csv").write_text("judge,item,sentence_id,system,rank\n", encoding="utf-8")
    output = ingest(folder.parent / "wh", folder).stdout
    assert "warning: edits.m2:3: repeated edit: 1 edit repeats" in output
    assert "warning: j.csv: no rankings" in output


@pytest.mark.parametrize(
    ("lines", "texts"),
    [
        # Quoted only if needed, as pandas writes; every cell quoted; a single mark is text.
        ('"He ""go"" ."\t"He ""goes"" ."\nA .\tA .\n', ['He "go" .', "A .", 'He "goes" .', "A ."]),
        ('"He go ."\t"He goes ."\n"A ."\t"A ."\n', ["He go .", "A .", "He goes .", "A ."]),
        ('"He go .\t"He goes .\nA .\tA .\n', ['"He go .', "A .", '"He goes .', "A ."]),
        # Lang-8.
        (
            "1\t7\thttp://x.invalid/1\t0\tHe go .\tHe goes .\n\n"
            "2\t8\thttp://x.invalid/2\t0\tShe like .\tShe likes .\tShe liked .\n",
            ["He go .", "She like .", "He goes .", "She likes .", "She liked ."],
        ),
    ],
)
def test_columns_are_read_as_their_program_wrote_them(
    folder: Path, lines: str, texts: list[str]
) -> None:
    table(folder, lines if lines[0] == "1" else f"source\ttarget\n{lines}")
    warehouse = folder.parent / "wh"
    ingest(warehouse, folder)
    sources = query(warehouse, "select text from raw.sentences order by sentence_id")
    references = query(
        warehouse, 'select text from raw."references" order by sentence_id, reference'
    )
    assert [text for (text,) in (*sources, *references)] == texts


def test_mixed_quotes_and_columns_without_texts_are_refused(folder: Path) -> None:
    table(folder, 'source\ttarget\n"He ""go"" ."\tHe goes .\nShe "likes" .\tShe likes .\n')
    assert "breaks the rules of CSV" in refused(folder)
    table(folder, "1\t2\tHe go .\tHe goes .\n2\t2\tShe like .\tShe likes .\n")
    assert "a column of numbers or addresses" in refused(folder)


def test_repeated_id_is_warned_of(folder: Path) -> None:
    table(folder, "id\tsource\ttarget\n1\tHe go .\tHe goes .\n1\tShe like .\tShe likes .\n")
    (folder / "out.txt").write_text("He goes .\nShe likes .\n", encoding="utf-8")
    output = ingest(folder.parent / "wh", folder).stdout
    assert 'warning: t.tsv:3: repeated id: 1 id is in several rows, such as "1"' in output


def test_judged_texts_with_other_tokens_are_warned_of(folder: Path) -> None:
    warehouse = folder.parent / "wh"
    ingest(warehouse, folder)
    judged = folder.parent / "judged"
    judged.mkdir()
    manifest = (
        "judgment_set: judged\ntitle: t\nlicence: MIT\nmay_be_shared: true\norigin: o\n"
        "judgments:\n  ratings:\n    kind: ratings\n    file: r.tsv\n    judges: single\n"
        "    corpus: mine\n    link: number\n"
        "    columns: {item: item, source: source, output: output, system: system}\n"
        "    aspects:\n      fluency: {low: 1, high: 5, step: 1}\n"
    )
    (judged / "manifest.yml").write_text(manifest, encoding="utf-8")
    rows = (
        "item\tsource\toutput\tsystem\tfluency\n"
        "0\tHe go home .\tHe goes home .\ta\t5\n"
        "1\tShe like cats.\tShe likes cats.\ta\t5\n"
    )
    (judged / "r.tsv").write_text(rows, encoding="utf-8")
    output = ingest(warehouse, judged).stdout
    assert "the texts of 1 of 2 items are tokenised differently" in output
    assert "tokens: words" in output
    # Linked to the corpus by the text of the source.
    unlinked = manifest.replace("    corpus: mine\n    link: number\n", "")
    (judged / "manifest.yml").write_text(unlinked, encoding="utf-8")
    assert "the texts of 1 of 2 items are" in ingest(warehouse, judged).stdout
    (judged / "manifest.yml").write_text(manifest + "tokens: words\n", encoding="utf-8")
    assert "tokenised differently" not in ingest(warehouse, judged).stdout
