"""Replacement of `java`: answers as LanguageTool does, but can be made to die or to stall.

Each "x" of a text is a match, whose rule names any language except American English. A text with
"die" ends the process, one with "cold" does if it is the first, one with "stall" gets no response,
one with "slow" a late one, and one with "refuse" an error.
"""

import json
import os
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

LENGTH = struct.Struct(">i")
checked: list[str] = []


def offsets(text: str) -> list[int]:
    """Return the positions of the text's matches; or die, or never return."""
    if "die" in text or ("cold" in text and not checked):
        os._exit(3)
    checked.append(text)
    if "stall" in text:
        time.sleep(600)
    if "slow" in text:
        time.sleep(0.5)
    return [place for place, letter in enumerate(text) if letter == "x"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer(200, b"OK")

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        (text,) = form["text"]
        if "refuse" in text:
            self.answer(500, b"Error: not this one")
            return
        (language,) = form["language"]
        name = "X" if language == "en-US" else f"X_{language}"
        rule = {"id": name, "category": {"id": "XS", "name": "Letters"}}
        matches = [{"rule": rule, "offset": place, "length": 1} for place in offsets(text)]
        version = {"version": "6.7" if "newer" in text else "6.6"}
        self.answer(200, json.dumps({"software": version, "matches": matches}).encode())

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
        """Write no log."""


def legacy() -> None:
    send("+stand-in")
    while length := sys.stdin.buffer.read(LENGTH.size):
        text = sys.stdin.buffer.read(*LENGTH.unpack(length)).decode()
        if "refuse" in text:
            send("-not this one")
        else:
            send("+" + "".join(f"X\tLetters\t{place}\t1\n" for place in offsets(text)))


def send(answer: str) -> None:
    encoded = answer.encode()
    sys.stdout.buffer.write(LENGTH.pack(len(encoded)) + encoded)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    if "CheckTexts" in sys.argv:
        legacy()
    else:
        port = int(sys.argv[sys.argv.index("-p") + 1])
        ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
