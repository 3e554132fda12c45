"""The real rankings, if available, have the counts of their papers and files."""

import csv
import shutil
from collections import Counter
from pathlib import Path

import pytest
from small_corpus import ingest, maege, query, write_corpus

FOLDERS = ("conll14", "gjg15", "nspt15", "seeda")
PAIRS = """
    from raw.judgments as a inner join raw.judgments as b using (corpus, judgment_set, judge, item)
"""
# With white space as single spaces, as the warehouse reads outputs.
OUTPUTS = "select *, trim(regexp_replace(text, '[ \\t]+', ' ', 'g')) as read from raw.outputs"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory, repository: Path, shared: Path) -> Path:
    folder = tmp_path_factory.mktemp("rankings") / "warehouse"
    for name in FOLDERS:
        ingest(folder, repository / "corpora" / name, "--data-root", shared / "data")
    return folder


def test_every_item_of_the_files_is_accounted_for(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select judgment_set, n_items, (select count(*) from (select distinct judge, item "
        "from raw.judgments where judgment_set = sets.judgment_set)) as judged, "
        "(select count(*) from raw.judgment_conflicts where judgment_set = sets.judgment_set) "
        "from raw.judgment_sets as sets order by all",
    )
    assert rows == [
        ("gjg15", 2319, 2306, 13),
        ("nspt15", 1534, 1136, 398),
        ("seeda_edit", 600, 600, 0),
        ("seeda_sent", 600, 600, 0),
    ]


def test_conflicts_are_skipped_items_and_those_of_the_fourth_judge(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select judgment_set, kind, count(*) from raw.judgment_conflicts group by all order by all",
    )
    assert rows == [
        ("gjg15", "skipped", 13),
        ("nspt15", "judge_left_out", 331),
        ("nspt15", "skipped", 67),
    ]


def test_numbers_of_judges_and_sentences_are_the_published_ones(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select corpus, judgment_set, count(distinct judge), count(distinct sentence_id) "
        "from raw.judgments group by all order by all",
    )
    assert rows == [
        ("conll14", "gjg15", 8, 662),
        ("conll14", "nspt15", 3, 655),
        ("seeda", "seeda_edit", 3, 391),
        ("seeda", "seeda_sent", 3, 391),
    ]


def test_numbers_of_system_pairs_and_ties_are_published(warehouse: Path) -> None:
    rows = query(
        warehouse,
        f"select judgment_set, count(*), count(*) filter (where a.rank = b.rank) {PAIRS} "
        "where a.system < b.system group by all order by all",
    )
    assert rows == [
        ("gjg15", 109_098, 59_117),
        ("nspt15", 28_146, 14_446),
        ("seeda_edit", 33_544, 18_974),
        ("seeda_sent", 33_544, 15_797),
    ]


def test_numbers_of_output_pairs_and_ties_are_published(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select judgment_set, count(*), count(*) filter (where tied) from (select distinct "
        f"judgment_set, judge, item, a.cell, b.cell, a.rank = b.rank as tied {PAIRS} "
        "where a.cell < b.cell) where judgment_set <> 'nspt15' group by all order by all",
    )
    assert rows == [
        ("gjg15", 20_516, 5_694),
        ("seeda_edit", 5_347, 1_457),
        ("seeda_sent", 5_347, 791),
    ]


def test_collapsed_systems_have_the_same_output_for_the_sentence(warehouse: Path) -> None:
    # This also shows the number of the first sentence in each file.
    rows = query(
        warehouse,
        f"with outputs as ({OUTPUTS}) select judgment_set, count(*) > 9000, "
        f"count(*) filter (where x.read <> y.read) {PAIRS} "
        "inner join outputs as x on (a.corpus, a.system, a.sentence_id) = "
        "(x.corpus, x.system, x.sentence_id) "
        "inner join outputs as y on (b.corpus, b.system, b.sentence_id) = "
        "(y.corpus, y.system, y.sentence_id) "
        "where a.system < b.system and a.cell = b.cell group by all order by all",
    )
    assert rows == [
        ("gjg15", True, 0),
        ("nspt15", True, 0),
        ("seeda_edit", True, 0),
        ("seeda_sent", True, 0),
    ]


def test_the_xml_of_nspt15_has_the_pairs_of_its_csv(warehouse: Path, shared: Path) -> None:
    with (shared / "data/human/nspt15/all_judgments.csv").open(newline="") as file:
        pairs = Counter(
            (
                row["judgeID"],
                int(row["srcIndex"]),
                frozenset(
                    (row[f"system{n}Id"].replace("src", "INPUT"), int(row[f"system{n}rank"]))
                    for n in (1, 2)
                ),
            )
            for row in csv.DictReader(file)
        )
    loaded = query(
        warehouse,
        f"select judge, a.sentence_id, a.system, a.rank, b.system, b.rank {PAIRS} "
        "where a.system < b.system and judgment_set = 'nspt15'",
    )
    assert pairs.total() == 28_146
    assert pairs == Counter(
        (judge, sentence, frozenset(((a, rank_a), (b, rank_b))))
        for judge, sentence, a, rank_a, b, rank_b in loaded
    )


def test_the_csv_of_nspt15_gives_the_same_items_apart_from_cells(
    warehouse: Path, shared: Path, tmp_path: Path, repository: Path
) -> None:
    manifest = (repository / "corpora" / "nspt15" / "manifest.yml").read_text()
    as_csv = manifest.replace("all_judgments.xml", "all_judgments.csv")
    as_csv = as_csv.replace("format: appraise", "format: pairwise")
    as_csv = as_csv.replace("    without_judges: [non-native]\n", "")
    other = write_corpus(tmp_path / "nspt15", manifest_yml=as_csv)
    shutil.copytree(warehouse, tmp_path / "warehouse")
    ingest(tmp_path / "warehouse", other, "--data-root", shared / "data")
    statement = (
        "select distinct judge, sentence_id, ranks from (select judge, item, sentence_id, "
        "list((system, rank) order by system) as ranks from raw.judgments "
        "where judgment_set = 'nspt15' group by all) where len(ranks) > 1 order by all"
    )
    assert query(tmp_path / "warehouse", statement) == query(warehouse, statement)


def test_the_mixed_reference_is_kept_and_has_no_output(warehouse: Path) -> None:
    rows = query(warehouse, "select * from raw.judgment_systems where not has_output")
    assert rows == [("conll14", "nspt15", "refmix1", False)]
    without = query(
        warehouse,
        f"select count(*) {PAIRS} where judgment_set = 'nspt15' and a.system < b.system "
        "and 'refmix1' not in (a.system, b.system)",
    )
    assert without == [(24_440,)]


def test_choices_of_systems_have_their_sizes(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select judgment_set, system_set, count(*) from raw.judgment_system_sets "
        "where corpus = 'conll14' or judgment_set = 'seeda_edit' group by all order by all",
    )
    assert rows == [
        ("gjg15", "base", 13),
        ("gjg15", "without_outliers", 12),
        ("nspt15", "base", 13),
        ("seeda_edit", "base", 12),
        ("seeda_edit", "with_fluent", 14),
        ("seeda_edit", "without_outliers", 12),
    ]


def test_both_sets_of_seeda_make_the_same_choices(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select count(distinct judgment_set) from raw.judgment_system_sets "
        "where corpus = 'seeda' group by system_set, position, system",
    )
    assert set(rows) == {(2,)}


def test_the_input_of_seeda_is_the_source(warehouse: Path) -> None:
    rows = query(
        warehouse,
        f"with outputs as ({OUTPUTS}) select count(*) from outputs inner join raw.sentences "
        "using (corpus, sentence_id) where corpus = 'seeda' and system = 'INPUT' "
        "and read = array_to_string(tokens, ' ')",
    )
    assert rows == [(1312,)]


def test_another_ingest_of_conll14_keeps_the_rankings(
    warehouse: Path, repository: Path, shared: Path, tmp_path: Path
) -> None:
    counts = "select judgment_set, count(*) from raw.judgments group by all order by all"
    before = query(warehouse, counts)
    manifest = (repository / "corpora" / "conll14" / "manifest.yml").read_text()
    (tmp_path / "manifest.yml").write_text(manifest.replace("title: ", "title: The "))
    assert (
        "unchanged since" not in ingest(warehouse, tmp_path, "--data-root", shared / "data").stdout
    )
    assert (
        query(warehouse, counts)
        == before
        == [
            ("gjg15", 22_507),
            ("nspt15", 7_443),
            ("seeda_edit", 6_231),
            ("seeda_sent", 6_231),
        ]
    )


@pytest.mark.parametrize("judgment_set", ["gjg15", "nspt15"])
def test_an_export_brings_the_same_rankings_back(
    warehouse: Path, tmp_path: Path, judgment_set: str
) -> None:
    options = ("--corpus", "conll14", "--set", judgment_set, "--out", tmp_path / "out.csv")
    assert maege(warehouse, "export", "judgments", *options).exit_code == 0
    systems = query(warehouse, "select distinct system from raw.judgments where corpus = 'conll14'")
    lines = "".join(f"{name}: source.txt, " for (name,) in systems)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "manifest.yml").write_text(
        "corpus: again\ntitle: x\nlicence: x\norigin: x\nsource: source.txt\naccept: [language]\n"
        f"systems: {{{lines}}}\njudgments: {{again: out.csv}}\n"
    )
    (corpus / "source.txt").write_text("x\n" * 1312)
    (corpus / "out.csv").write_bytes((tmp_path / "out.csv").read_bytes())
    ingest(tmp_path / "again", corpus)
    rows = "select judge, item, sentence_id, system, rank, cell from raw.judgments "
    original = query(warehouse, f"{rows} where judgment_set = '{judgment_set}' order by all")
    assert query(tmp_path / "again", f"{rows} order by all") == original
