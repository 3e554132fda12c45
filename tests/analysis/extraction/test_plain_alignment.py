"""Edits and changed words without a parser: by hand, and compared with released counts."""

import csv
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.edits import Edit
from maege.analysis.extraction.errant_edits import corrected_text
from maege.analysis.extraction.plain_alignment import (
    Changes,
    Shared,
    align_words,
    changed_places,
    changes,
    extract_plain,
    shared_edits,
    singular,
    split_words,
)
from maege.analysis.statistics.coverage import count_histogram
from maege.ingest.formats.crowd import normalised

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "A"]), max_size=12).map(" ".join)


def test_adjacent_changes_are_one_edit_with_the_letter_of_its_operation() -> None:
    assert extract_plain("He go to the the home .", "Yesterday he went home .") == (
        Edit(0, 5, "R", ("Yesterday he went",)),
    )
    edits = Edit(1, 2, "U", ("",)), Edit(4, 4, "M", ("d",))
    assert extract_plain("a b c e", "a c e d") == edits

    assert extract_plain("", "") == ()
    assert extract_plain("", "a b") == (Edit(0, 0, "M", ("a b",)),)
    assert extract_plain("a b", " ") == (Edit(0, 2, "U", ("",)),)


@given(TEXTS, TEXTS)
def test_edits_lead_from_source_to_target_and_never_touch(source: str, target: str) -> None:
    edits = extract_plain(source, target)
    assert corrected_text(source, edits) == target
    assert all(before.end < after.start for before, after in pairwise(edits))


SHARED_SOURCE = "He go to school by the bus ."


def shares(edited: str, *references: str) -> Shared:
    (edit_shares,) = shared_edits(SHARED_SOURCE, [edited], references)
    return edit_shares


def test_references_that_make_an_edit_by_hand() -> None:
    edited = "He goes to school by the bus ."
    edit_shares = shares(edited, "He goes to school by bus .", SHARED_SOURCE, edited)
    assert (edit_shares, edit_shares.made_by) == (Shared(3, 2, 0), "2-3")

    edit_shares = shares("He go to school by a bus .", "He go to school on a bus .")
    assert (edit_shares, edit_shares.made_by) == (Shared(1, 0, 1), "otherwise")

    edited = "He go to school by bus ."
    assert shares(edited, edited, "He go to school by a bus .") == Shared(2, 1, 1)

    edit_shares = shares("He go to school by the bus !", "He goes to school by the bus .")
    assert (edit_shares, edit_shares.made_by) == (Shared(1, 0, 0), "untouched")

    assert shares(SHARED_SOURCE, SHARED_SOURCE, "He goes to school by the bus .") == Shared(2, 0, 0)


def test_many_are_four_or_more() -> None:
    edited = "He goes to school by the bus ."
    classes = [shares(edited, *[edited] * n).made_by for n in (1, 2, 3, 4, 9)]
    assert classes == ["1", "2-3", "2-3", "4+", "4+"]


BATCHES = ("Batch_2612793", "Batch_2626033", "Batch_2634540")


def test_words_meet_the_nearest_and_changed_places_are_of_the_source() -> None:
    assert split_words("It's , fine") == ["it", "s", "", "", "fine"]

    pairs = align_words(["he", "go", "home"], ["he", "goes", "back", "home"])
    assert sorted(pairs) == [(-1, 2), (0, 0), (1, 1), (2, 3)]

    assert changed_places("he go home", "he goes home") == (1,)
    assert changed_places("he go home", "he went home") == (1,)
    assert changed_places("he go home", "he go") == (2,)
    assert changed_places("he go home", "He go home") == ()

    assert changed_places("a cat", "a black cat") == changed_places("a cat", "a cat black") == (2,)
    assert changed_places("a cat", "a big black cat") == (2, 3)


def released_signature(places: tuple[int, ...], n_words: int) -> tuple[int, ...]:
    """The released program counts the first inserted word as the last source word."""
    return tuple(sorted(place - (place >= n_words) for place in places))


def test_released_histograms_are_those_of_the_answers(shared: Path) -> None:
    """48 of 48 histograms are equal by text, and 38 of 48 by positions, which is what the released
    program gives today.
    """
    folder = shared / "data" / "lcb"
    with (folder / "gec_corrections.tsv").open(encoding="utf-8", newline="") as stream:
        rows = [
            row
            for row in csv.DictReader(stream, delimiter="\t")
            if row["batch"] in BATCHES and row["assignment_status"] != "Rejected"
        ]
    answers = defaultdict(list)
    for row in rows:
        answers[normalised(row["source"], "words")].append(normalised(row["correction"], "words"))
    assert Counter(map(len, answers.values())) == {50: 50, 75: 1, 71: 1}
    histograms: dict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for sentence, texts in answers.items():
        name, n_words = re.sub(r"\W", "", sentence)[:6], len(sentence.split())
        places = [released_signature(changed_places(sentence, text), n_words) for text in texts]
        histograms["exact", name].append(count_histogram(list(Counter(texts).values())))
        histograms["index", name].append(count_histogram(list(Counter(places).values())))
    equal: Counter[str] = Counter()
    for path in (folder / "unseen_estimates").glob("[A-Z]*_input_hist.txt"):
        name, measure, *_ = path.name.split("_")
        histogram = [int(float(number)) for number in path.read_text().split()]
        equal[measure] += histogram in histograms[measure, name]
    assert equal == {"exact": 48, "index": 38}


def test_changed_deleted_and_added_words_count_and_punctuation_does_not() -> None:
    assert changes("He go home .", "he went back home") == Changes(2, 2, 1.0, 0)
    assert changes("a , b", "a b !") == Changes(0, 0, 1.0, 0)
    assert changes("a b c", "a c") == Changes(1, 1, 1.0, 0)


def test_words_that_differ_by_little_are_alike_by_how_long_they_are() -> None:
    """Words are alike if one of up to four characters differs, or two of five or more."""
    assert changes("cars", "cars").unlike_words == 0
    assert changes("cars", "car").unlike_words == 0
    assert changes("cars", "case").unlike_words == 1
    assert changes("started", "starts").unlike_words == 0
    assert changes("walked", "walks").unlike_words == 1
    assert changes("walk", "walked").unlike_words == 1
    assert changes("studies", "study") == Changes(1, 0, None, 0)


def test_plurals_lose_their_endings() -> None:
    words = "studies ties boxes classes women cars cases bus this as class"
    singulars = "study tie box class woman car case bus this as class"
    assert [singular(word) for word in words.split()] == singulars.split()


def test_order_is_spearmans_and_a_word_alone_moves_no_other() -> None:
    # a b c d to b a c d: d = 1, 1, 0, 0, so 1 - 6 * 2 / (4 * 15).
    assert changes("alpha beta gamma delta", "beta alpha gamma delta").order == pytest.approx(0.8)
    assert changes("alpha beta", "beta alpha").order == -1
    assert changes("alpha", "beta").order is None

    assert changes("alpha beta gamma", "new alpha beta gamma").order == 1


def test_sentences_are_split_and_joined_where_something_follows_their_end() -> None:
    assert changes("I came and I saw .", "I came . I saw .").sentences == 1
    assert changes("I came ! I saw .", "I came and saw .").sentences == -1
    assert changes("I came .", "I came . '").sentences == 0


# Number of sentences with exactly six changed words, and with another word order, in the released
# counts and here. The released counts are of newly segmented sentences (1,238 of the reference,
# 1,340 of outputs), and use all of WordNet.
RELEASED = {
    "noalt/NUCLEA.txt": (36, 287, 36, 262),
    "outputs/CAMB": (3, 158, 3, 150),
    "outputs/CUUI": (0, 114, 0, 116),
    "outputs/UMC": (None, 112, 0, 109),
    "outputs/NTHU": (None, 97, 0, 98),
}
# Numbers of sentences with none to four changed words, as the oracle selects outputs with one
# reference and with ten.
RERANKED = {
    "NUCLEA": ([947, 289, 75, 12, 4], [923, 307, 67, 13, 2]),
    "BN": ([897, 313, 86, 18, 7], [871, 337, 81, 20, 3]),
}


@pytest.mark.parametrize("path", RELEASED)
def test_conll14_has_about_the_released_number_of_changes(shared: Path, path: str) -> None:
    folder = shared / "data" / "conll14"
    sources = (folder / "outputs" / "INPUT").read_text(encoding="utf-8").splitlines()
    texts = (folder / path).read_text(encoding="utf-8").splitlines()
    text_changes = [changes(source, text) for source, text in zip(sources, texts, strict=True)]
    six, moved, our_six, our_moved = RELEASED[path]
    assert sum(change.unlike_words == 6 for change in text_changes) == our_six
    assert sum(c.order is not None and c.order < 1 for c in text_changes) == our_moved
    assert six is None or abs(six - our_six) <= 2
    assert abs(moved - our_moved) <= 0.1 * moved


@pytest.mark.parametrize("name", RERANKED)
def test_more_references_make_an_oracle_change_more(shared: Path, name: str) -> None:
    """With ten references 50 fewer sentences stay unchanged in the released counts, 52 here."""
    data = shared / "data"
    sources = (data / "conll14" / "outputs" / "INPUT").read_text(encoding="utf-8").splitlines()
    path = data / "lcb" / "oracle_rerank_gec" / f"first_rank_results{name}"
    texts = path.read_text(encoding="utf-8").splitlines()
    text_changes = [changes(*pair).unlike_words for pair in zip(sources, texts, strict=True)]
    released, ours = RERANKED[name]
    assert [text_changes.count(n) for n in range(5)] == ours
    assert max(abs(a - b) for a, b in zip(released, ours, strict=True)) <= 26
