"""The page of `maege explore` as a folder or a file, and a read-only web server for it."""

import base64
import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import duckdb

from maege.commands.corpus_commands import source
from maege.ingest.warehouse import Warehouse, WarehouseError, open_marts
from maege.sql import example_queries
from maege.whole_files import write_whole

HERE = Path(__file__).parent
# Built by `make explorer`; the wheel contains them.
BUILT = HERE / "static"
SCRIPT, WORKER, ENGINE, LICENCES = "explorer.js", "worker.js", "duckdb.wasm.gz", "licences.txt"
ASSETS = (SCRIPT, WORKER, ENGINE, LICENCES)
PAGE, ABOUT = "index.html", "about.json"
MARTS = "marts.duckdb"
# The browser reads larger marts in parts (page/database.js), which compressed files do not allow.
LARGE = 50_000_000
# No other host and no foreign code. The worker comes from the page itself, under the same policy.
POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval'; worker-src blob:; "
    "connect-src {connect} blob:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
SERVED_POLICY = POLICY.format(script="'self'", connect="'self'")


def refuse_unless_built() -> None:
    """Raise WarehouseError if the page is not built, as in a fresh clone."""
    if missing := [name for name in ASSETS if not (BUILT / name).is_file()]:
        raise WarehouseError(
            f"The page of maege explore is not built: {BUILT} lacks {', '.join(missing)}. In a "
            "clone, `make explorer` builds it and needs npm (Debian, Ubuntu: sudo apt-get install "
            "npm); after `pip install .` in a clone, install again. The wheel of a release has the "
            "page. Without the page, use maege sql or maege report."
        )


def about(warehouse: Warehouse, marts_file: str = MARTS) -> dict[str, Any]:
    """Return the page's settings: file and size of the marts, a description, example queries.

    Raises WarehouseError if nothing is published.
    """
    with open_marts(warehouse) as marts:
        corpora = marts.execute("select corpus from corpora order by n_sentences").fetchall()
        if not corpora:
            raise WarehouseError(f"{warehouse.marts}: holds no corpus. Run `maege ingest` first.")
        built = marts.execute("select value from publication where fact = 'built_at'").fetchone()
        names = ", ".join(sorted(name for (name,) in corpora))
        return {
            "marts": marts_file,
            "bytes": warehouse.marts.stat().st_size,
            "lead": f"The published marts of {names}, built {built[0] if built else 'once'}.",
            "questions": _questions(marts, corpora[0][0]),
        }


def _served_page() -> str:
    return _page(
        SERVED_POLICY, f'<script src="{SCRIPT}"></script>', f'<a href="{LICENCES}">Licences</a>'
    )


def write_folder(warehouse: Warehouse, folder: Path) -> None:
    """Write the page and its files into a folder, for any web server."""
    refuse_unless_built()
    marts_file = MARTS if warehouse.marts.stat().st_size > LARGE else f"{MARTS}.gz"
    settings = json.dumps(about(warehouse, marts_file))
    folder.mkdir(parents=True, exist_ok=True)
    for name in ASSETS:
        shutil.copyfile(BUILT / name, folder / name)
    content = warehouse.marts.read_bytes()
    (folder / marts_file).write_bytes(content if marts_file == MARTS else _packed(content))
    (folder / ABOUT).write_text(settings, encoding="utf-8")
    (folder / PAGE).write_text(_served_page(), encoding="utf-8")


def write_single_file(warehouse: Warehouse, path: Path) -> None:
    """Write the page, its files and the marts as a single file that opens from any folder."""
    refuse_unless_built()
    settings = json.dumps(about(warehouse))
    files = {name: (BUILT / name).read_bytes() for name in (WORKER, ENGINE)}
    files |= {ABOUT: settings.encode(), MARTS: warehouse.marts.read_bytes()}
    packed = {name: base64.b64encode(_packed(file)).decode() for name, file in files.items()}
    scripts = [
        f'<script type="text/plain" id="file-{name}">{letters}</script>'
        for name, letters in packed.items()
    ]
    script = (BUILT / SCRIPT).read_text("utf-8").replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = POLICY.format(script=f"'sha256-{digest}'", connect="")
    licences = (BUILT / LICENCES).read_text("utf-8").replace("&", "&amp;").replace("<", "&lt;")
    notices = f"<details><summary>Licences</summary><pre>{licences}</pre></details>"
    page = _page(policy, "\n".join([*scripts, f"<script>{script}</script>"]), notices)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(page, path)


def _questions(marts: duckdb.DuckDBPyConnection, corpus: str) -> list[dict[str, str]]:
    """Return the queries of `maege examples` and packaged ones without functions of MAEGE."""
    questions = [
        {"question": question, "sql": query} for question, query in example_queries(corpus)
    ]
    for path in sorted((source() / "analysis" / "queries").rglob("*.sql")):
        query = path.read_text("utf-8").strip()
        try:
            marts.execute(f"explain {query}")
        except duckdb.Error:
            continue
        comment = re.match(r"(?:--.*\n)+", query)
        question = re.sub(r"\s*-- ?", " ", comment[0] if comment else path.stem).strip()
        questions.append({"question": question.partition("?")[0] + "?", "sql": query})
    return questions


def _page(policy: str, files: str, licences: str) -> str:
    style = (HERE / "page" / "style.css").read_text("utf-8")
    parts = {"policy": policy, "style": style, "licences": licences, "files": files}
    page = (HERE / "page" / PAGE).read_text("utf-8")
    return re.sub(r"{{(\w+)}}", lambda name: parts[name[1]], page)


def _packed(content: bytes) -> bytes:
    """Return the content compressed by gzip without a time: equal marts give equal files."""
    return content if content[:2] == b"\x1f\x8b" else gzip.compress(content, mtime=0)


LOOPBACK = "127.0.0.1"
TYPES = {".html": "text/html", ".js": "text/javascript", ".json": "application/json"}
TYPES |= {".txt": "text/plain"}
# No file size has more digits, and Python refuses to parse thousands.
RANGE = re.compile(r"bytes=([0-9]{1,18})-([0-9]{0,18})$")
PIECE = 1 << 20
HEADERS = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-cache",
    "Content-Security-Policy": f"{SERVED_POLICY}; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Contents = dict[str, bytes | mmap]


@contextmanager
def serving(warehouse: Warehouse, port: int) -> Iterator[ThreadingHTTPServer]:
    """Yield a server that listens on the loopback address; port 0 chooses a free one.

    The marts file is mapped once, so that an open page sees the same build after a publication.
    Raises WarehouseError if nothing is published or the page is not built, OSError if the port is
    in use.
    """
    refuse_unless_built()
    settings = json.dumps(about(warehouse)).encode()
    contents: Contents = {PAGE: _served_page().encode(), ABOUT: settings}
    paths = {MARTS: warehouse.marts, **{name: BUILT / name for name in ASSETS}}
    with ExitStack() as stack:
        for name, path in paths.items():
            file = stack.enter_context(path.open("rb"))
            contents[name] = stack.enter_context(mmap(file.fileno(), 0, access=ACCESS_READ))
        address = (LOOPBACK, port)
        yield stack.enter_context(ThreadingHTTPServer(address, partial(_Handler, contents)))


class _Handler(BaseHTTPRequestHandler):
    server: ThreadingHTTPServer
    protocol_version = "HTTP/1.1"

    def __init__(self, contents: Contents, *connection: Any) -> None:  # noqa: ANN401
        self.contents = contents
        super().__init__(*connection)

    def do_GET(self) -> None:
        """Send a file, or the requested part of it."""
        if (sent := self._head()) is not None:
            name, start, end = sent
            for place in range(start, end, PIECE):
                self.wfile.write(self.contents[name][place : min(place + PIECE, end)])

    def do_HEAD(self) -> None:
        """Send the headers that GET would send."""
        self._head()

    def log_message(self, *_: object) -> None:
        """Write no log of requests, to protect the reader's privacy."""

    def _head(self) -> tuple[str, int, int] | None:
        """Send status and headers; return the file and the part to send, or None after an error."""
        # Refuse other host names: a foreign page could read the marts by DNS rebinding.
        port = self.server.server_port
        if self.headers.get("Host") not in (f"{LOOPBACK}:{port}", f"localhost:{port}"):
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
            return None
        name = self.path.partition("?")[0].removeprefix("/") or PAGE
        if name not in self.contents:
            self._refuse(HTTPStatus.NOT_FOUND)
            return None
        size = len(self.contents[name])
        start, end, status = 0, size, HTTPStatus.OK
        if byte_range := RANGE.match(self.headers.get("Range", "")):
            start = int(byte_range[1])
            end = min(int(byte_range[2]) + 1, size) if byte_range[2] else size
            status = HTTPStatus.PARTIAL_CONTENT
            if start >= end:
                self._refuse(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                return None
        self.send_response(status)
        if status == HTTPStatus.PARTIAL_CONTENT:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        self.send_header("Content-Length", str(end - start))
        self.send_header("Content-Type", TYPES.get(Path(name).suffix, "application/octet-stream"))
        for header, value in HEADERS.items():
            self.send_header(header, value)
        self.end_headers()
        return name, start, end

    def _refuse(self, status: HTTPStatus) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
