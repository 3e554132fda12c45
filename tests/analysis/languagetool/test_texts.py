"""Texts of every kind are checked, with positions of matches in Python's characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.languagetool.checking import check_texts
from maege.analysis.languagetool.matches import Match, in_characters, well_formed

AN_TEST = "EN_A_VS_AN"
ODD = {
    "plain": "This is an test.",
    "empty": "",
    "blank": "  ",
    "long": ("This is an test . " * 556)[:10_000],
    "one word": "a" * 10_000,
    "Cyrillic": "Это русский текст .",
    "Chinese": "這是 中文 。",
    "Arabic": "هذا نص عربي .",
    "control characters": "x\x00y \x07 is an test \x1b\x7f .",
    "line ends": "One\r\ntwo\nis an test .",
    "lone surrogates": "\ud83d is an test \ude00\ud83d .",
    "emoji": "\U0001f600\U0001f468\u200d\U0001f469 This is an test \U0001f600 and and .",
    "combining": "e\u0301\u200b is an test\ufeff .",
}


@pytest.mark.usefixtures("session_home")
@pytest.mark.parametrize("version", ["6.6", "3.7", "3.1"])
def test_odd_texts_have_results_and_matches_inside_them(version: str) -> None:
    checked = [result for chunk in check_texts(version, ODD.values(), 2) for result in chunk]
    results = dict(zip(ODD, checked, strict=True))
    assert [name for name, result in results.items() if result.error] == []
    assert results["plain"].matches == (Match(AN_TEST, "Miscellaneous", 8, 2),)
    assert results["empty"].matches == ()
    for name, text in ODD.items():
        for match in results[name].matches:
            assert 0 <= match.offset <= match.offset + match.length <= len(text)
        articles = [
            text[match.offset : match.offset + match.length]
            for match in results[name].matches
            if match.rule_id == AN_TEST
        ]
        assert articles == ["an"] * text.count("an test")


@given(st.text(), st.data())
def test_utf_16_units_become_characters(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    units = [len(part.encode("utf-16-le")) // 2 for part in (text[:start], text[start:end])]
    assert in_characters(text, [Match("R", "C", *units)]) == (Match("R", "C", start, end - start),)


@given(st.text(st.characters(exclude_categories=())))
def test_only_lone_surrogates_are_replaced(text: str) -> None:
    sent = well_formed(text)
    assert sent.encode().decode() == sent
    assert len(sent) == len(text)
    differing = [(a, b) for a, b in zip(text, sent, strict=True) if a != b]
    assert all(b == "\ufffd" and "\ud800" <= a <= "\udfff" for a, b in differing)
