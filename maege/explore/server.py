"""A read-only web server for the page on this machine; it serves a fixed list of files."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from maege.explore.page import (
    ABOUT,
    ASSETS,
    BUILT,
    MARTS,
    PAGE,
    SERVED_POLICY,
    about,
    refuse_unless_built,
    served_page,
)
from maege.ingest.warehouse import Warehouse

LOOPBACK = "127.0.0.1"
TYPES = {".html": "text/html", ".js": "text/javascript", ".json": "application/json"}
TYPES |= {".txt": "text/plain"}
RANGE = re.compile(r"bytes=([0-9]+)-([0-9]*)$")
# More digits than any file size has. Python refuses to parse numbers of thousands of digits.
MOST_DIGITS = 18
PIECE = 1 << 20
HEADERS = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-cache",
    "Content-Security-Policy": f"{SERVED_POLICY}; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@contextmanager
def serving(warehouse: Warehouse, port: int) -> Iterator[ThreadingHTTPServer]:
    """Yield a server that listens on the loopback address; port 0 chooses a free one.

    The marts file is opened once, so that an open page sees the same build after a publication.

    Raises:
        WarehouseError: nothing is published, or the page is not built.
        OSError: the port is in use.

    """
    refuse_unless_built()
    pages = {PAGE: served_page().encode(), ABOUT: json.dumps(about(warehouse)).encode()}
    paths = {MARTS: warehouse.marts, **{name: BUILT / name for name in ASSETS}}
    descriptors = {name: os.open(path, os.O_RDONLY) for name, path in paths.items()}
    try:
        with _Server((LOOPBACK, port), pages, descriptors) as server:
            yield server
    finally:
        for descriptor in descriptors.values():
            os.close(descriptor)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(
        self, address: tuple[str, int], pages: dict[str, bytes], descriptors: dict[str, int]
    ) -> None:
        super().__init__(address, _Handler)
        self.pages, self.descriptors = pages, descriptors

    def size(self, name: str) -> int | None:
        """Return the size of a file in bytes; None if it is not on the list."""
        if name in self.pages:
            return len(self.pages[name])
        return os.fstat(self.descriptors[name]).st_size if name in self.descriptors else None

    def piece(self, name: str, start: int, count: int) -> bytes:
        """Return a part of a file on the list."""
        if name in self.pages:
            return self.pages[name][start : start + count]
        return os.pread(self.descriptors[name], count, start)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a file, or the requested part of it."""
        if (sent := self._head()) is not None:
            name, start, end = sent
            while start < end:
                piece = self.server.piece(name, start, min(PIECE, end - start))
                self.wfile.write(piece)
                start += len(piece)

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
        size = self.server.size(name)
        if size is None:
            self._refuse(HTTPStatus.NOT_FOUND)
            return None
        start, end, status = 0, size, HTTPStatus.OK
        if asked := RANGE.match(self.headers.get("Range", "")):
            start = _place(asked[1])
            end = min(_place(asked[2]) + 1, size) if asked[2] else size
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


def _place(digits: str) -> int:
    """Return the number, or a number larger than any file if it has too many digits."""
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS
