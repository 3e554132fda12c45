"""`maege compare` on files of four sentences, in a language without a parser."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from maege.cli import app
from maege.comparison.reading import distinct_names

GOLD = """\
S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S I likes to drink a tea .
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||1

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The end .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
BASE = "He goes home .\nI like to drink a coffee .\nAll is good .\nThe end .\n"
OURS = "He goes home .\nI like to drink tea .\nAll is well .\nThe end .\n"
OURS_M2 = """\
S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S I likes to drink a tea .
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0

S All is well .

S The end .
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAEGE_CACHE", str(tmp_path / "cache"))
    source = "".join(line[2:] + "\n" for line in GOLD.split("\n") if line[:2] == "S ")
    texts = {"gold.m2": GOLD, "base.txt": BASE, "ours.txt": OURS, "ours.m2": OURS_M2}
    for name, text in {**texts, "src.txt": source}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    command = ["compare", "--language", "xx", "--resamples", "200", *arguments]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == code, result.output
    return result.output


def answer(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--format", "json"))


@pytest.mark.usefixtures("folder")
def test_json_follows_the_schema(repository: Path) -> None:
    schema = json.loads((repository / "maege/comparison/schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for arguments in (
        ("--gold", "gold.m2", "base.txt", "ours.txt"),
        ("--gold", "gold.m2", "ours.m2", "--resamples", "0"),
        ("--source", "src.txt", "--refs", "ours.txt", "base.txt", "src.txt", "--margin", ".1"),
    ):
        jsonschema.validate(answer(*arguments), schema)


@pytest.mark.usefixtures("folder")
def test_edits_of_m2_count_as_those_of_the_text() -> None:
    text, m2 = answer("--gold", "gold.m2", "ours.txt"), answer("--gold", "gold.m2", "ours.m2")
    assert text["systems"][0]["metrics"] == m2["systems"][0]["metrics"]
    assert m2["type_sums"]["ours"]["tp"] == text["type_sums"]["ours"]["tp"] == 3
    assert "types_by_place" in {note["kind"] for note in text["notes"]}


@pytest.mark.usefixtures("folder")
def test_names_are_those_of_files_or_given() -> None:
    result = answer("--gold", "gold.m2", "base.txt", "ours.txt", "--names", "A,B")
    assert [system["name"] for system in result["systems"]] == ["A", "B"]
    assert distinct_names([Path("a/x.txt"), Path("b/x.txt"), Path("y.txt")]) == ["a/x", "b/x", "y"]


@pytest.mark.usefixtures("folder")
def test_the_same_files_give_the_same_bytes_from_the_cache() -> None:
    arguments = ("--gold", "gold.m2", "base.txt", "ours.txt")
    cold, warm, without = answer(*arguments), answer(*arguments), answer(*arguments, "--no-cache")
    for result in (cold, warm, without):
        del result["seconds"]
    assert cold == warm == without


@pytest.mark.usefixtures("folder")
def test_a_pattern_names_several_references() -> None:
    for number, text in enumerate((OURS, BASE)):
        Path(f"ref{number}.txt").write_text(text, encoding="utf-8")
    both = ("--source", "src.txt", "base.txt", "ours.txt", "--metrics", "gleu bleu")
    pattern = run(*both, "--refs", "ref*.txt")
    assert pattern == run(*both, "--refs", "ref0.txt", "--refs", "ref1.txt")
    lines = [line.split() for line in pattern.splitlines()]
    start = lines.index(["system", "BLEU"])
    assert [line[0] for line in lines[start + 1 : start + 3]] == ["base", "ours"]
    assert lines[-1][0].startswith("errant+gleu+bleu|match:cs|gold:auto|beta:0.5|lang:xx|ar:")


def test_damaged_cache_warns_and_is_ignored(folder: Path) -> None:
    (folder / "cache").mkdir()
    (folder / "cache" / "compare-2.sqlite").write_text("no database, but a long enough text" * 99)
    output = run("--gold", "gold.m2", "base.txt", "ours.txt")
    assert "compare-2.sqlite cannot be used" in output
    assert output.count("Warning") == 1
    assert "ours − base" in output


@pytest.mark.usefixtures("folder")
def test_two_systems_and_three_fit_in_eighty_columns() -> None:
    Path("long_name_of_a_third_system.txt").write_text(BASE, encoding="utf-8")
    two = run("--gold", "gold.m2", "base.txt", "ours.m2")
    three = run("--gold", "gold.m2", "base.txt", "ours.m2", "long_name_of_a_third_system.txt")
    assert max(map(len, [*two.split("\n"), *three.split("\n")])) <= 80
    assert "annotator 1 did not annotate 3 of 4 sentences" in " ".join(two.split())
    assert "gained" in two
    assert "baseline" in three


def test_a_form_goes_where_its_file_is(folder: Path) -> None:
    output = run("--gold", "gold.m2", "base.txt", "ours.txt", "--out", "r.json", "--quiet")
    assert output.strip() == "json in r.json"
    assert json.loads((folder / "r.json").read_text())["schema"] == "maege-compare/1"
    assert "the format is unknown" in run("--gold", "gold.m2", "base.txt", "--out", "r.doc", code=2)
    assert "--out FILE" in run("--gold", "gold.m2", "base.txt", "--format", "html", code=2)


REFUSED: dict[str, list[tuple[str | bytes, str, str]]] = {
    "ours.txt": [
        (BASE.replace("All is good .\n", ""), "3 lines", "missing at 3"),
        (BASE.encode().replace(b"good", b"g\xf6d"), "which is not UTF-8", "iconv"),
        (GOLD.replace("He go home", "She go home"), "M2 of other sentences", "block 1"),
        (GOLD, "annotators 0, 1", "a file for each annotator"),
        ("He goes home.\nTea.\nAll is good.\nThe end.\n", "untokenised", "--force"),
        ("All is\nThe end\nHe goes\nI like tea\n", "few words", "--force"),
    ],
    "gold.m2": [
        (BASE, "no S line", "--source SOURCE --refs"),
        ("S He go home .\n\nS Tea .\n", "no A line with an edit", "Is it an output?"),
        (GOLD.replace("S The end .", "S"), "an S line without a token", "Remove the block"),
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "problem", "remedy"),
    [(name, *case) for name, cases in REFUSED.items() for case in cases],
)
def test_invalid_input_is_rejected_with_a_remedy(
    folder: Path, name: str, content: str | bytes, problem: str, remedy: str
) -> None:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    output = " ".join(run("--gold", "gold.m2", "base.txt", "ours.txt", code=2).split())
    assert name in output
    assert problem in output
    assert remedy in output
    assert "Nothing was compared." in output


@pytest.mark.usefixtures("folder")
def test_force_turns_findings_into_notes() -> None:
    Path("ours.txt").write_text("All is\nThe end\nHe goes\nI like tea\n", encoding="utf-8")
    notes = answer("--gold", "gold.m2", "base.txt", "ours.txt", "--force")["notes"]
    assert [note["kind"] for note in notes if note["warning"]] == ["forced"]


@pytest.mark.usefixtures("folder")
def test_repeated_file_is_rejected() -> None:
    again = run("--gold", "gold.m2", "base.txt", "./base.txt", code=2)
    assert "the same file as base.txt" in again


@pytest.mark.usefixtures("folder")
def test_marks_line_ends_and_empty_lines_are_named() -> None:
    text = OURS.replace("All is well .", "").replace("\n", "\r\n")
    Path("ours.txt").write_bytes(b"\xef\xbb\xbf" + text.encode())
    result = answer("--gold", "gold.m2", "base.txt", "ours.txt")
    assert {"byte_order_mark", "carriage_returns"} <= {note["kind"] for note in result["notes"]}
    ours = result["systems"][1]
    assert ours["empty_lines"] == [3]
    # An empty line deletes its sentence.
    assert (ours["metrics"]["errant"]["tp"], ours["metrics"]["errant"]["fp"]) == (3, 1)


@pytest.mark.usefixtures("folder")
def test_sources_that_look_english_are_no_czech() -> None:
    end = "They have not been with them from the end of that ." * 9
    for name, text in (("gold.m2", GOLD), ("base.txt", BASE)):
        Path(name).write_text(text.replace("The end .", end), encoding="utf-8")
    czech = ("--gold", "gold.m2", "base.txt", "--resamples", "0", "--language", "cs")
    assert "Is it English?" in run(*czech, code=2)
    run(*czech, "--force")


@pytest.mark.usefixtures("folder")
def test_cached_edits_need_no_parser_import() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from maege.cli import app; "
        "assert not CliRunner().invoke(app, sys.argv[1:]).exit_code; "
        "print(sorted({'spacy', 'pandas'} & set(sys.modules)))"
    )
    arguments = ["compare", "--gold", "gold.m2", "ours.m2", "--metrics", "errant"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.usefixtures("folder")
def test_metrics_of_texts_are_compared_as_well() -> None:
    arguments = ("--source", "src.txt", "--refs", "ours.txt", "base.txt", "ours.txt")
    result = answer(*arguments)
    assert list(result["systems"][1]["metrics"]) == ["errant", "m2", "gleu"]
    assert result["systems"][1]["metrics"]["gleu"]["score"] == 1
    assert [each["metric"] for each in result["comparisons"]] == ["errant", "m2", "gleu"]
    assert result["comparisons"][2]["difference"] > 0
    assert "no metric foo of texts" in run(*arguments, "--metrics", "foo", code=2)


@pytest.mark.usefixtures("folder")
def test_references_of_a_metric_of_texts_are_made_from_edits() -> None:
    result = answer("--gold", "gold.m2", "ours.txt", "--metrics", "gleu")
    assert "references_from_edits" in [note["kind"] for note in result["notes"]]
    # Annotator 0 wrote ours; annotator 1 has no line for three sentences, so made no change.
    assert 0.5 < result["systems"][0]["metrics"]["gleu"]["score"] < 1
