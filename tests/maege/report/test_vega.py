"""Vega's script, and pictures that another process draws."""

from pathlib import Path

import pytest

from maege.report import vega
from maege.report.vega import draw, drawing, script

POINT = {"mark": "point", "data": {"values": [{"x": 1}]}, "encoding": {"x": {"field": "x"}}}


def test_another_process_draws_pictures() -> None:
    with drawing() as process:
        bar, point = draw(process, POINT | {"mark": "bar"}), draw(process, POINT)
        assert 'aria-roledescription="bar"' in bar.result()
        assert 'aria-roledescription="point"' in point.result()

        with pytest.raises(ValueError, match="Vega-Lite to SVG conversion failed"):
            draw(process, {"mark": "no such mark"}).result()


def test_the_script_is_put_together_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vega, "__file__", str(tmp_path / "vega.py"))
    first = script()
    (cached,) = (tmp_path / "__pycache__").iterdir()
    assert cached.read_text(encoding="utf-8") == first
    cached.write_bytes("let é = 1;\r\n".encode())
    assert script() == "let é = 1;\r\n"
