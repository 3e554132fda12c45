"""Randomly damaged files are either read or get findings with file, line and remedy."""

import random
from pathlib import Path

import pytest
from fuzz_readers import FORMATS, outcome, write_corpus

CASES = 300


# The same cases in every run of `make test`; `make test-all` also tries new ones.
@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [0, pytest.param(random.SystemRandom().randrange(10**9), marks=pytest.mark.extended)],
    ids=["known", "new"],
)
@pytest.mark.parametrize("form", FORMATS)
def test_a_spoilt_file_is_read_or_explained(form: str, first: int, tmp_path: Path) -> None:
    write_corpus(tmp_path)

    findings = []
    for number in range(first, first + CASES):
        try:
            findings.append(outcome(tmp_path, form, number))
        except Exception as error:  # noqa: BLE001 - with what brings it back
            pytest.fail(f"fuzz_readers.py --format {form} --first {number} --cases 1: {error!r}")

    assert any(findings)
