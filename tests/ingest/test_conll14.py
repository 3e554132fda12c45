"""CoNLL-2014 and its rankings, if available, have the counts of their papers and files."""

from pathlib import Path

import pytest
from small_corpus import ingest, maege, query
from xml_gold import XmlSentence, xml_sentences

FOLDERS = ("conll14", "gjg15", "nspt15", "seeda")
PAIRS = """
    from raw.judgments as a inner join raw.judgments as b using (corpus, judgment_set, judge, item)
"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory, repository: Path, shared: Path) -> Path:
    folder = tmp_path_factory.mktemp("rankings") / "warehouse"
    for name in FOLDERS:
        ingest(folder, repository / "corpora" / name, "--data-root", shared / "data")
    return folder


def test_judges_sentences_and_items_are_those_of_the_files(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select judgment_set, n_items, count(distinct (judge, item)), count(distinct judge), "
        "count(distinct sentence_id) from raw.judgment_sets inner join raw.judgments "
        "using (corpus, judgment_set) group by all order by all",
    )
    assert rows == [
        ("gjg15", 2319, 2306, 8, 662),
        ("nspt15", 1534, 1136, 3, 655),
        ("seeda_edit", 600, 600, 3, 391),
        ("seeda_sent", 600, 600, 3, 391),
    ]
    # All other items are conflicts.
    conflicts = "select judgment_set, kind, count(*) from raw.judgment_conflicts group by all"
    assert query(warehouse, f"{conflicts} order by all") == [
        ("gjg15", "skipped", 13),
        ("nspt15", "judge_left_out", 331),
        ("nspt15", "skipped", 67),
    ]


def test_numbers_of_pairs_and_ties_are_published(warehouse: Path) -> None:
    pairs = f"select distinct judgment_set, judge, item, {{}}, a.rank = b.rank as tied {PAIRS}"
    systems = pairs.format("a.system, b.system") + "where a.system < b.system"
    outputs = pairs.format("a.cell, b.cell") + "where a.cell < b.cell and judgment_set <> 'nspt15'"
    counts = "select judgment_set, count(*), count(*) filter (where tied) from ({}) group by all"
    assert sorted(query(warehouse, counts.format(systems))) == [
        ("gjg15", 109_098, 59_117),
        ("nspt15", 28_146, 14_446),
        ("seeda_edit", 33_544, 18_974),
        ("seeda_sent", 33_544, 15_797),
    ]
    assert sorted(query(warehouse, counts.format(outputs))) == [
        ("gjg15", 20_516, 5_694),
        ("seeda_edit", 5_347, 1_457),
        ("seeda_sent", 5_347, 791),
    ]


def test_the_mixed_reference_is_kept_and_has_no_output(warehouse: Path) -> None:
    rows = query(warehouse, "select * from raw.judgment_systems where not has_output")
    assert rows == [("conll14", "nspt15", "refmix1", False)]
    without = query(
        warehouse,
        f"select count(*) {PAIRS} where judgment_set = 'nspt15' and a.system < b.system "
        "and 'refmix1' not in (a.system, b.system)",
    )
    assert without == [(24_440,)]


def test_annotation_sets_have_the_published_counts(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select annotation_set, count(*), count(*) filter (where kind = 'none'), "
        "count(distinct annotator) from raw.m2_edits where corpus = 'conll14' "
        "group by all order by all",
    )
    assert rows == [
        ("bn10", 37667, 0, 10),
        ("errant", 6484, 547, 2),
        ("nucle", 5873, 275, 2),
        ("nucle_alt", 7521, 364, 5),
        ("nucle_imeasure", 5873, 275, 2),
    ]


def test_every_official_output_has_its_edits(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select files.name, count(edits.line) from raw.files as files "
        "left join raw.system_edits as edits using (corpus, path) "
        "where role = 'system_edits' and corpus = 'conll14' group by all order by all",
    )
    assert len(rows) == 13
    # TP + FP of the published comparison: 483 + 795.
    assert ("errant/AMU", 1278) in rows
    assert ("errant/INPUT", 0) in rows


@pytest.mark.parametrize(("annotation_set", "tokenised"), [("nucle", 9), ("nucle_imeasure", 0)])
def test_the_exported_xml_has_the_errors_of_the_published_one(
    warehouse: Path, shared: Path, annotation_set: str, tokenised: int
) -> None:
    exported = maege(warehouse, "export", "imeasure", "conll14", annotation_set)
    published = shared / "data" / "conll14" / "imeasure" / "NUCLE.ieval.xml"
    assert_same_errors(exported.stdout, published, tokenised)


def test_ten_annotators_give_the_errors_of_the_published_xml(tmp_path: Path, shared: Path) -> None:
    # The published converter read them in this order. The first of equally long corrections
    # determines the errors of two sentences.
    met = (1, 10, 2, 3, 4, 5, 6, 7, 8, 9)
    files = [f"B{place}: A{number}.m2" for place, number in enumerate(met)]
    (tmp_path / "manifest.yml").write_text(
        f"corpus: bn\ntitle: BN\nlicence: x\norigin: x\nannotations: {{bn: {{{', '.join(files)}}}}}"
    )
    ingest(tmp_path / "wh", tmp_path, "--data-root", shared / "data" / "conll14" / "bn15")
    exported = maege(tmp_path / "wh", "export", "imeasure", "bn", "bn")
    published = shared / "data" / "conll14" / "imeasure" / "BN.ieval.xml"
    assert_same_errors(exported.stdout, published, 36)


def assert_same_errors(exported: str, published: Path, tokenised: int) -> None:
    """Assert that everything is equal except the texts of a number of sentences.

    The published converter tokenised corrections again: "known,the" has become "known , the".
    """
    exported_sentences, published_sentences = (
        xml_sentences(exported),
        xml_sentences(published.read_text(encoding="utf-8")),
    )
    assert [plain(sentence) for sentence in exported_sentences] == [
        plain(sentence) for sentence in published_sentences
    ]
    differing = [
        a
        for a, b in zip(exported_sentences, published_sentences, strict=True)
        if texts(a) != texts(b)
    ]
    assert len(differing) == tokenised


def plain(sentence: XmlSentence) -> object:
    """Return the parts that do not depend on tokenisation or on the order of types."""
    return sentence[:3], [
        (
            error.error_id,
            error.required,
            sorted(error.error_type.split("/")),
            [
                (annotator, [(start, end, untokenised(text)) for start, end, text in corrections])
                for annotator, corrections in error.alternatives
            ],
        )
        for error in sentence.errors
    ]


def untokenised(text: str) -> str:
    return text.replace(" ", "").replace("``", '"').replace("''", '"')


def texts(sentence: XmlSentence) -> list[str]:
    return [
        text
        for error in sentence.errors
        for _, corrections in error.alternatives
        for _, _, text in corrections
    ]


def test_outputs_are_read_as_they_are(warehouse: Path) -> None:
    odd = "select system from raw.outputs where (trim(text) = '' or contains(text, chr(13)))"
    assert query(warehouse, f"{odd} and corpus = 'conll14'") == [("POST",)]
