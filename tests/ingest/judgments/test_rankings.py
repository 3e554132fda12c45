"""Human rankings in three formats are loaded as judgments or as conflicts."""

from pathlib import Path

from small_corpus import ingest, maege, query, raw_tables, write_corpus
from small_rankings import PAIRS, appraise, item, manifest


def judgments(warehouse: Path) -> list[tuple[object, ...]]:
    return query(
        warehouse,
        "select line, judge, item, item_position, sentence_id, system, rank, cell "
        "from raw.judgments order by item_position, cell, system",
    )


def conflicts(warehouse: Path) -> list[tuple[object, ...]]:
    return query(
        warehouse,
        "select line, judge, item, sentence_id, kind from raw.judgment_conflicts order by line",
    )


def test_collapsed_systems_are_apart_and_share_a_cell(tmp_path: Path) -> None:
    # `src` is the name of INPUT in the file; commas separate systems as well.
    items = item(7, 2, ("good", 1), ("src bad", 3)), item(8, 2, ("good,bad", 1))
    corpus = appraise(tmp_path, *items, entry=", names: {src: INPUT}")
    ingest(tmp_path / "warehouse", corpus)
    assert judgments(tmp_path / "warehouse") == [
        (5, "ann", "7", 0, 2, "good", 1, 0),
        (6, "ann", "7", 0, 2, "INPUT", 3, 1),
        (6, "ann", "7", 0, 2, "bad", 3, 1),
        (9, "ann", "8", 1, 2, "bad", 1, 0),
        (9, "ann", "8", 1, 2, "good", 1, 0),
    ]


def test_systems_without_output_and_system_sets_are_kept(tmp_path: Path) -> None:
    keys = ", without_outputs: [refmix1], system_sets: {base: [good, bad], pair: [refmix1, bad]}"
    cells = ("good", 1), ("refmix1", 2), ("bad", 3)
    ingest(tmp_path / "warehouse", appraise(tmp_path, item(1, 0, *cells), entry=keys))
    tables = raw_tables(tmp_path / "warehouse")
    assert [row[2:] for row in tables["judgment_systems"]] == [
        ("bad", True),
        ("good", True),
        ("refmix1", False),
    ]
    assert [row[2:] for row in tables["judgment_system_sets"]] == [
        ("base", 0, "good"),
        ("base", 1, "bad"),
        ("pair", 0, "refmix1"),
        ("pair", 1, "bad"),
    ]


def test_what_gives_no_judgment_is_counted_as_a_conflict(tmp_path: Path) -> None:
    corpus = appraise(
        tmp_path,
        item(1, 0, ("good", 1)),  # lines 4 to 6
        item(2, 0),  # 7, 8
        item(1, 1, ("good", 2)),  # 9 to 11
        item(3, 2, ("good", 1), judge="bob"),  # 12 to 14
        item(4, 2, ("good same", 1), ("bad", 2), ("good", 1), ("bad", 3), ("INPUT", 3)),  # 15 to 21
        entry=", without_judges: [bob]",
    )
    ingest(tmp_path / "warehouse", corpus)
    assert conflicts(tmp_path / "warehouse") == [
        (7, "ann", "2", 0, "skipped"),
        (9, "ann", "1#2", 1, "item_twice"),
        (12, "bob", "3", 2, "judge_left_out"),
        (18, "ann", "4", 2, "repetition"),
        (19, "ann", "4", 2, "contradiction"),
    ]
    # The system with two ranks is excluded. A repeated equal rank counts once.
    assert [row[2:7] for row in judgments(tmp_path / "warehouse")] == [
        ("1", 0, 0, "good", 1),
        ("4", 4, 2, "good", 1),
        ("4", 4, 2, "same", 1),
        ("4", 4, 2, "INPUT", 3),
    ]
    assert raw_tables(tmp_path / "warehouse")["judgment_sets"][0][5] == 5


def test_all_pairs_of_an_item_make_one_item(tmp_path: Path) -> None:
    pairs = (
        "good,1,same,2,2,ann\ngood,1,bad,2,2,ann\nsame,2,bad,2,2,ann\n"  # one of three
        "good,1,same,2,2,ann\n"  # again: another item
        "good,1,bad,1,2,bob\n"
        "good,1,same,2,0,bob\ngood,1,bad,3,0,bob\n"  # same and bad were not compared
    )
    corpus = write_corpus(
        tmp_path / "corpus",
        manifest_yml=manifest("{file: judgments.csv, format: pairwise}"),
        judgments_csv=PAIRS + pairs,
    )
    ingest(tmp_path / "warehouse", corpus)
    assert [row[1:] for row in judgments(tmp_path / "warehouse")] == [
        ("ann", "2", 0, 2, "good", 1, 0),
        ("ann", "2", 0, 2, "same", 2, 1),
        ("ann", "2", 0, 2, "bad", 2, 2),
        ("ann", "2#2", 1, 2, "good", 1, 0),
        ("ann", "2#2", 1, 2, "same", 2, 1),
        ("bob", "2", 2, 2, "good", 1, 0),
        ("bob", "2", 2, 2, "bad", 1, 1),
        ("bob", "0", 3, 0, "good", 1, 0),
        ("bob", "0", 3, 0, "same", 2, 1),
        ("bob", "0#2", 4, 0, "good", 1, 0),
        ("bob", "0#2", 4, 0, "bad", 3, 1),
    ]


def test_a_pair_of_a_system_with_itself_is_a_conflict(tmp_path: Path) -> None:
    corpus = write_corpus(
        tmp_path / "corpus",
        manifest_yml=manifest("{file: judgments.csv, format: pairwise}"),
        judgments_csv=f"{PAIRS}good,1,good,2,0,ann\ngood,1,bad,2,0,ann\n",
    )
    ingest(tmp_path / "warehouse", corpus)
    assert conflicts(tmp_path / "warehouse") == [(2, "ann", "0", 0, "contradiction")]
    assert len(judgments(tmp_path / "warehouse")) == 2


def test_an_export_that_is_ingested_gives_the_same_rankings(tmp_path: Path) -> None:
    repeated = '<ranking-item id="2" user="bob"><translation rank="1" system="bad"/></ranking-item>'
    corpus = appraise(
        tmp_path,
        item(1, 1, ("good same", 2), ("INPUT", 1), ("bad", 2)),
        item(2, 0),
        repeated * 2,
        entry=", first_sentence_id: 0",
    )
    ingest(tmp_path / "first", corpus)
    out = tmp_path / "out.csv"
    options = ("export", "judgments", "--corpus", "small", "--set", "judges", "--out", out)
    assert maege(tmp_path / "first", *options).exit_code == 0
    assert out.read_text() == (
        "judge,item,sentence_id,system,rank\n"
        "ann,1,1,good same,2\nann,1,1,INPUT,1\nann,1,1,bad,2\n"
        "bob,2,2,bad,1\nbob,2#2,2,bad,1\n"
    )
    write_corpus(corpus, manifest_yml=manifest("out.csv"), out_csv=out.read_bytes())
    ingest(tmp_path / "second", corpus)
    row_lists = [judgments(tmp_path / name) for name in ("first", "second")]
    # The empty item is not exported, so positions and lines in the exported file differ.
    first, second = [[(*row[1:3], *row[4:]) for row in rows] for rows in row_lists]
    assert first == second
