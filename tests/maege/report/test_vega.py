"""Vega's script, and pictures that another process draws."""

from pathlib import Path

import pytest

from maege.report import vega
from maege.report.vega import drawing, script

POINT = {"mark": "point", "data": {"values": [{"x": 1}]}, "encoding": {"x": {"field": "x"}}}


def test_pictures_come_in_the_order_of_calls() -> None:
    with drawing() as process:
        bar, point = process.svg(POINT | {"mark": "bar"}), process.svg(POINT)
        assert 'aria-roledescription="bar"' in bar.result()
        assert 'aria-roledescription="point"' in point.result()


def test_invalid_chart_raises_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with drawing() as process:
        answers = [process.svg({"mark": "no such mark"}), process.svg(POINT)]
        for answer in answers:
            with pytest.raises(RuntimeError, match="no picture"):
                answer.result()
    assert "Vega-Lite to SVG conversion failed" in capfd.readouterr().err


def test_the_script_is_put_together_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vega, "__file__", str(tmp_path / "vega.py"))
    first = script()
    (cached,) = (tmp_path / "__pycache__").iterdir()
    assert cached.read_text(encoding="utf-8") == first
    cached.write_bytes("let é = 1;\r\n".encode())
    assert script() == "let é = 1;\r\n"
