"""Every kind of faulty rankings gets a finding with line and remedy, and nothing is loaded."""

from pathlib import Path

import pytest
from small_corpus import load, maege, raw_tables, write_corpus
from small_rankings import HEAD, PAIRS, TAIL, item, manifest

ITEM = '<ranking-item id="1" src-id="0" user="ann">\n'
XML = "{file: judgments.xml, format: appraise}"


def xml(content: str, entry: str = XML) -> tuple[str, str]:
    return entry, f"{HEAD}{content}{TAIL}"


def pairs(row: str, keys: str = "") -> tuple[str, str]:
    return f"{{file: judgments.csv, format: pairwise{keys}}}", f"{PAIRS}{row}\n"


FROM_1 = XML.replace("}", ", first_sentence_id: 1}")
GOOD_PAIR = "good,1,bad,2,0,a"
RANKING = "Correct the line. Or add the system's output"
CASES = {
    "system of no output": (*xml(item(1, 0, ("none", 1))), 5, RANKING),
    "rank that is a word": (*xml(item(1, 0, ("good", "x"))), 5, RANKING),
    "sentence of no corpus": (*xml(item(1, 3, ("good", 1))), 4, RANKING),
    "sentence 0 from 1": (*xml(item(1, 0, ("good", 1)), FROM_1), 4, RANKING),
    "item without judge": (*xml(item(1, 0, judge="")), 4, "docs/corpora.md shows Appraise's"),
    "no rank": (
        *xml(f'{ITEM}<translation system="good"/></ranking-item>'),
        5,
        "docs/corpora.md shows Appraise's",
    ),
    "text in an item": (*xml(f"{ITEM}oops</ranking-item>"), 4, "docs/corpora.md shows Appraise's"),
    "element of another kind": (
        *xml(f"{ITEM}<source>x</source></ranking-item>"),
        5,
        "Appraise's XML",
    ),
    "document of another kind": (XML, "<scripts/>\n", 1, "docs/corpora.md shows Appraise's"),
    "pairs without header": (pairs("")[0], f"{GOOD_PAIR}\n", 1, "header as the first line"),
    "pairs without a judge": (*pairs("good,1,bad,2,0,"), 2, RANKING),
    "pair of an unknown system": (*pairs("good,1,no,2,0,a"), 2, RANKING),
    "absent name": (*pairs(GOOD_PAIR, ", names: {src: INPUT}"), 0, "the name in the manifest"),
    "absent judge": (*pairs(GOOD_PAIR, ", without_judges: [bob]"), 0, "the name in the manifest"),
    "denied": (*pairs(GOOD_PAIR, ", without_outputs: [good]"), 0, "the name in the manifest"),
}


@pytest.mark.parametrize(("entry", "content", "line", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_fault_is_named_with_file_line_and_remedy_and_loads_nothing(
    tmp_path: Path, entry: str, content: str, line: int, remedy: str
) -> None:
    loaded = load(tmp_path)
    file = "judgments_xml" if "xml" in entry else "judgments_csv"
    corpus = write_corpus(loaded.corpus, manifest_yml=manifest(entry), **{file: content})
    result = maege(loaded.warehouse, "ingest", corpus)
    path = corpus / file.replace("_", ".")
    assert (f"{path}:{line}" if line else str(path)) in result.stderr.splitlines(), result.stderr
    assert remedy in " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert raw_tables(loaded.warehouse) == loaded.tables
