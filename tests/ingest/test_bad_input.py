"""Every kind of bad input gets a finding with file, line and remedy, and nothing is loaded."""

import gzip
import json
from pathlib import Path

import pytest
from small_corpus import FILES, MANIFEST, ingest, load, maege, raw_tables, refusal, write_corpus

HEAD = "S This are a cat .\n"
REST = "\nS All well .\n\nS He go home\n"
TAIL = "|||REQUIRED|||-NONE-|||0\n"
EDIT = f"A 0 1|||Nn|||x{TAIL}"
SCORES = "system\tsentence_id\tscore\n"
JUDGMENTS = "judge,item,sentence_id,system,rank\n"


def edits(*lines: str) -> str:
    return HEAD + "".join(lines) + REST


def scored(*rows: str) -> tuple[str, str]:
    return "fluency.tsv", SCORES + "".join(f"{row}\n" for row in rows)


def judged(*rows: str) -> tuple[str, str]:
    return "judgments.csv", JUDGMENTS + "".join(f"{row}\n" for row in rows)


LINE = "Correct or remove the line: write all six fields"
SPAN = "or leave such edits out: maege ingest --bad-edits skip."
SCORE = "Correct the line, leave it out"
RANKING = "Correct the line. Or add the system's output"
TABLE = "Write the header as the first line"
CASES = {
    "span beyond the sentence": ("edits.m2", edits(f"A 4 6|||Nn|||x{TAIL}"), 2, SPAN),
    "span that runs backwards": ("edits.m2", edits(f"A 3 2|||Nn|||x{TAIL}"), 2, SPAN),
    "span before the sentence": ("edits.m2", edits(f"A -1 1|||Nn|||x{TAIL}"), 2, SPAN),
    "noop with a span": ("edits.m2", edits(f"A 0 1|||noop|||-NONE-{TAIL}"), 2, LINE),
    "span of words": ("edits.m2", edits(f"A one 2|||Nn|||x{TAIL}"), 2, LINE),
    "missing fields": ("edits.m2", edits("A 0 1|||Nn\n"), 2, LINE),
    "no annotator": ("edits.m2", edits(f"A 0 1|||Nn|||x{TAIL[:-2]}\n"), 2, LINE),
    "A before S": ("edits.m2", f"A 0 1|||Nn|||x{TAIL}" + edits(), 1, LINE),
    "control character": ("edits.m2", edits(f"A 0 1|||Nn|||x\x1fy{TAIL}"), 2, LINE),
    "line of another kind": ("edits.m2", edits("T oops\n"), 2, LINE),
    "sentence too few": ("one.m2", "S This are a cat .\n\nS All well .\n", 0, "of the same sente"),
    "two annotators": ("one.m2", edits(EDIT, EDIT[:-2] + "1\n"), 3, "as a list of files"),
    "line too few": ("good.txt", "This is a cat .\nAll well .\n", 0, "every sentence its line"),
    "unknown encoding": ("good.txt", b"a\nb caf\xe9\nc\n", 2, "iconv -f ENCODING -t UTF-8"),
    "UTF-16 without a mark": ("good.txt", "a\nb\nc\n".encode("utf-16-le"), 1, "iconv -f UTF-16"),
    "gzip cut short": ("good.txt", gzip.compress(b"a\nb\nc\n")[:-9], 0, "compress the file again"),
    "file that is not there": ("good.txt", None, 0, "--data-root"),
    "no sentences": ("edits.m2", "\n", 0, "Name another file as source"),
    "scores without header": ("fluency.tsv", "INPUT\t0\t0.5\n", 1, TABLE),
    "scores file that is empty": ("fluency.tsv", "", 1, TABLE),
    "score of an unknown system": (*scored("none\t0\t1"), 2, SCORE),
    "score of no sentence": (*scored("good\t3\t1"), 2, SCORE),
    "score that is no number": (*scored("good\t0\thigh"), 2, SCORE),
    "score twice": (*scored("good\t0\t1", "good\t0\t2"), 3, "Remove one of the"),
    "rank 0": (*judged("ann,1,0,good,0"), 2, RANKING),
    "judgment of an unknown system": (*judged("ann,1,0,none,1"), 2, RANKING),
    "item of two sentences": (*judged("ann,1,0,good,1", "ann,1,1,INPUT,2"), 3, RANKING),
    "judgment without judge": (*judged(",1,0,good,1"), 2, RANKING),
    "judgment of four columns": (*judged("ann,1,0,good"), 2, TABLE),
    "open quotation mark": (*judged('"ann,1,0,good,1'), 2, TABLE),
}


@pytest.mark.parametrize(("file", "content", "line", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_fault_is_named_with_file_line_and_remedy_and_loads_nothing(
    tmp_path: Path, file: str, content: str | bytes | None, line: int, remedy: str
) -> None:
    loaded = load(tmp_path)
    corpus = write_corpus(loaded.corpus, **{file.replace(".", "_"): content})
    result = maege(loaded.warehouse, "ingest", corpus)
    place = f"{corpus / file}:{line}" if line else str(corpus / file)
    assert place in result.stderr.splitlines()
    assert remedy in " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert raw_tables(loaded.warehouse) == loaded.tables


@pytest.mark.parametrize(
    ("sentence", "found", "expected"),
    [
        ("This are a dog .", 'token 3 is "dog"', '"cat", as in'),
        ("This are a", "token 3 is missing", '"cat", as in'),
        ("This are a cat . .", 'token 5 is "."', "no such token, as in"),
    ],
)
def test_the_first_sentence_and_token_that_differ_are_named(
    tmp_path: Path, sentence: str, found: str, expected: str
) -> None:
    content = f"S {sentence}\n\nS All bad .\n\nS He go home\n"
    corpus = write_corpus(tmp_path / "corpus", one_m2=content)
    result = maege(tmp_path / "warehouse", "ingest", corpus, "--json")
    (finding,) = json.loads(result.stdout)["findings"]
    assert finding["found"] == f"sentence 0 differs from the source: {found}"
    assert finding["expected"] == f"{expected} {corpus}/edits.m2:1"
    assert (finding["line"], result.exit_code) == (1, 2)


def test_empty_outputs_are_loaded(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", good_txt="\n\n\n")
    ingest(tmp_path / "warehouse", corpus, "--force")
    outputs = raw_tables(tmp_path / "warehouse")["outputs"]
    assert [row[-1] for row in outputs if row[3] == "good"] == ["", "", ""]


def test_one_annotator_in_two_files_of_a_set_is_a_finding(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("[edits.m2]", "[edits.m2, again.m2]")
    corpus = write_corpus(tmp_path / "corpus", manifest_yml=manifest, again_m2=FILES["edits.m2"])
    message = refusal(tmp_path / "warehouse", "ingest", corpus)
    assert f"{corpus / 'again.m2'}:2" in message
    assert "Name the annotators in the manifest" in message


def test_the_findings_of_all_files_come_together_in_order(tmp_path: Path) -> None:
    corpus = write_corpus(
        tmp_path / "corpus",
        good_txt="a\n",
        edits_m2=edits(f"A 4 6|||Nn|||x{TAIL}", "T oops\n"),
        judgments_csv=f"{JUDGMENTS}ann,1,0,good,0\n",
    )
    result = maege(tmp_path / "warehouse", "ingest", corpus, "--json")
    places = [(Path(f["file"]).name, f["line"]) for f in json.loads(result.stdout)["findings"]]
    assert places == [("edits.m2", 2), ("edits.m2", 3), ("good.txt", 0), ("judgments.csv", 2)]
    assert result.exit_code == 2


def test_of_many_findings_of_a_kind_the_first_five_and_the_count_are_shown(
    tmp_path: Path,
) -> None:
    corpus = write_corpus(
        tmp_path / "corpus", edits_m2=edits(*(f"A 4 6|||Nn|||x{TAIL}" for _ in range(1000)))
    )
    result = maege(tmp_path / "warehouse", "ingest", corpus)
    lines = [line for line in result.stderr.splitlines() if line.startswith(f"{corpus}/edits.m2:")]
    assert len(lines) == 6
    assert f"{corpus}/edits.m2: 995 more like it" in result.stderr
    assert "1000 findings. The tables are as before." in result.stderr


DEEP = "[" * 100_000
LONG = "9" * 5000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("good.txt", f'{{"source": {DEEP}\n'),
        (
            "edits.m2",
            '{"1": {"sentence": "a", "operation": [{"Modify": '
            '[{"pos": 0, "label": "b", "tag": "MOD_99999999999999999999"}]}]}}',
        ),
        scored(f"good\t{LONG}\t{LONG}"),
        judged(f"ann,1,{LONG},good,{LONG}"),
        ("judgments.csv", f"sentenceId,judgeId,system{LONG}Id\n"),
    ],
)
def test_deep_json_and_long_numbers_are_findings(name: str, content: str, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", **{name.replace(".", "_"): content})
    result = maege(tmp_path / "warehouse", "ingest", corpus)
    assert result.exit_code == 2, result.exception
    assert str(corpus / name) in result.stderr


def test_a_link_out_of_the_data_root_is_one_finding(tmp_path: Path) -> None:
    outside = write_corpus(tmp_path / "outside")
    (outside / "good.txt").write_text("This is secret .\nAll well .\nHe goes home .\n")
    for linked in ("good.txt", "edits.m2", "manifest.yml"):
        corpus = write_corpus(tmp_path / linked)
        (corpus / linked).unlink()
        (corpus / linked).symlink_to(outside / linked)
        result = maege(tmp_path / "warehouse", "ingest", corpus, "--json")
        (finding,) = json.loads(result.stdout)["findings"]
        assert (finding["file"], finding["line"]) == (str(corpus / linked), 0)
        assert finding["found"] == "a link out of the data root"
        assert result.exit_code == 2
