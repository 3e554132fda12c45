"""The explorer in a browser without a network: served, from any web server, and as one file."""

import base64
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import duckdb
import pytest
from axe_rules import INSTALL, SCRIPT, broken_rules, overflows
from browser import WITH_CHROMIUM, Page, browser

from maege.explore import page as pages
from maege.explore.page import ASSETS, BUILT, serving, write_folder, write_single_file
from maege.ingest.warehouse import Warehouse

pytestmark = [
    WITH_CHROMIUM,
    pytest.mark.skipif(
        not all((BUILT / name).is_file() for name in ASSETS),
        reason="the explorer is not built: make explorer",
    ),
]
ANSWERED = """
new Promise((done, fail) => {
  const end = Date.now() + 50000;
  (function look() {
    const {textContent, className} = document.getElementById('status');
    if (className || / in [0-9]+ ms/.test(textContent)) done(textContent);
    else if (Date.now() > end) fail(Error(textContent));
    else setTimeout(look, 20);
  })();
})
"""
QUESTIONS = "document.querySelectorAll('#questions button')"
FIRST = "[...document.querySelector('#table tbody tr').cells].map(cell => cell.textContent)"
# A value of each kind.
KINDS = """
select
    'a "b", c' as said, null::varchar as nothing, '' as empty, 7::bigint as n, .5 as half,
    sum(range) as total, true as yes, timestamp '2026-01-02 03:04:05' as moment, [1, 2] as list
from range(3)
"""
# Keeps what would be saved, as text.
CATCH = """
window.saved = [];
HTMLAnchorElement.prototype.click = function () {
  window.saved.push(fetch(this.href).then(answer => answer.arrayBuffer()).then(content =>
    btoa(Array.from(new Uint8Array(content), byte => String.fromCharCode(byte)).join(''))));
}; 0
"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def address(sample_warehouse: Path) -> Iterator[str]:
    with serving(Warehouse(sample_warehouse), 0) as server, running(server) as place:
        yield place


@pytest.fixture(scope="module")
def page(tab: Page, address: str) -> Page:
    assert "rows in" in opened(tab, address)
    return tab


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[str]:
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def opened(tab: Page, place: Path | str, width: int = 1280) -> str:
    tab.requests.clear()
    tab.complaints.clear()
    tab.open("about:blank", width)
    tab.open(place, width)
    return str(tab.value(ANSWERED))


def written(tab: Page, query: str) -> None:
    tab.value("document.querySelector('.cm-content').focus()")
    tab.press("a", control=True)
    tab.ask("Input.insertText", text=query)
    tab.value("document.getElementById('status').textContent = ''")


def typed(tab: Page, query: str) -> str:
    written(tab, query)
    tab.press("Enter", control=True)
    return str(tab.value(ANSWERED))


def test_queries_run_without_contacting_other_hosts(page: Page, address: str) -> None:
    count = page.value(f"{QUESTIONS}.length")
    assert count >= 10
    for n in range(count):
        question = page.value(f"{QUESTIONS}[{n}].textContent")
        page.value(f"document.getElementById('status').textContent = ''; {QUESTIONS}[{n}].click()")
        assert " in " in page.value(ANSWERED), question
        assert page.value("document.getElementById('status').className") == "", question
    assert page.complaints == []
    assert {
        each for each in page.requests if not each.removeprefix("blob:").startswith(address)
    } == set()


def test_extensions_files_and_other_hosts_are_shut(page: Page) -> None:
    for query in (
        "load json",
        "load parquet",
        "from read_csv('http://127.0.0.1:1/a.csv')",
        "set enable_external_access = true",
        "set autoload_known_extensions = true",
        "copy metrics to 'metrics.csv'",
        "drop table metrics",
        "selec 1",
    ):
        assert "Error" in typed(page, query), query
    assert "1 row in" in typed(page, "select 1")
    assert page.value("fetch('http://127.0.0.1:1/').then(() => 'open', () => 'shut')") == "shut"
    assert any("Content Security Policy" in complaint for complaint in page.complaints)


def test_names_are_completed_columns_without_their_mart(page: Page) -> None:
    for text, expected in (
        ("select kend", "kendall_tau_a"),
        ("from sentence_corr", "sentence_correlations"),
        ("select * from metrics m where m.high", "higher_is_better"),
    ):
        written(page, text)
        page.press(" ", control=True)
        listed = page.value("""
            new Promise(done => { const end = Date.now() + 5000; (function look() {
              const found = [...document.querySelectorAll('.cm-completionLabel')];
              if (found.length || Date.now() > end) done(found.map(each => each.textContent));
              else setTimeout(look, 20); })(); })""")
        assert expected in listed, text
        page.press("Escape")


def test_slow_query_is_stopped_by_keyboard(page: Page) -> None:
    written(page, "select count(*) from range(10000000) a, range(10000000) b where a.range % 7 = 1")
    page.press("Enter", control=True)
    # From the editor to the next button: the run button is disabled meanwhile.
    page.press("Tab")
    assert page.value("document.activeElement.id") == "stop"
    page.value("document.getElementById('stop').click()")
    assert page.value(ANSWERED) == "query was canceled"


def test_an_answer_is_taken_away_and_a_link_leads_back(page: Page, tmp_path: Path) -> None:
    assert "1 row in" in typed(page, KINDS)
    link = page.value("location.href")
    page.value(CATCH)
    for name in ("csv", "parquet"):
        page.value(f"document.getElementById('{name}').click()")
    csv, parquet = (base64.b64decode(page.value(f"window.saved[{n}]")) for n in range(2))
    (tmp_path / "answer.parquet").write_bytes(parquet)
    saved = duckdb.sql(f"from '{tmp_path / 'answer.parquet'}'")
    texts, numbers = ["VARCHAR"] * 3, ["BIGINT", "DOUBLE", "DOUBLE"]
    assert saved.types == [*texts, *numbers, "BOOLEAN", "TIMESTAMP", "VARCHAR"]
    (row,) = saved.fetchall()
    assert row[:7] == ('a "b", c', None, "", 7, 0.5, 3.0, True)
    assert (str(row[7]), row[8]) == ("2026-01-02 03:04:05", "[1,2]")
    assert csv.decode().splitlines() == [
        "said,nothing,empty,n,half,total,yes,moment,list",
        '"a ""b"", c",,"",7,0.5,3,true,2026-01-02 03:04:05,"[1,2]"',
    ]
    assert "1 row in" in opened(page, link)
    assert page.value(FIRST)[3] == "7"


def test_parts_of_large_marts_are_read(
    tab: Page, sample_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = Warehouse(sample_warehouse)
    large = pages.about(warehouse) | {"bytes": 1_000_000_000}
    monkeypatch.setattr("maege.explore.page.about", lambda _: large)
    with serving(warehouse, 0) as server, running(server) as place:
        assert "rows in" in opened(tab, place)
        assert "1 row in" in typed(tab, "select count(*) from sentence_correlations")
        assert tab.requests.count(f"{place}marts.duckdb") > 1


def test_any_web_server_will_do(tab: Page, sample_warehouse: Path, tmp_path: Path) -> None:
    write_folder(Warehouse(sample_warehouse), tmp_path)
    handler = partial(_Quiet, directory=os.fspath(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, running(server) as place:
        assert "rows in" in opened(tab, place)
        assert tab.complaints == []


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write no log."""


@pytest.mark.skipif(not SCRIPT.exists(), reason=f"axe-core is not installed: {INSTALL}")
def test_a_single_file_opens_from_a_folder_on_a_telephone(
    tab: Page, sample_warehouse: Path, tmp_path: Path
) -> None:
    path = tmp_path / "marts.html"
    write_single_file(Warehouse(sample_warehouse), path)
    assert "rows in" in opened(tab, path, 390)
    for width in (390, 1280):
        tab.resize(width)
        assert not overflows(tab)
        assert broken_rules(tab) == []
    assert path.stat().st_size < 20_000_000
    assert tab.complaints == []
    assert {each for each in tab.requests if not each.startswith(("file:", "blob:"))} == set()
