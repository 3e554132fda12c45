"""The sample corpus contains all structures that the warehouse must support.

Whether its files fit together is checked by each ingest of it.
"""

import csv
import re
from collections import Counter, defaultdict
from itertools import pairwise, product
from pathlib import Path

import pytest

from maege.analysis.metrics.imeasure import Correction, error_groups
from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import AnnotationFile, EditLine
from maege.ingest.formats.imeasure_xml import parse_imeasure_xml
from maege.ingest.formats.m2 import parse_m2

SENTENCES = range(84)
SYSTEMS = ("INPUT", "careful", "thorough", "spellfix", "overeager", "broken")
Annotations = dict[tuple[int, str], list[EditLine]]


@pytest.fixture(scope="module")
def folder(repository: Path) -> Path:
    return repository / "corpora" / "sample"


@pytest.fixture(scope="module")
def m2(folder: Path) -> AnnotationFile:
    return parse_m2(lines(folder / "sample.m2"), "sample.m2", Findings())


@pytest.fixture(scope="module")
def gold(folder: Path) -> AnnotationFile:
    parsed = parse_imeasure_xml(lines(folder / "sample.ieval.xml"), "sample.ieval.xml", Findings())
    assert parsed is not None
    return parsed


@pytest.fixture(scope="module")
def annotations(m2: AnnotationFile) -> Annotations:
    """The edits of each sentence and annotator, without noops."""
    edits: Annotations = defaultdict(list)
    for edit in m2.edits:
        if edit.kind != "none":
            edits[edit.sentence_id, edit.annotator].append(edit)
    return dict(edits)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def rows(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def test_sentences_have_all_sizes(m2: AnnotationFile, annotations: Annotations) -> None:
    lengths = [len(sentence.tokens) for sentence in m2.sentences]
    assert (len(lengths), min(lengths), max(lengths)) == (len(SENTENCES), 2, 60)
    sizes = [len(edits) for edits in annotations.values()]
    assert (min(sizes), max(sizes)) == (1, 9)
    assert set("éü“”") <= set("".join(sentence.text for sentence in m2.sentences))


def test_annotators_differ_in_edits_and_in_sentences(
    m2: AnnotationFile, annotations: Annotations
) -> None:
    unchanged = {edit.sentence_id for edit in m2.edits if edit.kind == "none"}
    assert len(unchanged) == 9
    n_annotators = Counter(
        sum((number, annotator) in annotations for annotator in "012")
        for number in SENTENCES
        if number not in unchanged
    )
    assert n_annotators == {3: 67, 2: 3, 1: 3, 0: 2}
    pairs = [
        (first.edit, second.edit)
        for number in SENTENCES
        for first, second in product(*(annotations.get((number, name), []) for name in "01"))
    ]
    assert sum(a == b for a, b in pairs) > 60
    assert sum(a != b and a.start < b.end and b.start < a.end for a, b in pairs) > 60


def test_edits_have_every_type_and_kind_of_correction(
    folder: Path, m2: AnnotationFile, annotations: Annotations
) -> None:
    edits = [edit for edits in annotations.values() for edit in edits]
    # All error types of NUCLE.
    assert len({edit.edit.error_type for edit in edits}) == 28
    assert {edit.correction for edit in edits if "||" in edit.correction} == {
        "ring||go off",
        "economical||cost-effective",
    }
    deletions = [edit for edit in edits if not edit.correction]
    assert any(edit.edit.start == 0 for edit in deletions)
    assert any(edit.edit.end == len(m2.sentences[edit.sentence_id].tokens) for edit in deletions)
    text = (folder / "sample.m2").read_text(encoding="utf-8")
    assert set(re.findall(r"^A \d.*?\|\|\|.*?\|\|\|(|-NONE-)\|\|\|", text, re.M)) == {"", "-NONE-"}


def test_edits_meet_in_all_ways(annotations: Annotations) -> None:
    same_place: set[int] = set()
    insertion_first: set[int] = set()
    overlapping = set()
    for (number, annotator), edits in annotations.items():
        for before, after in pairwise(edit.edit for edit in edits):
            if before.start == before.end == after.start:
                (same_place if after.end == after.start else insertion_first).add(number)
            if after.start < before.end:
                overlapping.add((number, annotator))
    assert same_place == {31, 60, 66}
    assert {15, 33, 60, 67} <= insertion_first
    assert overlapping == {(27, "2")}


def test_the_xml_has_the_edits_of_annotators_0_and_1(
    gold: AnnotationFile, m2: AnnotationFile
) -> None:
    def edits(file: AnnotationFile) -> list[tuple[object, ...]]:
        return sorted(
            (e.sentence_id, e.annotator, *e.edit[:2], e.correction.partition("||")[0])
            for e in file.edits
            if e.annotator != "2"
        )

    assert edits(gold) == edits(m2)
    assert gold.annotators == ["0", "1"]


def test_three_errors_of_the_xml_join_corrections_that_do_not_overlap(
    gold: AnnotationFile,
) -> None:
    errors: dict[tuple[int, str], list[Correction]] = defaultdict(list)
    for edit in gold.edits:
        if edit.edit.error_group:
            error = (edit.sentence_id, edit.edit.error_group)
            errors[error].append(Correction(int(edit.annotator), edit.edit))
    joined = [error for error, parts in errors.items() if len(error_groups(parts, 2)) > 1]
    assert joined == [(4, "3"), (21, "1"), (29, "3")]


def test_outputs_are_the_source_empty_or_differ_widely(folder: Path, m2: AnnotationFile) -> None:
    texts = {system: lines(folder / "outputs" / f"{system}.txt") for system in SYSTEMS}
    assert texts["INPUT"] == [" ".join(sentence.tokens) for sentence in m2.sentences]
    empty = [(name, n) for name in SYSTEMS for n, text in enumerate(texts[name]) if not text]
    assert empty == [("broken", 76)]
    shared = set(texts["overeager"][44].split()) & set(m2.sentences[44].tokens)
    assert shared == {",", ".", "a", "in", "me", "my", "waitress"}


def test_naturalness_scores_every_output_with_ties(folder: Path) -> None:
    scores = rows(folder / "scores" / "naturalness.tsv", "\t")
    keys = {(row["system"], int(row["sentence_id"])) for row in scores}
    assert keys == set(product(SYSTEMS, SENTENCES))
    assert len({row["score"] for row in scores}) < len(scores)


def test_judges_rank_outputs_with_ties_some_twice(folder: Path) -> None:
    items: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    shared = 0
    for row in rows(folder / "judgments.csv"):
        systems = row["system"].split()
        shared += len(systems) > 1
        for system in systems:
            items[row["judge"], row["item"], row["sentence_id"]][system] = row["rank"]
    # Systems with the same output share a row.
    assert shared > 0
    assert Counter(judge for judge, _, _ in items) == {"judge_a": 40, "judge_b": 40, "judge_c": 30}
    assert {len(ranks) for ranks in items.values()} == {5, 6}
    assert sum(len(set(ranks.values())) < len(ranks) for ranks in items.values()) > len(items) / 2
    times = Counter((judge, sentence) for judge, _, sentence in items)
    repeated = Counter(judge for (judge, _), count in times.items() if count == 2)
    assert repeated == {"judge_a": 4, "judge_b": 4, "judge_c": 3}
    a, b, c = ({s for j, s in times if j == f"judge_{name}"} for name in "abc")
    assert (len(a & b), len(a & c), len(b & c), len(a & b & c)) == (11, 13, 13, 6)
