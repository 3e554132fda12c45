"""Load k-best lists of system outputs."""

from pathlib import Path

from small_corpus import MANIFEST, ingest, query, write_corpus

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
