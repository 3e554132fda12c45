"""The sample corpus contains all structures that the warehouse must support."""

import csv
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from maege.analysis.metrics.imeasure.gold import Correction, error_groups
from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import AnnotationFile
from maege.ingest.formats.imeasure_xml import parse_imeasure_xml

SENTENCES = 84
ANNOTATORS = ("0", "1", "2")
SYSTEMS = ("INPUT", "careful", "thorough", "spellfix", "overeager", "broken")
# fmt: off
NUCLE_TYPES = {
    "Vt", "Vm", "V0", "Vform", "SVA", "ArtOrDet", "Nn", "Npos", "Pform", "Pref", "Prep", "Wci",
    "Wa", "Wform", "Wtone", "Srun", "Smod", "Spar", "Sfrag", "Ssub", "WOinc", "WOadv", "Trans",
    "Mec", "Rloc-", "Cit", "Others", "Um",
}
# fmt: on
COMMON_TYPES = ["ArtOrDet", "Nn", "Prep", "Wci", "Mec", "Vt", "Vform", "SVA", "Rloc-"]


class Edit(NamedTuple):
    start: int
    end: int
    error_type: str
    correction: str


class Sentence(NamedTuple):
    tokens: list[str]
    edits: dict[str, list[Edit]]
    noops: set[str]


@pytest.fixture(scope="module")
def folder(repository: Path) -> Path:
    return repository / "corpora" / "sample"


@pytest.fixture(scope="module")
def sentences(folder: Path) -> list[Sentence]:
    parsed: list[Sentence] = []
    for block in (folder / "sample.m2").read_text(encoding="utf-8").rstrip("\n").split("\n\n"):
        source, *annotations = block.split("\n")
        sentence = Sentence(source.removeprefix("S ").split(" "), defaultdict(list), set())
        for line in annotations:
            span, error_type, correction, _, _, annotator = line.removeprefix("A ").split("|||")
            start, end = (int(position) for position in span.split())
            if error_type == "noop":
                sentence.noops.add(annotator)
            else:
                sentence.edits[annotator].append(Edit(start, end, error_type, correction))
        parsed.append(sentence)
    return parsed


@pytest.fixture(scope="module")
def gold(folder: Path) -> AnnotationFile:
    findings = Findings()
    parsed = parse_imeasure_xml(_lines(folder / "sample.ieval.xml"), "sample.ieval.xml", findings)
    assert findings.as_text() == ""
    assert parsed is not None
    return parsed


def _annotations(sentences: list[Sentence]) -> list[tuple[Sentence, str, list[Edit]]]:
    return [(s, annotator, edits) for s in sentences for annotator, edits in s.edits.items()]


def _overlaps(edits: list[Edit]) -> bool:
    return any(after.start < before.end for before, after in pairwise(edits))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def test_files_are_those_of_the_manifest_in_utf8_with_single_spaces(folder: Path) -> None:
    manifest = yaml.safe_load((folder / "manifest.yml").read_text(encoding="utf-8"))
    named = {
        *(path for paths in manifest["annotations"].values() for path in paths),
        *(
            path
            for reference_set in manifest["references"].values()
            for path in reference_set.get("texts", ())
        ),
        *manifest["systems"].values(),
        *(path for paths in manifest["k_best"].values() for path in paths),
        *(score["file"] for score in manifest["scores"].values()),
        manifest["corrections"],
        manifest["validity"],
        *(judgment_set["file"] for judgment_set in manifest["judgments"].values()),
    }
    present = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    assert present - named == {"manifest.yml", "README.md", "LICENSE"}
    assert named <= present

    for path in folder.rglob("*.*"):
        text = path.read_bytes().decode("utf-8")
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        assert "\r" not in text, path
        assert path.suffix == ".tsv" or "\t" not in text, path
        if path.suffix == ".txt":
            assert all(line == " ".join(line.split()) for line in _lines(path)), path


def test_sentences_have_all_sizes_and_spans_are_in_range(sentences: list[Sentence]) -> None:
    lengths = [len(s.tokens) for s in sentences]
    assert len(lengths) == SENTENCES
    assert lengths.count(60) == 1
    assert max(lengths) == 60
    assert min(lengths) == 2

    for sentence, _, edits in _annotations(sentences):
        assert all(0 <= e.start <= e.end <= len(sentence.tokens) for e in edits)
        assert [e[:2] for e in edits] == sorted(e[:2] for e in edits)

    for sentence, _, edits in _annotations(sentences):
        for edit in edits:
            correction = edit.correction.replace("-NONE-", "")
            assert correction != " ".join(sentence.tokens[edit.start : edit.end])

    sizes = [len(edits) for _, _, edits in _annotations(sentences)]
    assert min(sizes) == 1
    assert max(sizes) == 9
    assert 3 <= sum(sizes) / len(sizes) <= 4

    text = " ".join(token for s in sentences for token in s.tokens)
    assert set("éü“”") <= set(text)


def test_annotators_differ_in_edits_and_in_sentences(sentences: list[Sentence]) -> None:
    assert sum(set(s.edits) == set(ANNOTATORS) for s in sentences) == 67

    assert sum(bool(s.noops) for s in sentences) == 9
    assert not any(s.noops & set(s.edits) for s in sentences)
    without_noop = Counter(len(s.edits) for s in sentences if not s.noops)
    assert without_noop == {3: 67, 2: 3, 1: 3, 0: 2}

    n_edits = Counter(annotator for _, annotator, edits in _annotations(sentences) for _ in edits)
    assert min(n_edits, key=lambda annotator: n_edits[annotator]) == "0"

    agreeing = alternatives = 0
    for sentence in sentences:
        for edit in sentence.edits.get("0", []):
            for second in sentence.edits.get("1", []):
                agreeing += edit == second
                alternatives += (
                    edit != second and edit.start < second.end and second.start < edit.end
                )
    assert agreeing > 60
    assert alternatives > 60

    unclear = [e for edits in sentences[82].edits.values() for e in edits if e.error_type == "Um"]
    assert max(Counter(unclear).values()) == 2


def test_edits_have_every_type_and_kind_of_correction(sentences: list[Sentence]) -> None:
    types = Counter(e.error_type for _, _, edits in _annotations(sentences) for e in edits)
    assert set(types) == NUCLE_TYPES
    assert all(types[name] > 20 for name in COMMON_TYPES)

    deletions = [
        (sentence, edit)
        for sentence, _, edits in _annotations(sentences)
        for edit in edits
        if edit.correction in {"", "-NONE-"}
    ]
    assert {edit.correction for _, edit in deletions} == {"", "-NONE-"}
    assert any(edit.start == 0 for _, edit in deletions)
    assert any(edit.end == len(sentence.tokens) for sentence, edit in deletions)

    corrections = [e.correction for _, _, edits in _annotations(sentences) for e in edits]
    assert {c for c in corrections if "||" in c} == {"ring||go off", "economical||cost-effective"}


def test_edits_meet_in_all_ways(sentences: list[Sentence]) -> None:
    places = {
        sentence_id
        for sentence_id, sentence in enumerate(sentences)
        for edits in sentence.edits.values()
        for before, after in pairwise(edits)
        if before.start == before.end == after.start == after.end
    }
    assert places == {31, 60, 66}

    followed = {
        sentence_id
        for sentence_id, sentence in enumerate(sentences)
        for edits in sentence.edits.values()
        for before, after in pairwise(edits)
        if before.start == before.end == after.start < after.end
    }
    assert {15, 33, 60, 67} <= followed

    overlapping = [
        (sentence_id, annotator)
        for sentence_id, sentence in enumerate(sentences)
        for annotator, edits in sentence.edits.items()
        if _overlaps(edits)
    ]
    assert overlapping == [(27, "2")]


def test_references_and_outputs_are_line_parallel_and_one_is_empty(folder: Path) -> None:
    paths = [*sorted((folder / "references").iterdir()), *sorted((folder / "outputs").iterdir())]
    texts = {path.stem: _lines(path) for path in paths}
    assert set(texts) == {"ref0", "ref1", "ref2", "ref3", "other0", "other1", *SYSTEMS}
    assert all(len(lines) == SENTENCES for lines in texts.values())
    assert len({tuple(lines) for lines in texts.values()}) == len(texts)

    empty = [
        (path.stem, sentence_id)
        for path in [*(folder / "references").iterdir(), *(folder / "outputs").iterdir()]
        for sentence_id, line in enumerate(_lines(path))
        if not line
    ]
    assert empty == [("broken", 76)]


def test_the_xml_has_the_edits_of_annotators_0_and_1(
    gold: AnnotationFile, sentences: list[Sentence]
) -> None:
    assert [sentence.tokens for sentence in gold.sentences] == [s.tokens for s in sentences]
    assert gold.annotators == ["0", "1"]
    for annotator in gold.annotators:
        own = [edit for edit in gold.edits if edit.annotator == annotator]
        xml_edits = [
            (edit.sentence_id, *edit.edit[:2], edit.correction)
            for edit in own
            if edit.kind != "none"
        ]
        assert sorted(xml_edits) == sorted(
            (i, edit.start, edit.end, edit.correction.removeprefix("-NONE-").partition("||")[0])
            for i, sentence in enumerate(sentences)
            for edit in sentence.edits.get(annotator, [])
        )
        assert {edit.sentence_id for edit in own if edit.kind == "none"} == {
            i for i, sentence in enumerate(sentences) if annotator in sentence.noops
        }


def test_three_errors_of_the_xml_join_corrections_that_do_not_overlap(
    gold: AnnotationFile,
) -> None:
    errors: dict[tuple[int, str], list[Correction]] = defaultdict(list)
    for edit in gold.edits:
        if edit.edit.error_group:
            errors[edit.sentence_id, edit.edit.error_group].append(
                Correction(int(edit.annotator), edit.edit)
            )
    joined = [
        error for error, corrections in errors.items() if len(error_groups(corrections, 2)) > 1
    ]
    assert joined == [(4, "3"), (21, "1"), (29, "3")]


def test_outputs_are_the_source_or_differ_widely(folder: Path, sentences: list[Sentence]) -> None:
    assert _lines(folder / "outputs" / "INPUT.txt") == [" ".join(s.tokens) for s in sentences]

    output = _lines(folder / "outputs" / "overeager.txt")[44].split(" ")
    assert len(output) > 20
    assert set(output) & set(sentences[44].tokens) == {",", ".", "a", "in", "me", "my", "waitress"}


def test_naturalness_scores_every_output_once_with_ties(folder: Path) -> None:
    with (folder / "scores" / "naturalness.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    keys = {(row["system"], int(row["sentence_id"])) for row in rows}
    assert keys == {(system, i) for system in SYSTEMS for i in range(SENTENCES)}
    assert len(rows) == len(keys)
    assert len({row["score"] for row in rows}) < len(rows)


def test_judges_rank_outputs_with_ties_some_twice(folder: Path) -> None:
    items = _items(folder)
    assert Counter(judge for judge, _, _ in items) == {"judge_a": 40, "judge_b": 40, "judge_c": 30}
    for ranks in items.values():
        assert set(ranks) <= set(SYSTEMS)
        assert len(ranks) in {5, 6}
        assert set(ranks.values()) == set(range(1, max(ranks.values()) + 1))
    tied = sum(len(set(ranks.values())) < len(ranks) for ranks in items.values())
    assert tied > len(items) / 2

    times = Counter((judge, sentence_id) for judge, _, sentence_id in _items(folder))
    repeated = Counter(judge for (judge, _), count in times.items() if count == 2)
    assert repeated == {"judge_a": 4, "judge_b": 4, "judge_c": 3}
    a, b, c = ({s for j, s in times if j == f"judge_{name}"} for name in "abc")
    assert (len(a & b), len(a & c), len(b & c), len(a & b & c)) == (11, 13, 13, 6)

    by_system: dict[str, list[int]] = defaultdict(list)
    for item in _items(folder).values():
        for system, rank in item.items():
            by_system[system].append(rank)
    mean = {system: sum(ranks) / len(ranks) for system, ranks in by_system.items()}
    expected = ["thorough", "careful", "spellfix", "INPUT", "overeager", "broken"]
    assert sorted(mean, key=lambda system: mean[system]) == expected


def test_outputs_share_a_row_where_they_are_identical(folder: Path) -> None:
    texts = {system: _lines(folder / "outputs" / f"{system}.txt") for system in SYSTEMS}
    outputs: Counter[tuple[str, str, str]] = Counter()
    items: set[tuple[str, str]] = set()
    for row in _judgments(folder):
        systems = row["system"].split()
        (text,) = {texts[system][int(row["sentence_id"])] for system in systems}
        outputs[row["judge"], row["item"], text] += 1
        items.add((row["judge"], row["item"]))
    assert set(outputs.values()) == {1}
    assert len(items) == 110


def _items(folder: Path) -> dict[tuple[str, str, int], dict[str, int]]:
    items: dict[tuple[str, str, int], dict[str, int]] = defaultdict(dict)
    for row in _judgments(folder):
        key = (row["judge"], row["item"], int(row["sentence_id"]))
        for system in row["system"].split():
            assert system not in items[key]
            items[key][system] = int(row["rank"])
    return items


def _judgments(folder: Path) -> list[dict[str, str]]:
    with (folder / "judgments.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
