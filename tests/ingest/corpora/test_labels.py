"""Load document and group labels of sentences."""

from pathlib import Path

from small_corpus import MANIFEST, ingest, query, write_corpus

LABELS = f"{MANIFEST}documents: essays.txt\ngroups: levels.txt\n"
QUERY = "select kind, line, sentence_id, label from raw.sentence_labels order by all"


def test_an_empty_line_is_no_label(tmp_path: Path) -> None:
    warehouse, folder = tmp_path / "warehouse", tmp_path / "corpus"
    files = {"essays_txt": "e1\ne1\ne2\n", "levels_txt": "A2\n\n B1 \n"}
    ingest(warehouse, write_corpus(folder, manifest_yml=LABELS, **files))
    documents = [("documents", 1, 0, "e1"), ("documents", 2, 1, "e1"), ("documents", 3, 2, "e2")]
    assert query(warehouse, QUERY) == [*documents, ("groups", 1, 0, "A2"), ("groups", 3, 2, "B1")]
    ingest(warehouse, write_corpus(folder, manifest_yml=LABELS, levels_txt="A2\nB2\nB1\n"))
    assert query(warehouse, QUERY)[4] == ("groups", 2, 1, "B2")
