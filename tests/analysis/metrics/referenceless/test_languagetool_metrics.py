"""LanguageTool's configurations: requests sent, matches filtered, missing results."""

from pathlib import Path

import pytest

from maege.analysis.languagetool.installation import (
    VERSIONS,
    downloaded_folder,
    folder_of,
    has_code,
    languages,
)
from maege.analysis.metrics.languagetool import GRAMMAR_METRICS, TOKENISATION_RULES


def test_checks_serve_five_metrics() -> None:
    metrics = GRAMMAR_METRICS.values()
    assert len({metric.check_key() for metric in metrics}) == 3
    assert len({metric.signature() for metric in metrics}) == 5

    assert GRAMMAR_METRICS["lt"].sent_rules == TOKENISATION_RULES
    assert GRAMMAR_METRICS["lt_napoles2016"].sent_rules == ()
    assert GRAMMAR_METRICS["lt_napoles2016"].disabled_rules == TOKENISATION_RULES
    assert GRAMMAR_METRICS["lt_maege2018"].disabled_rules == ()

    assert GRAMMAR_METRICS["grammaticality"].check_key() == GRAMMAR_METRICS["lt"].check_key()
    assert GRAMMAR_METRICS["grammaticality"].least == 0


def test_checks_are_made_again_when_the_code_that_makes_them_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = GRAMMAR_METRICS["lt"].check_key()
    monkeypatch.setattr("maege.analysis.metrics.languagetool.code_behind_module", lambda _: "other")
    assert GRAMMAR_METRICS["lt"].check_key() != key


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("LANGUAGETOOL_URL", raising=False)
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("empty_home")
def test_a_version_that_is_not_there_names_the_command() -> None:
    for metric in GRAMMAR_METRICS.values():
        assert metric.missing is not None
        assert metric.missing.remedy == "maege languagetool install, then maege build"
    unselected = GRAMMAR_METRICS["lt"].unselected
    assert unselected is not None
    commands = "maege languagetool install and maege languagetool enable, then maege build"
    assert unselected.remedy == commands


def test_servers_need_to_be_enabled_here_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGETOOL_URL", "http://127.0.0.1:8081")
    unselected = GRAMMAR_METRICS["grammaticality"].unselected
    assert unselected is not None
    assert unselected.reason == "LanguageTool 6.6 is available, but not enabled in this project"
    assert unselected.remedy == "maege languagetool enable, then maege build"

    assert GRAMMAR_METRICS["lt"].missing is None


def test_each_language_has_its_own_rule_names() -> None:
    lt = GRAMMAR_METRICS["lt"]
    codes = {"en": "en-US", "en-GB": "en-GB", "uk": "uk-UA", "zh-Hans": "zh-CN"}
    for tag, code in codes.items():
        assert f"|language:{code}|" in lt.check_signature(tag)
    # The two corpora share one LanguageTool, but their texts are checked separately.
    assert lt.check_key("fr") != lt.check_key("fr-LU")


def test_languages_are_those_that_are_installed(empty_home: Path) -> None:
    assert languages("6.6") == {"en"}
    downloaded = downloaded_folder(empty_home, "6.6")
    for language in ("en", "uk", "ja", "xx"):
        (downloaded / "org" / "languagetool" / "rules" / language).mkdir(parents=True)
    (downloaded / "languagetool-server.jar").touch()
    assert languages("6.6") == {"en", "uk", "ja"}
    libs = folder_of("6.6") / "libs"
    libs.mkdir(parents=True)
    for jar in ("language-en-6.6.jar", "language-de-6.6.jar", "languagetool-core-6.6.jar"):
        (libs / jar).touch()
    assert languages("6.6") == {"en", "de"}
    assert languages("3.7") == {"en"}


def test_older_versions_are_asked_in_english_alone() -> None:
    n_versions = {"en-GB": 3, "uk": 1, "cs": 0}
    for tag, n in n_versions.items():
        assert [has_code(version, tag) for version in VERSIONS] == [True] * n + [False] * (3 - n)


def test_the_rule_of_brackets_has_another_name_in_english() -> None:
    lt = GRAMMAR_METRICS["lt"]
    assert "EN_UNPAIRED_BRACKETS" in lt.check_signature("en-GB")
    assert "EN_UNPAIRED_BRACKETS" not in lt.check_signature("uk")
    assert ",UNPAIRED_BRACKETS," in lt.check_signature("uk")
    # Rules of one language that spaces around punctuation trigger.
    assert "LEERZEICHEN_VOR_AUSRUFEZEICHEN_ETC" in lt.check_signature("de-AT")
    assert "LEERZEICHEN" not in lt.check_signature("uk") + lt.check_signature("en")
