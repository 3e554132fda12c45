"""Edits from stored parses equal ERRANT's edits from live parses."""

import os
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from family_speed import annotations_of
from hypothesis import given, settings
from hypothesis import strategies as st

from maege.analysis.edits import Annotation, Edit, parse_annotation
from maege.analysis.extraction.errant_edits import classify, corrected_text, edit_spans, extract
from maege.analysis.extraction.parses import Parse, Sentence, Token, TokenAttributes, parse_texts
from maege.analysis.extraction.pipeline import Missing, load_pipeline, pipeline_status

STATUS = pipeline_status()
pytestmark = pytest.mark.skipif(
    isinstance(STATUS, Missing) and os.environ.get("CI") != "true",
    reason="needs ERRANT's pipeline, which `make` installs",
)

SENTENCES = 1312
PAIRS = [
    ("This are gramamtical sentence .", "This is a grammatical sentence ."),
    ("I likes to eat the sub - way food", "I like eating the subway food"),
    ("He has a cat , we have friends house .", "He has a cat . We have a friend 's house ."),
    ("the the cat sit on in mat", "Cat sits in on the mat ."),
    ("She ca n't goes to home yesterday", "Yesterday she could n't go home"),
    ("Peoples informations was wrong .", "The people 's information were wrong ."),
    ("", "Something new ."),
    ("Something old .", ""),
    ("", ""),
    ("same text", "same  text "),
    ("naïve Straße ’s É .", "Naive strasse 's é ."),
]


def lines(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text(encoding="utf-8").split("\n")[:SENTENCES]]


@pytest.fixture(scope="module")
def annotator() -> Any:
    import errant

    return errant.load("en", load_pipeline())


def as_edit(edit: Any) -> Edit:
    correction = " ".join(token.text for token in edit.c_toks)
    return Edit(edit.o_start, edit.o_end, edit.type, (correction,))


def assert_equal_to_errant(annotator: Any, pairs: list[tuple[str, str]]) -> int:
    texts = sorted({*chain(*pairs)})
    parses = dict(zip(texts, parse_texts(texts), strict=True))
    parsed = {text: annotator.parse(text) for text in texts}
    n_edits = 0
    for pair in pairs:
        expected = annotator.annotate(*(parsed[text] for text in pair))
        assert extracted(*pair, *(parses[text] for text in pair)) == tuple(
            map(as_edit, expected)
        ), pair
        n_edits += len(expected)
    return n_edits


def extracted(source: str, target: str, parse: Parse, target_parse: Parse) -> Annotation:
    return extract(Sentence(source.split(), parse), Sentence(target.split(), target_parse))


def test_edits_equal_errants(annotator: Any, shared: Path) -> None:
    assert assert_equal_to_errant(annotator, PAIRS) > 20

    outputs = shared / "data" / "conll14" / "outputs"
    sources = lines(outputs / "INPUT")
    pairs = [
        pair
        for system, start in (("AMU", 0), ("CAMB", 300), ("NTHU", 30), ("JMGR", 600))
        for pair in list(zip(sources, lines(outputs / system), strict=True))[start : start + 100]
    ]
    assert assert_equal_to_errant(annotator, pairs) > 500


class Document(Sentence):
    """A sentence that ERRANT can align, with parses that no pipeline would produce."""

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Any:
        return iter(self[:])

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return super().__getitem__(position)
        return AlignedToken(self, position)


class AlignedToken(Token):
    @property
    def orth(self) -> str:
        return self.text


WORDS = [
    *("a", "A", "the", "an", "cat", "Cat", "cats", "'s", "-", "'", ",", "."),
    *("We", "we", "to", "eat", "sub", "way", "sub-way", "()", "É", "é"),
]
TOKENS = st.tuples(
    st.sampled_from(WORDS),
    st.sampled_from(["one", "two"]),
    st.sampled_from(["NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "ADP", "ADJ"]),
    st.sampled_from(["NN", "NN", "NN", "NN", "POS"]),
)
SPANS = st.lists(TOKENS, max_size=9)


def words_and_parse(tokens: list[tuple[str, str, str, str]]) -> tuple[list[str], Parse]:
    words, lemmas, pos, tags = (list(column) for column in zip(*tokens, strict=True))
    return words, Parse(lemmas, pos, tags, ["dep"] * len(words), list(range(len(words))))


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(SPANS.filter(bool), SPANS.filter(bool))
def test_merging_follows_errants_rules_in_any_constellation(
    source: list[tuple[str, str, str, str]], target: list[tuple[str, str, str, str]]
) -> None:
    from errant.alignment import Alignment
    from errant.en.merger import get_rule_edits

    (words, parse), (other_words, other_parse) = map(words_and_parse, (source, target))
    alignment = Alignment(Document(words, parse), Document(other_words, other_parse))
    expected = [[e.o_start, e.o_end, e.c_start, e.c_end] for e in get_rule_edits(alignment)]
    spans = edit_spans(Sentence(words, parse), Sentence(other_words, other_parse))
    assert [list(span) for span in spans] == expected


def test_equal_ends_of_gold_edits_are_cut_off_but_not_of_those_that_detect() -> None:
    source = "He go home , he say ."
    edits = [Edit(4, 6, "UNK", ("",)), Edit(0, 3, "X", ("He goes home",))]
    target = corrected_text(source, edits)
    assert target == "He goes home , he say ."
    source_parse, target_parse = parse_texts([source, target])
    assert classify(source, edits, source_parse, target_parse) == (
        Edit(1, 2, "R:VERB:SVA", ("goes",)),
        Edit(4, 6, "UNK", ("",)),
    )


def test_gold_edits_are_typed_as_errant_does(annotator: Any, shared: Path) -> None:
    from errant.commands.m2_to_m2 import get_cor_and_edits

    official = shared / "data" / "conll14" / "noalt" / "official-2014.combined.m2"
    cases = [
        (source, parse_annotation(annotation))
        for source, annotations in annotations_of([official], 2)[:150]
        for annotation in annotations
        if annotation is not None
    ]
    corrected = [
        get_cor_and_edits(source, [[e.start, e.end, e.error_type, e.corrections[0]] for e in edits])
        for source, edits in cases
    ]
    texts = sorted({source for source, _ in cases} | {target for target, _ in corrected})
    parses = dict(zip(texts, parse_texts(texts), strict=True))
    parsed = {text: annotator.parse(text) for text in texts}
    for (source, edits), (target, gold) in zip(cases, corrected, strict=True):
        assert corrected_text(source, edits) == target
        expected = []
        for *span, error_type, correction in gold:
            detects = error_type == "Um"
            imported = annotator.import_edit(parsed[source], parsed[target], span, min=not detects)
            typed = as_edit(imported)
            expected.append(typed._replace(corrections=(correction,)) if detects else typed)
        assert classify(source, edits, parses[source], parses[target]) == tuple(expected)


# --- Cached attributes of tokens equal those of the whole pipeline ---

# Each of these words has another lemma or part of speech next to the previous or following word.
IN_CONTEXT = (
    "I am gon na go .",
    "I have got ta go .",
    "Let 's go home .",
    "Let us see the gon of it .",
    "He ai n't here .",
    "Y all are late .",
    "C'm on , it is late .",
    "There is a cat on the mat .",
    "There are two of us there .",
    "It is there , is n't it ?",
)
WORDS_IN_CONTEXT = sorted(
    {word for text in IN_CONTEXT for word in text.split()} | {"goes", "but", "that"}
)


def original_parse(text: str) -> Parse:
    """Return the parse by the original pipeline, without the cache."""
    from spacy.tokens import Doc

    pipeline = load_pipeline()
    tokens = list(pipeline(Doc(pipeline.vocab, words=text.split())))
    names = ("lemma_", "pos_", "tag_", "dep_")
    lemma, pos, tag, dep = ([getattr(token, name) for token in tokens] for name in names)
    return Parse(lemma, pos, tag, dep, [token.head.i for token in tokens])


def test_parses_are_those_of_the_pipeline() -> None:
    assert TokenAttributes.follow_from_tokens(load_pipeline())

    # Parsed twice, so that every token is in the cache the second time.
    texts = [*IN_CONTEXT, *reversed(IN_CONTEXT)]
    assert parse_texts(texts) == [original_parse(text) for text in texts]

    assert parse_texts(["", "  "]) == [Parse([], [], [], [], [])] * 2


@given(st.lists(st.lists(st.sampled_from(WORDS_IN_CONTEXT), max_size=8).map(" ".join), max_size=4))
def test_any_words_in_any_order_are_as_in_the_pipeline(texts: list[str]) -> None:
    assert parse_texts(texts) == [original_parse(text) for text in texts]


def test_a_pipeline_of_other_components_is_left_as_it_is() -> None:
    import spacy

    assert not TokenAttributes.follow_from_tokens(spacy.blank("en"))
