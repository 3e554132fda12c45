"""Every kind of faulty rankings gets a finding with line and remedy, and nothing is loaded."""

from pathlib import Path

import pytest
from small_corpus import load, maege, raw_tables, write_corpus
from small_rankings import HEAD, PAIRS, TAIL, item, manifest

XML = "{file: judgments.xml, format: appraise}"
PAIRWISE = "{file: judgments.csv, format: pairwise}"
ITEM = '<ranking-item id="1" src-id="0" user="ann">\n'
CASES = {
    "system of no output": (XML, HEAD + item(1, 0, ("none", 1)) + TAIL, 5, "add the system's outp"),
    "rank that is a word": (XML, HEAD + item(1, 0, ("good", "x")) + TAIL, 5, "Write ranks as 1,"),
    "rank 0": (XML, HEAD + item(1, 0, ("good", 0)) + TAIL, 5, "Write ranks as 1, 2, 3"),
    "sentence of no corpus": (XML, HEAD + item(1, 3, ("good", 1)) + TAIL, 4, "first_sentence_id"),
    "sentence -1": (XML, HEAD + item(1, -1, ("good", 1)) + TAIL, 4, "Count the sentences"),
    "sentence 0 of a file from 1": (
        "{file: judgments.xml, format: appraise, first_sentence_id: 1}",
        HEAD + item(1, 0, ("good", 1)) + TAIL,
        4,
        "Count the sentences of the corpus from 1",
    ),
    "item without judge": (XML, HEAD + item(1, 0, judge="") + TAIL, 4, "Add user"),
    "system that is not named": (XML, HEAD + item(1, 0, (" ", 1)) + TAIL, 5, "Add system"),
    "cell without rank": (
        XML,
        f'{HEAD}{ITEM}<translation system="good"/></ranking-item>{TAIL}',
        5,
        "Add rank",
    ),
    "text in an item": (
        XML,
        f"{HEAD}{ITEM}oops</ranking-item>{TAIL}",
        5,
        "put it where it belongs",
    ),
    "element of another kind": (
        XML,
        f"{HEAD}{ITEM}<source>x</source></ranking-item>{TAIL}",
        5,
        "docs/corpora.md shows Appraise's XML",
    ),
    "document of another kind": (XML, "<scripts/>\n", 0, "(<appraise-results>) under judgments"),
    "broken XML": (XML, f"{HEAD}{ITEM}{TAIL}", 5, "Close every element"),
    "no XML": (XML, "", 1, "Close every element"),
    "internal entity": (
        XML,
        f'<!DOCTYPE a [<!ENTITY e "ann">]>\n{HEAD[22:]}{TAIL}',
        1,
        "write out what its entities",
    ),
    "file read through an entity": (
        XML,
        f'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n{HEAD[22:]}&e;{TAIL}',
        1,
        "entities and external files are never read",
    ),
    "document type of another file": (
        XML,
        f'<!DOCTYPE a SYSTEM "http://localhost/a.dtd">\n{HEAD[22:]}{TAIL}',
        1,
        "entities and external files are never read",
    ),
    "entities that multiply": (
        XML,
        '<!DOCTYPE a [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'
        f"{HEAD[22:]}&b;{TAIL}",
        1,
        "entities and external files are never read",
    ),
    "pairs without header": (PAIRWISE, "good,1,bad,2,0,ann\n", 1, "header as the first line"),
    "pairs without a judge": (PAIRWISE, f"{PAIRS}good,1,bad,2,0,\n", 2, "Fill in what is missing"),
    "pair of an unknown system": (PAIRWISE, f"{PAIRS}good,1,no,2,0,a\n", 2, "Correct the name"),
    "pair of no sentence": (PAIRWISE, f"{PAIRS}good,1,bad,2,3,a\n", 2, "Count the sentences"),
    "rank of a pair that is a word": (PAIRWISE, f"{PAIRS}good,a,bad,2,0,a\n", 2, "Write ranks as"),
    "pair of five columns": (PAIRWISE, f"{PAIRS}good,1,bad,2,0\n", 2, "all columns of the header"),
    "name that the file does not have": (
        "{file: judgments.csv, format: pairwise, names: {src: INPUT}}",
        f"{PAIRS}good,1,bad,2,0,a\n",
        0,
        "Correct the name in the manifest",
    ),
    "judge that is not in the file": (
        "{file: judgments.csv, format: pairwise, without_judges: [bob]}",
        f"{PAIRS}good,1,bad,2,0,a\n",
        0,
        "Correct the name under without_judges",
    ),
    "choice of a system that was not judged": (
        "{file: judgments.csv, format: pairwise, system_sets: {base: [same]}}",
        f"{PAIRS}good,1,bad,2,0,a\n",
        0,
        "Correct the name in the manifest",
    ),
    "output that the manifest denies": (
        "{file: judgments.csv, format: pairwise, without_outputs: [good]}",
        f"{PAIRS}good,1,bad,2,0,a\n",
        0,
        "Remove it from without_outputs",
    ),
    "collapsed system ranked again in CSV": (
        "judgments.csv",
        "judge,item,sentence_id,system,rank\nann,1,0,good same,1\nann,1,0,same,2\n",
        3,
        "Remove one of the lines",
    ),
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
    assert "/etc/passwd" not in result.stderr
    assert result.exit_code == 2
    assert raw_tables(loaded.warehouse) == loaded.tables
