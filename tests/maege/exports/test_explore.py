"""The explorer without a browser: its server's responses and clients, and its files."""

import base64
import gzip
import hashlib
import json
import re
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread

import pytest
from small_marts import publish
from typer.testing import CliRunner

from maege.cli import app
from maege.explore import page
from maege.explore.page import ASSETS, SCRIPT
from maege.ingest.warehouse import Warehouse, WarehouseError
from maege.shipped.read import FOLDER, PROVENANCE


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as `make explorer` creates it."""
    folder = tmp_path / "static"
    folder.mkdir()
    for name in ASSETS:
        (folder / name).write_text(f"// {name} </script>")
    monkeypatch.setattr(page, "BUILT", folder)
    return folder


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return Warehouse(publish(tmp_path_factory.mktemp("marts")))


@pytest.fixture
def port(warehouse: Warehouse) -> Iterator[int]:
    with page.serving(warehouse, 0) as served:
        Thread(target=served.serve_forever, daemon=True).start()
        yield served.server_port
        served.shutdown()


def request(port: int, path: str, method: str = "GET", **headers: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    answer.content = b"" if method == "HEAD" else answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def test_marts_are_served_whole_and_in_ranges(port: int, warehouse: Warehouse) -> None:
    marts = warehouse.marts.read_bytes()
    complete = request(port, "/marts.duckdb")
    assert (complete.status, complete.content) == (200, marts)  # type: ignore[attr-defined]
    head = request(port, "/marts.duckdb", "HEAD", Range="bytes=0-")
    assert (head.status, head.headers["Content-Length"]) == (206, str(len(marts)))
    part = request(port, "/marts.duckdb", Range="bytes=8-11")
    assert (part.status, part.content) == (206, b"DUCK")  # type: ignore[attr-defined]
    assert part.headers["Content-Range"] == f"bytes 8-11/{len(marts)}"
    last = request(port, "/marts.duckdb", Range=f"bytes={len(marts) - 2}-{len(marts) + 9}")
    assert last.content == marts[-2:]  # type: ignore[attr-defined]
    assert request(port, "/marts.duckdb", Range=f"bytes={len(marts)}-").status == 416


def test_nothing_but_its_own_files_is_sent_and_nothing_is_taken(port: int) -> None:
    for path in ("/../page.py", "/static/", "/etc/passwd", "/%2e%2e/x"):
        assert request(port, path).status == 404
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert request(port, "/", method).status == 501


def test_every_answer_forbids_other_hosts(port: int) -> None:
    for path in ("/", "/about.json", f"/{SCRIPT}", "/marts.duckdb"):
        headers = request(port, path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        assert "http" not in headers["Content-Security-Policy"]
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Access-Control-Allow-Origin"] is None
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1"):
        assert request(port, "/", Host=host).status == 421
    assert request(port, "/", Host=f"localhost:{port}").status == 200
    with pytest.raises(OSError, match=r"refused|timed out|reachable"):
        socket.create_connection(("127.0.0.2", port), timeout=2)


def test_later_publication_is_not_mixed_in(port: int, warehouse: Warehouse) -> None:
    marts = warehouse.marts.read_bytes()
    moved = warehouse.marts.rename(warehouse.marts.with_name("moved"))
    warehouse.marts.write_bytes(b"new")
    try:
        assert request(port, "/marts.duckdb").content == marts  # type: ignore[attr-defined]
    finally:
        moved.replace(warehouse.marts)


def test_questions_are_those_that_these_marts_answer(warehouse: Warehouse) -> None:
    description = page.about(warehouse)
    questions = {each["question"] for each in description["questions"]}
    assert "How much of the paper's tau is ties?" in questions
    # Handmade marts lack the table.
    lacking = "Which sentences, annotations and outputs are left out, of what, and why?"
    assert lacking not in questions
    assert "corpus = 'two'" in description["questions"][0]["sql"]


@pytest.mark.parametrize("largest_packed", [1, 10**9])
def test_a_folder_has_the_page_and_marts_that_are_packed_if_small(
    largest_packed: int, warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "LARGE", largest_packed)
    page.write_folder(warehouse, tmp_path)
    name = "marts.duckdb.gz" if largest_packed > 1 else "marts.duckdb"
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert names == {"index.html", "about.json", name, *ASSETS}
    assert json.loads((tmp_path / "about.json").read_text())["marts"] == name
    marts = (tmp_path / name).read_bytes()
    assert (
        gzip.decompress(marts) if name.endswith(".gz") else marts
    ) == warehouse.marts.read_bytes()


def test_single_file_holds_all_and_runs_only_its_script(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    page.write_single_file(warehouse, tmp_path / "one.html")
    text = (tmp_path / "one.html").read_text()
    files = dict(re.findall(r'<script type="text/plain" id="file-(.*?)">(.*?)</script>', text))
    assert gzip.decompress(base64.b64decode(files["marts.duckdb"])) == warehouse.marts.read_bytes()
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'" in text
    assert re.findall(r'(?:src|href)="(?!data:|#)', text) == []
    page.write_single_file(warehouse, tmp_path / "two.html")
    assert (tmp_path / "two.html").read_bytes() == (tmp_path / "one.html").read_bytes()


def test_clone_without_npm_gets_instructions(built: Path, warehouse: Warehouse) -> None:
    (built / SCRIPT).unlink()
    with pytest.raises(WarehouseError, match=r"lacks explorer.js. In a clone, `make explorer`"):
        page.refuse_unless_built()
    result = CliRunner().invoke(app, ["explore"], env={"MAEGE_WAREHOUSE": str(warehouse.folder)})
    assert (result.exit_code, result.output.count("\n")) == (1, 1)


def test_port_in_use_is_named(port: int, warehouse: Warehouse) -> None:
    environment = {"MAEGE_WAREHOUSE": str(warehouse.folder)}
    line = ["explore", "--no-browser", "--port", str(port)]
    result = CliRunner().invoke(app, line, env=environment)
    assert result.exit_code == 2
    assert f"port {port} is in use" in result.output


def test_results_are_explored_without_a_warehouse(tmp_path: Path) -> None:
    if not (FOLDER / PROVENANCE).is_file():
        pytest.skip("needs the Parquet files in results/, which this checkout lacks")
    written = CliRunner().invoke(app, ["explore", "--results", "--folder", str(tmp_path / "out")])
    assert written.exit_code == 0
    about = json.loads((tmp_path / "out" / page.ABOUT).read_text())
    assert "conll14" in about["lead"]
