"""Send HTTP requests to a server: one connection, one request, one response."""

import http.client
from urllib.parse import urlsplit


def answer(url: str, path: str, seconds: float) -> tuple[int, bytes]:
    """Return the status and body of the response to GET from the server at `url`.

    Raises OSError or http.client.HTTPException if there is none within `seconds`.
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
    """Return a connection to the server at `url`, and the prefix of its paths."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    return kind(parts.netloc), parts.path
