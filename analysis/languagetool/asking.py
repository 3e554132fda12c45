"""One question to a server over HTTP, and its answer."""

import http.client
from urllib.parse import urlsplit


def answer(url: str, path: str, seconds: float) -> tuple[int, bytes]:
    """Return the status and the body that the server at `url` answers to GET with.

    Raises OSError or http.client.HTTPException where it does not, in so many seconds.
    """
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=seconds)
    try:
        connection.request("GET", f"{parts.path}{path}")
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
