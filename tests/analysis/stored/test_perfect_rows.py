"""A perfect corrector's scores from answers: by hand, and of the released crowd and corpora."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from family_speed import annotations_of

from maege.analysis.edits import Edit, format_annotation, parse_annotation
from maege.analysis.stored.perfect_corrector import (
    Crowd,
    DrawnSentence,
    crowds,
    m2_scores,
    perfect_rows,
    published_scores,
    reference_rows,
)

LEVEL, SEED = 0.95, 1
BATCHES = ("Batch_2612793", "Batch_2626033", "Batch_2634540")


def test_rows_of_a_sentence_are_a_crowd_with_its_edits_where_all_are_known() -> None:
    rows = [("c", 3, "He go", "He goes", 2), ("c", 3, "He go", "He went", 1)]
    assert crowds(rows) == {"c": [Crowd("He go", ("He goes", "He went"), (2, 1))]}
    with_edits = [(*row, text) for row, text in zip(rows, ("goes", "went"), strict=True)]
    assert crowds(with_edits)["c"][0].edits == ("goes", "went")
    assert crowds([(*row, None) for row in rows])["c"][0].edits is None


def test_two_corrections_of_a_word_by_m2_and_errant() -> None:
    """Each proposes one edit of one, which agrees in half the cases with one reference: F = 1/2.

    With two references it agrees in 3 of 4. ERRANT has a curve only if all edits are known.
    """
    texts = ("he goes", "he went")
    edits = tuple(format_annotation([Edit(1, 2, "R:VERB", (t.split()[1],))]) for t in texts)
    sentence = Crowd("he go", texts, (1, 1), edits)
    rows = {row[2:5]: row[5] for row in perfect_rows("c", [sentence], LEVEL, SEED)}
    for metric in ("m2", "errant"):
        assert rows[metric, "perfect", 1] == pytest.approx(0.5)
        assert rows[metric, "perfect", 2] == pytest.approx(0.75)
    unknown = [row[2] for row in perfect_rows("c", [sentence._replace(edits=None)], LEVEL, SEED)]
    assert "m2" in unknown
    assert "errant" not in unknown


def test_means_of_references_are_flat_and_lucky_ones_fall() -> None:
    sentence = Crowd("he go home now", ("he goes home now", "he went home then"), (1, 1))
    rows = {row[2:5]: row[5] for row in perfect_rows("c", [sentence], LEVEL, SEED)}
    assert rows["gleu", "perfect", 1] == rows["gleu", "perfect", 20]
    assert rows["max_sari", "perfect", 1] < rows["max_sari", "perfect", 20]
    assert rows["sari", "lucky", 1] > rows["sari", "lucky", 20]
    assert rows["imeasure", "perfect", 2] == pytest.approx(
        0.5 * rows["imeasure", "perfect", 1] + 0.5, abs=1e-9
    )


def test_references_replace_a_crowd_up_to_their_number() -> None:
    sentence = Crowd("he go home now", ("he goes home now", "he went home then"), (3, 2))
    rows = list(reference_rows("c", "r", [sentence], LEVEL, SEED))
    assert {row[:2] for row in rows} == {("c", "r")}
    names = {("max_sari", "perfect"), ("sari", "perfect"), ("sari", "lucky")}
    assert {row[2:4] for row in rows} == names
    assert sorted({row[4] for row in rows}) == [1, 2, 3, 4, 5]
    crowd_scores = {row[2:5]: row[5] for row in perfect_rows("c", [sentence], LEVEL, SEED)}
    assert all(crowd_scores[row[2:5]] == row[5] for row in rows)


def test_an_edit_past_the_end_is_dropped() -> None:
    edit, past = Edit(1, 2, "Wform", ("goes",)), Edit(1, 4, "Wform", ("",))
    sentence = DrawnSentence("he go", ((edit, past),), "he goes")
    scores = published_scores([sentence], LEVEL, SEED)
    assert scores["m2_precision"].value == 1
    assert scores["m2_recall"].value == 1


def words_alone(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def test_crowd_of_the_paper_reproduces_its_files(shared: Path) -> None:
    """The sampled corpus with two references has .4163; all accepted answers have .4525."""
    with (shared / "data" / "lcb" / "gec_corrections.tsv").open(
        encoding="utf-8", newline=""
    ) as stream:
        answers = Counter(
            ("lcb_gec", words_alone(row["source"]), words_alone(row["correction"]))
            for row in csv.DictReader(stream, delimiter="\t")
            if row["batch"] in BATCHES and row["assignment_status"] != "Rejected"
        )
    rows = [(*key[:2], *key[1:], n) for key, n in sorted(answers.items()) if key[-1]]
    scores = m2_scores(crowds(rows)["lcb_gec"], LEVEL, SEED)
    assert [round(scores[n].value, 3) for n in (1, 2, 5, 10)] == [0.325, 0.453, 0.604, 0.704]


# P, R and F that the paper's scorer gives the released corpora.
RELEASED = {
    1: (0.3775, 0.1953, 0.3181),
    2: (0.4605, 0.3010, 0.4163),
    5: (0.5604, 0.4676, 0.5390),
    10: (0.6065, 0.5266, 0.5886),
}


@pytest.mark.parametrize("n_references", RELEASED)
def test_released_corpora_have_the_published_scores(shared: Path, n_references: int) -> None:
    folder = shared / "data" / "lcb" / "perfect_corpora"
    outputs = (folder / f"{n_references}_output.txt").read_text(encoding="utf-8").split("\n")[:-1]
    sentences = [
        DrawnSentence(
            source, tuple(parse_annotation(text) for text in texts if text is not None), output
        )
        for (source, texts), output in zip(
            annotations_of([folder / f"{n_references}_refs.m2"], n_references), outputs, strict=True
        )
    ]
    scores_by_metric = published_scores(sentences, LEVEL, SEED)
    scores = [scores_by_metric[name].value for name in ("m2_precision", "m2_recall", "m2")]
    assert scores == pytest.approx(RELEASED[n_references], abs=5e-5)
    assert scores_by_metric["gleu"].value == pytest.approx(0.43, abs=0.01)
