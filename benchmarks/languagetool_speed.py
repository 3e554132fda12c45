"""Speed of LanguageTool 6.6 through `check_texts`, against a plain load generator.

Run with `python benchmarks/languagetool_speed.py FILE...`, files of one text a line, such as the
outputs in ../shared/data/conll14/outputs. Both send the same texts over four connections to the
same server, in turn, after a warm-up; the load generator does nothing with the answers.
"""

import http.client
import sys
import threading
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from urllib.parse import urlencode, urlsplit

from maege.analysis.languagetool.checking import check_texts
from maege.analysis.languagetool.running import status
from maege.analysis.languagetool.server import ManagedServer

CONNECTIONS = 4
# The Java compiler works on for thousands of texts.
WARM_UP = 8000
MEASURED = 3000
ROUNDS = 3


def load_generator_seconds(url: str, texts: list[str]) -> float:
    """Return the seconds in which plain threads have sent all texts and read the answers."""
    waiting: SimpleQueue[bytes] = SimpleQueue()
    for text in texts:
        waiting.put(urlencode({"language": "en-US", "text": text}).encode())
    threads = [threading.Thread(target=_send, args=(url, waiting)) for _ in range(CONNECTIONS)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - started


def _send(url: str, waiting: "SimpleQueue[bytes]") -> None:
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    while True:
        try:
            body = waiting.get_nowait()
        except Empty:
            break
        connection.request(
            "POST", "/v2/check", body, {"Content-Type": "application/x-www-form-urlencoded"}
        )
        response = connection.getresponse()
        response.read()
        assert response.status == http.HTTPStatus.OK
    connection.close()


def client_seconds(texts: list[str]) -> float:
    """Return the seconds in which `check_texts` has checked all texts."""
    started = time.perf_counter()
    checked = [each for chunk in check_texts("6.6", texts, CONNECTIONS) for each in chunk]
    seconds = time.perf_counter() - started
    assert len(checked) == len(texts)
    assert not any(each.error for each in checked)
    return seconds


def main() -> None:
    """Print texts a second of both, round by round, and what the server costs."""
    lines = (line for path in sys.argv[1:] for line in Path(path).read_text().splitlines())
    texts = list(dict.fromkeys(line for line in lines if line.strip()))
    if len(texts) < WARM_UP:
        sys.exit(f"found {len(texts)} texts, expected at least {WARM_UP:,}: name more files")
    server = ManagedServer()
    started = time.perf_counter()
    url = server.url()
    print(f"server up after         {time.perf_counter() - started:6.1f} s")
    load_generator_seconds(url, texts[:WARM_UP])
    measured = (texts[WARM_UP:] + texts)[:MEASURED]
    halves = measured[::2], measured[1::2]
    print("texts a second    load generator   check_texts   ratio")
    for number in range(1, ROUNDS + 1):
        # Each goes first with one half, as the server gets faster from text to text.
        seconds = load_generator_seconds(url, halves[0]), client_seconds(halves[1])
        more = client_seconds(halves[0]), load_generator_seconds(url, halves[1])
        plain = len(measured) / (seconds[0] + more[1])
        ours = len(measured) / (seconds[1] + more[0])
        print(f"round {number}         {plain:15.0f} {ours:13.0f} {ours / plain:7.2f}")
    print(f"server's memory         {(status().resident_bytes or 0) / 1e6:6.0f} MB")
    server.close()


if __name__ == "__main__":
    main()
