"""What `maege compare` writes for papers and browsers, from files of three sentences."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Page, browser, chromium
from typer.testing import CliRunner

from maege.cli import app
from maege.comparison.pages.page import Mark, figure

GOLD = """\
S He go home & <b> .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||1

S I likes to drink a tea .
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||1

S All is well </script> .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
"""
BASE = "He goes home & <b> .\nI like to drink a coffee .\nAll is good </script> .\n"
OURS = "He goes home & <b> .\nI like to drink tea .\nAll is well </script> .\n"
THIRD = "He go home & <b> .\nI likes to drink a tea .\nAll is well </script> .\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAEGE_CACHE", str(tmp_path / "cache"))
    texts = {"gold.m2": GOLD, "base_1.txt": BASE, "our%s.txt": OURS, "third.txt": THIRD}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def written(folder: Path, suffix: str, *systems: str) -> str:
    out = folder / f"answer{suffix}"
    command = ["compare", "--language", "xx", "--resamples", "200", "--gold", "gold.m2", *systems]
    result = CliRunner().invoke(app, [*command, "--quiet", "--out", str(out)])
    assert result.exit_code == 0, result.output
    return out.read_text(encoding="utf-8")


def test_names_are_escaped_in_latex(folder: Path) -> None:
    text = written(folder, ".tex", "base_1.txt", "our%s.txt")
    # TP, FP and FN, then precision, recall and F.
    assert r"our\%s & 3 & 0 & 0 & 1.0000 & 1.0000 & \textbf{1.0000} &" in text
    # The second annotator has one edit less and gives the higher score.
    assert r"base\_1 & 2 & 2 & 0 & 0.5000 & 1.0000 & " in text
    types = ("base_1.txt", "our%s.txt", "third.txt", "--types", "*")
    assert written(folder, ".tex", *types).count(r"\begin{table}") == 3


def test_a_chart_has_an_axis_a_unit_and_numbers() -> None:
    # -0.25 and 0.5 on an axis from -0.4 to 0.6: 0 lies at 40 %.
    marks = [
        Mark("a", 0.5, 0.4, 0.6, "+0.500", {"type": "R"}),
        Mark("b", -0.25, None, None, "−0.250"),
    ]
    text = figure(marks, "difference in F", "described", "caption", bars=False)
    assert text.count('class="zero" x1="40.00%"') == 2
    assert '<circle cx="90.00%"' in text
    assert '<a href="#edits" data-type="R" class="row">' in text
    assert "<span>−0.250</span></div>" in text
    assert "<span>difference in F</span>" in text
    assert ">−0.4</text>" in text


def test_texts_cannot_end_the_elements_of_the_page(folder: Path) -> None:
    page = written(folder, ".html", "base_1.txt", "our%s.txt")
    # The sources have <b> and </script>, and the page's own elements are closed.
    assert "<b>" not in page
    for tag in ("script", "section", "table", "figure", "details"):
        assert len(re.findall(f"<{tag}[ >]", page)) == page.count(f"</{tag}>")
    data: Any = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert [sentence["s"] for sentence in data["sentences"]] == [
        "He go home & <b> .",
        "I likes to drink a tea .",
        "All is well </script> .",
    ]
    # No annotator has "good", all have "like", and one has the article.
    assert data["sentences"][1]["o"][1] == [
        [1, 2, "like", "R", 2, 2, 0, 1],
        [4, 5, "", "U", 1, 2, 1, 1],
    ]
    assert [edit[4:7] for edit in data["sentences"][2]["o"][0]] == [[0, 2, 2]]


def test_scores_are_grouped_by_length_and_by_score(folder: Path) -> None:
    # All three sentences have up to ten tokens. BASE has 2 of 4 edits right and misses none:
    # 1.25 * 2 / (4 + 0.25 * 2).
    page = written(folder, ".html", "base_1.txt", "our%s.txt")
    buckets = page.partition('<section id="buckets"')[2].partition("</section>")[0]
    rows = [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr>.*?</tr>", buckets)]
    assert ["1–10", "3", "0.556", "1.000"] in rows
    assert ["0", "1", "0"] in rows
    assert ["above", "0.75,", "up", "to", "1", "1", "3"] in rows


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    if chromium() is None:
        pytest.skip("Chromium is missing: sudo apt-get install chromium")
    with browser(tmp_path / "profile") as tab:
        yield tab


@pytest.mark.extended
@pytest.mark.slow
def test_the_page_shows_edits_in_their_sentences(folder: Path, page: Page) -> None:
    written(folder, ".html", "base_1.txt", "our%s.txt")
    page.open(folder / "answer.html", 390)
    assert page.value("document.getElementById('found').textContent") == "2 of 3 sentences"
    marks = "[...document.querySelectorAll('#s1 .line:nth-of-type({}) ins')].map(e => e.className)"
    assert page.value(marks.format(1)) == ["right", "false"]
    assert page.value(marks.format(2)) == ["right", "disputed"]
    page.value(
        "document.querySelector('.filters').elements.list.value = 'lost'; "
        "document.querySelector('.filters').dispatchEvent(new Event('input'))"
    )
    assert page.value("document.getElementById('found').textContent") == "0 of 3 sentences"
    page.value(
        "document.querySelector('.filters').elements.list.value = 'any'; "
        "document.querySelector('.filters').elements.words.value = 'TEA'; "
        "document.querySelector('.filters').dispatchEvent(new Event('input'))"
    )
    assert page.value("[...document.querySelectorAll('article')].map(e => e.id)") == ["s1"]
    # Readable, complete and labelled on a phone, too, in light and dark mode.
    for dark in (False, True):
        page.open(folder / "answer.html", 390, dark=dark)
        assert page.faults() == {}
    assert [address for address in page.requests if not address.startswith("file:")] == []
    assert page.complaints == []


def test_pages_name_files_without_folders_and_numbers_with_a_minus(folder: Path) -> None:
    (folder / "sub").mkdir()
    other = folder / "sub" / "[best] *.txt"
    other.write_text("\ufeff" + THIRD, encoding="utf-8")
    for suffix in (".html", ".md", ".tex"):
        text = written(folder, suffix, "our%s.txt", str(other))
        assert str(folder) not in text
        assert "sub/" not in text
        assert ("a byte order mark was removed" in text) == (suffix != ".tex")
        if suffix == ".html":
            assert ">−" in text
            assert '<th scope="col" class="n">− our%s</th>' in text
        if suffix == ".tex":
            assert "\n{[}best] * & " in text
            assert r" & $-$ our\%s & " in text
            assert "& $-$1.000" in text
