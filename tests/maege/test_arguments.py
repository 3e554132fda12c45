"""Arguments of maege.score: which text belongs to which sentence, and which inputs are rejected."""

import warnings
from collections.abc import Callable
from itertools import cycle
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import maege
from maege.analysis.direct.scores import TextsError, offered
from maege.arguments import Arguments, read_arguments

S = ["He go home .", "All is well ."]
H = ["He goes home .", "All are well ."]
R = [("He goes home .",), ("All is well .", "All is fine .")]


class Polars:
    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def to_list(self) -> list[Any]:
        return self.values


COLUMNS = [list, tuple, iter, np.array, pd.Series, pd.Index, pa.array, Polars]


@pytest.mark.parametrize("column", [*COLUMNS, lambda texts: pa.chunked_array([texts])])
def test_columns_of_any_library_are_accepted(column: Any) -> None:
    read = read_arguments(column(S), column(H), [list(texts) for texts in R])
    assert read == Arguments({"hypotheses": H}, S, R)
    assert read_arguments(S, H, column(H)).references == [(text,) for text in H]


@pytest.mark.parametrize(
    "references",
    [
        [list(texts) for texts in R],
        [R[0][0], list(R[1])],
        [np.array(["He goes home ."]), np.array(["All is well .", "All is fine .", None])],
        pd.Series([list(texts) for texts in R], index=[7, 3]),
        pa.array([list(texts) for texts in R]),
        {"first": [R[0][0], R[1][0]], "second": [None, R[1][1]]},
        pd.DataFrame({"first": [R[0][0], R[1][0]], "second": [pd.NA, R[1][1]]}),
        pa.table({"first": [R[0][0], R[1][0]], "second": [None, R[1][1]]}),
    ],
    ids=range(8),
)
def test_references_are_by_sentence_or_by_name(references: Any) -> None:
    if isinstance(references, list) and isinstance(references[0], np.ndarray):
        with pytest.raises(TextsError, match=r"\[list\(texts\) for texts in references\]"):
            read_arguments(S, H, references)
        references = [list(texts) for texts in references]
    assert read_arguments(S, H, references).references == R


def test_columns_of_references_are_by_sentence() -> None:
    columns = [pd.Series(["a", "b", "c"]), pd.Series(["d", None, "f"])]
    read = read_arguments(["x", "y", "z"], ["x", "y", "z"], columns)
    assert read.references == [("a", "d"), ("b",), ("c", "f")]


def test_one_source_is_that_of_every_hypothesis() -> None:
    for source in ("He go .", ["He go ."]):
        for references in (["a", "b", "c"], [["a", "b", "c"]], [("a", "b", "c")]):
            read = read_arguments(source, H, references)
            assert read == Arguments({"hypotheses": H}, ["He go ."] * 2, [("a", "b", "c")] * 2)
    # With one source, a list per hypothesis belongs to the hypotheses.
    assert read_arguments(["He go ."], H, [["a"], ["b"]]).references == [("a",), ("b",)]
    assert read_arguments("He go .", "He goes .", "He goes .") == Arguments(
        {"hypotheses": ["He goes ."]}, ["He go ."], [("He goes .",)]
    )


def test_a_frame_has_a_system_in_each_column() -> None:
    frame = pd.DataFrame({"good": H, "idle": S})
    for systems in (frame, pa.table(frame), {"good": iter(H), "idle": frame["idle"]}):
        assert read_arguments(S, systems, None).outputs == {"good": H, "idle": S}


@pytest.mark.parametrize(
    ("sources", "hypotheses", "references", "message"),
    [
        (S, [H[0], None], None, r"hypotheses\[1\] is missing: found None"),
        ([S[0], pd.NA], H, None, r"sources\[1\] is missing: found <NA>"),
        (S, {"mine": [pd.NaT, H[1]]}, None, r"hypotheses\['mine'\]\[0\] is missing: found NaT"),
        (S, [H[0], 3], None, r"hypotheses\[1\]: found 3, expected a text"),
        (S, [H], None, r"hypotheses\[0\]: found \['He goes home"),
        (S, b"He", None, "hypotheses: found b'He', expected a list"),
        (3, H, None, "sources: found 3, expected a list"),
        (pd.DataFrame({"text": S}), H, None, r"sources: found a DataFrame .*frame\['text'\]"),
        (S, pd.DataFrame([H], columns=["a", "a"]), None, "two columns with the same name"),
        (["\ud83d", S[1]], H, None, r"sources\[0\]: found half of a UTF-16 pair"),
        (S, H, [["a"], [7]], r"references\[1\]\[0\]: found 7, expected a text"),
        (S, H, {"first": ["a", "b"], "second": ["c"]}, r"found 2 in references\['first'\], 1 in"),
        # A nested list belongs to a sentence: three references are not two sentences.
        (S, H, [["a", "b"]] * 3, "found 3 lists of 2 texts for 2 sentences.*by name"),
        # Two arrays of two texts: for two sentences, or for two references.
        (S, H, [np.array(H), np.array(S)], "found 2 columns or arrays of 2 texts for 2 sentences"),
        ("He go .", H, ["a", "b"], r"one source and 2 hypotheses; write \[\[text, text"),
    ],
)
def test_ambiguous_arguments_are_rejected(
    sources: Any, hypotheses: Any, references: Any, message: str
) -> None:
    with pytest.raises(TextsError, match=message):
        read_arguments(sources, hypotheses, references)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "system"}, "level: found 'system'; expected sentence, corpus"),
        ({"gleu_rng": "PY2"}, "gleu_rng: found 'PY2'; expected py2, py3, expected; did you mean"),
        ({"unicode": "nfc"}, "unicode: found 'nfc'; expected NFC, NFD; did you mean NFC"),
        ({"language": "English"}, "language: found 'English'; expected a tag of BCP 47"),
        ({"metric": ["gleu"]}, r"no metric is called \['gleu'\]"),
        ({"references": R[:1]}, "references: found 1 texts; expected 2, one for each sentence"),
        ({"metric": "Gleu"}, "no metric is called 'Gleu'.*did you mean gleu"),
    ],
)
def test_a_closed_option_is_refused_with_its_set(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TextsError, match=message):
        maege.score(**({"metric": "gleu", "references": R} | options), sources=S, hypotheses=H)


def test_a_perfect_output_in_another_normal_form_is_counted_and_can_be_brought_together() -> None:
    source, right = ["Un cafe .", "He go ."], ["Un café .", "He goes ."]
    other = [normalize("NFD", text) for text in right]
    with pytest.warns(UserWarning, match=r"^1 of 2 texts in hypotheses are in another.*'NFC'"):
        assert maege.score("m2", source, other, right)["score"].tolist() == [0, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for form in ("NFC", "NFD"):
            frame = maege.score("m2", source, other, right, unicode=form)
            assert frame["score"].tolist() == [1, 1]
        # No references: NULL in another form, or the same in all forms.
        maege.score("ld", source, other)
        maege.score("m2", source, right, right)
        maege.score("m2", source, source, right)


def test_a_blank_reference_is_a_deletion_and_counted_and_none_is_no_reference() -> None:
    source, right, garbage = ["He go home ."], "He goes home .", ["zxcv qwer asdf"]
    with pytest.warns(UserWarning, match="^1 of 2 references are blank.*give None$"):
        assert maege.score("min_ld", source, garbage, [[right, ""]])["score"].tolist() == [1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = maege.score("min_ld", source, garbage, [[right]])["score"].tolist()
        assert maege.score("min_ld", source, garbage, [[right, None]])["score"].tolist() == alone
        # Nothing is deleted from an empty text.
        maege.score("min_ld", ["", "He go ."], ["", "He goes ."], ["", "He goes ."])


# Characters of Unicode that are white space, but for those that end a line in a file.
SPACES = [chr(code) for code in range(0x110000) if chr(code).isspace()]
WORDS = ("He", "goes", "go", "to", "at", "the", "a", "home", ".", ",")
NO_MODEL = [
    name
    for name in offered(outputs=True)
    if not name.startswith(("meaning_meteor", "fluency", "grammaticality"))
]


@pytest.mark.parametrize("metric", NO_MODEL)
@settings(max_examples=2, deadline=None, derandomize=True)
@given(data=st.data())
def test_white_space_never_changes_a_score(metric: str, data: st.DataObject) -> None:
    texts = st.lists(st.sampled_from(WORDS), max_size=6)
    sources, hypotheses, first, second = data.draw(
        st.lists(st.lists(texts, min_size=5, max_size=5), min_size=4, max_size=4)
    )
    gaps = data.draw(st.lists(st.text(st.sampled_from(SPACES), max_size=3), min_size=9, max_size=9))
    gap = cycle(gaps)

    def spaced(words: list[str]) -> str:
        return next(gap) + "".join(word + (next(gap) or " ") for word in words) + next(gap)

    def scores(text: Callable[[list[str]], str]) -> list[float]:
        outputs = {"one": map(text, hypotheses), "other": map(text, second)}
        references = {"first": map(text, first), "second": map(text, second)}
        # Texts of random words look shifted.
        frame = maege.score(metric, map(text, sources), outputs, references, force=True)
        values: list[float] = frame["score"].tolist()
        return values

    np.testing.assert_array_equal(scores(spaced), scores(" ".join))
