"""A server over HTTP: the way to it, and one question with its answer."""

import http.client
from urllib.parse import urlsplit


def answer(url: str, path: str, seconds: float) -> tuple[int, bytes]:
    """Return the status and the body that the server at `url` answers to GET with.

    Raises OSError or http.client.HTTPException where it does not, in so many seconds.
    """
    connection, prefix = connection_to(url)
    connection.timeout = seconds
    try:
        connection.request("GET", f"{prefix}{path}")
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def connection_to(url: str) -> tuple[http.client.HTTPConnection, str]:
    """Return a connection to the server at `url`, and what its paths begin with."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    return kind(parts.netloc), parts.path
