"""Randomly damaged files are either read or get findings with file, line and remedy."""

import random
from pathlib import Path

import pytest
from fuzz_readers import FORMATS, outcome, write_corpus

CASES = 300


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_a_spoilt_file_is_read_or_explained(form: str, tmp_path: Path) -> None:
    first = random.SystemRandom().randrange(10**9)
    write_corpus(tmp_path)

    findings = []
    for number in range(first, first + CASES):
        try:
            findings.append(outcome(tmp_path, form, number))
        except Exception as error:  # noqa: BLE001 - with what brings it back
            pytest.fail(f"fuzz_readers.py --format {form} --first {number} --cases 1: {error!r}")

    assert any(findings)
