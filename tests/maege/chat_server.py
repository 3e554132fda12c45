"""A chat-completions server on the loopback interface with errors, delays and bad responses."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ChatServer(ThreadingHTTPServer):
    """A server that obeys the prompt, or else answers with the target's length modulo 5.

    `requests` are all received requests, `headers` those of each; `first` are HTTP codes for the
    first requests. `says` has the content for prompts with some words in them.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.first: list[int] = []
        self.model = "judge-2026-01-01"
        self.says: dict[str, str] = {}
        self.lock = threading.Lock()

    def handle_error(self, *args: object) -> None:
        """Ignore clients that did not wait."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def log_message(self, *args: object) -> None:
        """Write no log."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append(request)
            self.server.headers.append(dict(self.headers.items()))
            code = self.server.first.pop(0) if self.server.first else 200
        if code != 200:
            self._send(code, json.dumps({"error": {"message": f"no: {self.headers}"}}))
            return
        text = request["messages"][0]["content"]
        if "STALL" in text:
            time.sleep(1)
        if "TOOLONG" in text:
            self._send(400, '{"error": "too long"}')
        elif "DROP" in text:
            self.close_connection = True
        elif "NOJSON" in text:
            self._send(200, "<html>")
        else:
            self._send(200, json.dumps(self._answer(request, text)))

    def _answer(self, request: dict[str, Any], text: str) -> dict[str, Any]:
        score = str(1 + len(text.split("# target\n")[-1].split("\n")[0]) % 5)
        written = f'Because of 5 words: {{"score": {score}}}'
        if "MAYBE" in text and "response_format" not in request:
            written = "I cannot judge this."
        elif "NEVER" in text:
            written = '{"score": 100}'
        replies = [says for words, says in self.server.says.items() if words in text]
        written = replies[0] if replies else written
        choice = {"message": {"role": "assistant", "content": written}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return {"model": self.server.model, "choices": [choice], "usage": usage}

    def _send(self, code: int, body: str) -> None:
        self.send_response(code)
        if code == 429:
            self.send_header("Retry-After", "0.05")
        if code == 302:
            self.send_header("Location", self.server.url + "/elsewhere")
        self.end_headers()
        self.wfile.write(body.encode())


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    with ChatServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
