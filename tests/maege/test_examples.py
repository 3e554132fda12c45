"""`maege examples` on marts made by hand."""

from pathlib import Path

import pytest
from small_corpus import maege
from small_marts import publish


def test_piped_examples_show_whole_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    output = maege(publish(tmp_path / "warehouse"), "examples").stdout
    lines = [line.split() for line in output.splitlines()]
    assert ["error_type", "n_pairs", "mean_delta", "ci_low", "ci_high"] in lines
    # The interval is mean_delta - .02 to mean_delta + .02 (small_marts.sql).
    assert ["Prep", "20", "-0.040", "-0.060", "-0.020"] in lines
    assert "\N{HORIZONTAL ELLIPSIS}" not in output
