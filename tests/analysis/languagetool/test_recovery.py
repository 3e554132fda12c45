"""Texts that kill or stall LanguageTool affect no other text; a failed start is reported."""

import re
from pathlib import Path

import psutil
import pytest

from maege.analysis.languagetool.checking import Checked, check_texts
from maege.analysis.languagetool.matches import LanguageToolError, Match
from maege.analysis.languagetool.older_versions import LegacyChecker
from maege.analysis.languagetool.server import START_SECONDS, ManagedServer

pytestmark = pytest.mark.slow
BOTH = pytest.mark.parametrize("version", ["6.6", "3.7"])


def checked(version: str, texts: list[str], time_limit: float = 30.0) -> list[Checked]:
    chunks = check_texts(version, texts, 3, time_limit=time_limit, chunk=10)
    return [text for chunk in chunks for text in chunk]


def expected(text: str, error: str | None) -> Checked:
    places = [place for place, letter in enumerate(text) if letter == "x" and error is None]
    return Checked(tuple(Match("X", "Letters", place, 1) for place in places), error)


@BOTH
@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(
    ("word", "time_limit", "message"),
    [
        ("die", 30, "failed|died with exit code 3"),
        ("stall", 2, "^not checked within 2 seconds$"),
        ("refuse", 30, "not this one"),
    ],
)
def test_a_text_that_cannot_be_checked_is_an_error_and_no_other_is(
    version: str, word: str, time_limit: float, message: str
) -> None:
    good = [*("x" * n + " y" for n in range(12)), *("y" + "x" * n for n in range(25))]
    texts = ["", *good[:12], f"{word} 1", "x", f"{word} 2", *good[12:]]
    results = checked(version, texts, time_limit)
    errors = [result.error for result in results]
    assert [text for text, error in zip(texts, errors, strict=True) if error] == texts[13:16:2]
    assert all(re.search(message, error) for error in errors if error)
    assert results == [expected(*pair) for pair in zip(texts, errors, strict=True)]


@pytest.mark.usefixtures("stand_in")
def test_no_text_is_the_first_that_a_server_checks() -> None:
    assert [result.error for result in checked("6.6", ["cold x"])] == [None]


@pytest.mark.usefixtures("stand_in")
def test_counts_of_another_version_are_refused() -> None:
    with pytest.raises(LanguageToolError, match=r"is LanguageTool 6\.7, expected 6\.6"):
        checked("6.6", ["newer"])


def test_a_given_server_is_used_and_left_running(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = ManagedServer()
    url = ours.url()
    monkeypatch.setenv("LANGUAGETOOL_URL", f"{url}/v2/")
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(stand_in / "empty"))
    checked_texts = checked("6.6", ["x", "stall"], time_limit=1)
    assert [result.error for result in checked_texts] == [None, "not checked within 1 seconds"]
    assert not (stand_in / "empty").exists()
    assert ours.url() == url
    ours.close()


def test_a_given_server_that_is_not_there_is_one_error_and_no_text_has_any(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = ManagedServer()
    monkeypatch.setenv("LANGUAGETOOL_URL", ours.url())
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(stand_in / "empty"))
    # Both the death of a running server, and a server that never started.
    for texts in (["x", "die"], ["x"]):
        with pytest.raises(LanguageToolError, match="No LanguageTool answers at LANGUAGETOOL_URL"):
            checked("6.6", texts)
    ours.close()


@pytest.mark.usefixtures("broken_java")
def test_a_server_that_never_comes_up_is_one_error_with_its_log() -> None:
    server = ManagedServer(start_seconds=1)
    with pytest.raises(LanguageToolError, match=r"not come up within 1 seconds(.|\n)*no memory"):
        server.url()
    server.close()
    assert START_SECONDS < 60


@pytest.mark.usefixtures("broken_java")
def test_a_process_that_never_comes_up_is_one_error_with_its_log() -> None:
    # Processes of other tests are ignored.
    before = psutil.Process().children(recursive=True)
    checker = LegacyChecker("3.7", [], start_seconds=1)
    with pytest.raises(LanguageToolError, match=r"not started within 1 seconds(.|\n)*no memory"):
        checker.check("x", 30)
    assert set(psutil.Process().children(recursive=True)) <= set(before)


@BOTH
def test_failed_start_is_not_repeated_for_other_texts(version: str, ending_java: Path) -> None:
    with pytest.raises(LanguageToolError, match=r"ended with exit code 1|did not start"):
        checked(version, ["x"] * 100)
    starts = len(ending_java.read_text().splitlines())
    # Three workers share one server, but have a process each.
    assert 1 <= starts <= {"6.6": 1, "3.7": 3}[version]


@BOTH
def test_a_version_that_is_not_installed_names_the_command(
    version: str, stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(stand_in / "empty"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(stand_in / "empty"))
    monkeypatch.delenv("LTP_PATH", raising=False)
    with pytest.raises(LanguageToolError, match=f"install --version {version}"):
        checked(version, ["x"])


@pytest.mark.usefixtures("stand_in")
def test_texts_are_checked_in_their_language() -> None:
    (chunk,) = check_texts("6.6", ["x"], 1, language="uk-UA")
    assert chunk == [Checked((Match("X_uk-UA", "Letters", 0, 1),))]


@pytest.mark.usefixtures("stand_in")
def test_a_language_has_time_to_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maege.analysis.languagetool.server.FIRST_TEXTS", 1)
    # Each response takes longer than the limit for a text.
    (chunk,) = check_texts("6.6", ["x slow", "xx slow"], 1, language="uk-UA", time_limit=0.2)
    first, second = chunk
    assert first == Checked((Match("X_uk-UA", "Letters", 0, 1),))
    # In the second try it was the first text of the next server.
    assert len(second.matches) == 2
    (english,) = check_texts("6.6", ["x slow"], 1, time_limit=0.2)
    assert english == [Checked((), "not checked within 0.2 seconds")]
