"""The character language model: probabilities by hand, training corpora and scored corpora."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from hashlib import md5
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metric_requests import group
from small_corpus import MANIFEST, ingest, maege, write_corpus
from typer.testing import Result

from maege.analysis.metrics.families.languages import is_among
from maege.analysis.metrics.referenceless.char_lm import (
    CharLm,
    CharLmRatioScore,
    CharLmScore,
    Part,
    Training,
    trainings_in,
)
from maege.analysis.metrics.referenceless.language_models.char_ngrams import ORDER, CharModel
from maege.analysis.metrics.referenceless.weighted import PUBLISHED
from maege.analysis.metrics.registry import metrics_with
from maege.analysis.stored.statistics import signature_key

TEXTS = st.text(alphabet="ab cü", max_size=9)


class PlainModel:
    """A direct implementation, one character at a time."""

    def __init__(self, texts: Sequence[str], order: int) -> None:
        self.order = order
        self.after: dict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            for history, symbol in self.steps(text):
                for start in range(order):
                    self.after[history[start:]][symbol] += 1
        self.base = 1 / (len(self.after[""]) + 1)

    def steps(self, text: str) -> list[tuple[str, str]]:
        """Return every character and the end with the characters before it; ^ starts, $ ends."""
        padded = "^" * (self.order - 1) + text + "$"
        return [
            (padded[place - self.order + 1 : place], padded[place])
            for place in range(self.order - 1, len(padded))
        ]

    def probability(self, history: str, symbol: str) -> float:
        shorter = self.probability(history[1:], symbol) if history else self.base
        counts = self.after.get(history)
        if not counts:
            return shorter
        return (counts[symbol] + len(counts) * shorter) / (counts.total() + len(counts))

    def score(self, text: str) -> float:
        return math.fsum(math.log(self.probability(*step)) for step in self.steps(text))


def test_probabilities_of_two_texts_are_those_done_by_hand() -> None:
    # The predicted symbols are a, b, end, a, end, three different ones: p(a) = p(end) = (2 + 3/4) /
    # (5 + 3) = 11/32, p(b) = 7/32, anything else 3/32. The start is followed only by a (twice), a
    # by b and by the end, b by the end.
    model = CharModel(["ab", "a"], order=2)
    a_first = (2 + 11 / 32) / 3
    expected = {
        "ab": a_first * (1 + 2 * 7 / 32) / 4 * (1 + 11 / 32) / 2,
        "a": a_first * (1 + 2 * 11 / 32) / 4,
        "": 11 / 32 / 3,
        # An unseen character, then an unseen history.
        "z": (3 / 32 / 3) * 11 / 32,
    }
    assert np.exp(model.score(list(expected))) == pytest.approx(list(expected.values()), rel=1e-12)


@given(st.lists(TEXTS, min_size=1, max_size=6), st.lists(TEXTS, min_size=1, max_size=4))
def test_arrays_give_what_the_definition_gives(trained: list[str], scored: list[str]) -> None:
    plain = PlainModel(trained, ORDER)
    assert CharModel(trained).score(scored) == pytest.approx(
        [plain.score(text) for text in scored], rel=1e-9
    )


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS)
def test_probabilities_after_any_history_add_up_to_one(trained: list[str], history: str) -> None:
    plain = PlainModel(trained, ORDER)
    # One symbol represents all unseen characters.
    symbols = {*plain.after[""], "☃"}
    padded = ("^" * ORDER + history)[1 - ORDER :]
    assert math.fsum(plain.probability(padded, each) for each in symbols) == pytest.approx(1)


def test_score_is_the_mean_over_characters_and_the_end() -> None:
    family = CharLm(Training.on(["ab", "a"], ["b", "ab"], "toy", "gold", "de-AT"))
    log_p, source_log_p, characters = family.compute(group("", "ab", []))[0, 0]
    assert characters == 3
    assert log_p == CharModel(["ab", "a"]).score(["ab"])[0]
    assert source_log_p == CharModel(["b", "ab"]).score(["ab"])[0]
    statistics = {"char_lm:de": np.array([[[log_p, source_log_p, characters]]])}
    scores = CharLmScore((family,)).sentence_scores(statistics)
    assert scores == pytest.approx([log_p / 3])
    ratios = CharLmRatioScore((family,)).sentence_scores(statistics)
    assert ratios == pytest.approx([(log_p - source_log_p) / 3])


def test_a_text_has_the_same_number_alone_and_among_others() -> None:
    texts = [f"{'abc ' * (n % 7)}{n}" for n in range(300)]
    model = CharModel(texts[:100])
    alone = np.concatenate([model.score([text]) for text in texts])
    np.testing.assert_array_equal(model.score(texts), alone)
    assert model.score([]).shape == (0,)


def test_signature_names_order_smoothing_and_texts() -> None:
    first, second = (Training.on(texts, ["a"], "toy", "gold", "cs") for texts in (["a"], ["b"]))
    assert CharLm(first).signature() == (
        f"char_lm:cs_statistics|order:6|smoothing:witten_bell|sha256:{first.sha256[:12]}|v:1"
    )
    half = Training.on(["a"], ["a"], "toy", "gold", "cs", is_half=True)
    assert "|trained_on:half|" in CharLm(half).signature()
    keys = {signature_key(CharLm(training)) for training in (None, first, second, half)}
    assert len(keys) == 4
    # The scores do not depend on the name of the corpus.
    assert signature_key(CharLm(Training.on(["a"], ["a"], "other", "sources", "cs"))) in keys


def test_texts_come_back_from_their_packing() -> None:
    texts = ["Ein Satz .", "", "é\u2028\x85 x"]
    training = Training.on(texts, texts[::-1], "toy", "gold", "fr")
    assert training.texts() == texts
    assert training.sources() == texts[::-1]


def test_without_training_it_is_missing_and_says_how_to_train_it() -> None:
    untrained = metrics_with(PUBLISHED)["char_lm"]
    trained = metrics_with(
        PUBLISHED, characters=trainings_in([(["a"], ["b"], "toy", "gold", "en-GB", None)])
    )["char_lm"]
    assert trainings_in([]) == []
    assert untrained.missing is not None
    assert "maege train char_lm" in untrained.missing.remedy
    assert trained.missing is None
    assert trained.inputs == ("hypothesis",)
    assert is_among("en-US", trained.languages)
    assert not is_among("de", trained.languages)


def test_a_metric_of_several_languages_has_a_family_in_each() -> None:
    rows: list[tuple[list[str], list[str], str, Part, str, list[str] | None]] = [
        (["a"], ["c"], "toy_uk", "gold", "uk", None),
        (["b"], ["b"], "toy_cs", "sources", "cs-CZ", None),
    ]
    first = metrics_with(PUBLISHED, characters=trainings_in(rows[:1]))["char_lm"]
    both = metrics_with(PUBLISHED, characters=trainings_in(rows))["char_lm"]
    assert both.families == ("char_lm:cs", "char_lm:uk")
    assert both.languages == frozenset({"cs", "uk"})
    assert first.languages == frozenset({"uk"})
    (of_first,), (czech, ukrainian) = first.score.families, both.score.families
    assert czech.languages == frozenset({"cs"})
    # A corpus with only sources has nothing to train on.
    ratio = metrics_with(PUBLISHED, characters=trainings_in(rows))["char_lm_ratio"]
    assert ratio.families == ("char_lm:uk",)
    only_sources = metrics_with(PUBLISHED, characters=trainings_in(rows[1:]))["char_lm_ratio"]
    assert only_sources.missing is not None
    # The second training does not change the statistics of the first one.
    assert signature_key(ukrainian) == signature_key(of_first)
    assert both.signature() == (f"char_lm|log:e|[{czech.signature()}]|[{of_first.signature()}]|v:1")


def test_training_stores_the_gold_of_the_first_annotator(repository: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    maege(warehouse, "ingest", str(repository / "tests/corpora/toy_uk"))
    result = maege(warehouse, "train", "char_lm", "--corpus", "toy_uk")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [
        "Trained on the gold of toy_uk: 8 texts, 197 characters, 44 of them different.",
        "It scores corpora in uk but toy_uk. Next: maege build",
    ]
    again = json.loads(maege(warehouse, "train", "char_lm", "--corpus", "toy_uk", "--json").stdout)
    assert (again["texts"], again["part"], again["is_new"]) == (8, "gold", False)
    sources = maege(warehouse, "train", "char_lm", "--corpus", "toy_uk", "--on", "sources")
    assert "sources of toy_uk: 8 texts" in sources.stdout
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        rows = connection.sql(
            "select number, part, texts[1], sources[1], sha256 from raw.char_lm_trainings "
            "order by number"
        ).fetchall()
    assert [row[:4] for row in rows] == [
        (1, "gold", "Я їду до школи на автобусі .", "Я їду в школу на автобус ."),
        (2, "sources", *["Я їду в школу на автобус ."] * 2),
    ]
    assert rows[0][4] == again["sha256"]


@pytest.mark.parametrize(
    ("references", "systems", "expected"),
    [
        # Texts come from edits if there are any, even if the set has texts; `goes||went` uses the
        # first alternative.
        ("", "", ["This is a cat .", "All well .", "He goes home ."]),
        (
            "texts: [ref1.txt, ref0.txt]",
            "",
            ["These are cats .", "All is well .", "He went home ."],
        ),
        ("", "INPUT: INPUT.txt", "no reference set"),
    ],
)
def test_gold_is_that_of_edits_else_of_the_first_texts(
    references: str, systems: str, expected: list[str] | str, tmp_path: Path
) -> None:
    manifest = MANIFEST
    if references or systems:
        manifest = MANIFEST.partition("annotations:")[0] + "source: INPUT.txt\n"
    if references:
        manifest += f"references:\n  texts: {{{references}}}\n"
    if systems:
        manifest += f"systems: {{{systems}}}\n"
    warehouse = tmp_path / "warehouse"
    ingest(warehouse, write_corpus(tmp_path / "corpus", manifest_yml=manifest))
    result = maege(warehouse, "train", "char_lm", "--corpus", "small")
    if isinstance(expected, str):
        assert result.exit_code == 2
        assert expected in result.stderr
        return
    assert result.exit_code == 0, result.stderr
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        assert connection.sql("select texts from raw.char_lm_trainings").fetchall() == [(expected,)]


HALVED = """\
corpus: small
title: Eight sentences
licence: CC0-1.0
origin: written for tests
source: sources.txt
"""
SOURCES = ("one", "two", "two", "three", "four", "five", "six", "six")


def halved(folder: Path, documents: str) -> tuple[Path, Result]:
    """Return a warehouse with the eight sentences, and the result of training on half of them."""
    labels = {"documents.txt": "\n".join(documents) + "\n"} if documents else {}
    manifest = HALVED + "documents: documents.txt\n" * bool(documents)
    files = {"sources.txt": "\n".join(SOURCES) + "\n", "manifest.yml": manifest, **labels}
    (folder / "corpus").mkdir()
    for name, text in files.items():
        (folder / "corpus" / name).write_text(text, encoding="utf-8")
    warehouse = folder / "warehouse"
    ingest(warehouse, folder / "corpus")
    options = ("--corpus", "small", "--half", "--on", "sources")
    return warehouse, maege(warehouse, "train", "char_lm", *options)


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        # The documents in the order of their MD5 hashes are a, c, d, b; every other one is used for
        # training. The second of the equal sentences is in b, but equals one in a.
        ("aabbccdd", {"one", "two", "six"}),
        (
            "",
            {
                *sorted(
                    {*SOURCES},
                    key=lambda source: md5(source.encode(), usedforsecurity=False).hexdigest(),
                )[::2]
            },
        ),
    ],
)
def test_halves_share_no_source_and_are_of_documents(
    documents: str, expected: set[str], tmp_path: Path
) -> None:
    warehouse, result = halved(tmp_path, documents)
    assert result.exit_code == 0, result.stderr
    texts = [source for source in SOURCES if source in expected]
    assert f"sources of half of small: {len(texts)} texts" in result.stdout
    assert "It scores corpora in en but that half of small." in result.stdout
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        rows = connection.sql("select texts, half_sources from raw.char_lm_trainings").fetchall()
    assert rows == [(texts, sorted(expected))]


def test_a_corpus_of_one_document_has_no_halves(tmp_path: Path) -> None:
    _, result = halved(tmp_path, "aaaaaaaa")
    assert result.exit_code == 2
    assert "no sentences in the other half of the corpus" in result.stderr


def test_trainings_of_the_version_without_halves_stay(tmp_path: Path) -> None:
    warehouse, _ = halved(tmp_path, "")
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("alter table raw.char_lm_trainings drop column half_sources")
    again = maege(warehouse, "train", "char_lm", "--corpus", "small", "--half", "--on", "sources")
    assert again.exit_code == 0, again.stderr
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        rows = connection.sql(
            "select number, half_sources is null from raw.char_lm_trainings order by number"
        ).fetchall()
    assert rows == [(1, True), (2, False)]


def test_a_corpus_that_is_not_there_is_refused(repository: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    maege(warehouse, "ingest", str(repository / "tests/corpora/toy_uk"))
    result = maege(warehouse, "train", "char_lm", "--corpus", "toy_u")
    assert result.exit_code == 2
    assert "Did you mean toy_uk?" in result.stderr
