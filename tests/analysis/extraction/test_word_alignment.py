"""Which words a correction changes: by hand, and the released histograms of index matches."""

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path

from maege.analysis.extraction.plain_alignment import align_words, changed_places, split_words
from maege.analysis.statistics.coverage import count_histogram
from maege.ingest.formats.crowd import normalised

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
