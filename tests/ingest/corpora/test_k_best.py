"""Load k-best lists of system outputs, and reject faulty lists."""

from pathlib import Path

from small_corpus import MANIFEST, ingest, query, raw_tables, write_corpus

LISTS = f"{MANIFEST}k_best:\n  good: [good.txt, INPUT.txt]\n"


def test_every_rank_of_a_list_is_kept(tmp_path: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus", manifest_yml=LISTS))
    assert query(
        tmp_path / "warehouse",
        "select path, line, system, rank, sentence_id, text from raw.k_best "
        "where sentence_id = 2 order by rank",
    ) == [
        ("good.txt", 3, "good", 1, 2, "He goes home"),
        ("INPUT.txt", 3, "good", 2, 2, "He go home"),
    ]


def test_a_list_that_changes_its_order_replaces_the_old_one(tmp_path: Path) -> None:
    warehouse, corpus = tmp_path / "warehouse", write_corpus(tmp_path / "corpus")
    for manifest in (LISTS, LISTS.replace("[good.txt, INPUT.txt]", "[INPUT.txt, good.txt]")):
        ingest(warehouse, write_corpus(corpus, manifest_yml=manifest))
    first = "select distinct path from raw.k_best where rank = 1"
    assert query(warehouse, first) == [("INPUT.txt",)]
    assert query(warehouse, "select count(*) from raw.k_best") == [(6,)]
    ingest(warehouse, write_corpus(corpus, manifest_yml=MANIFEST))
    assert raw_tables(warehouse)["k_best"] == []
