"""Headless Chromium, controlled through a pipe (DevTools protocol)."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHECKS = (Path(__file__).parent / "browser_checks.js").read_text()
NAMES = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    # Host names other than this machine cannot be resolved.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
)
PATIENCE = 60


def chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


WITH_CHROMIUM = pytest.mark.skipif(
    chromium() is None,
    reason="Chromium is missing: sudo apt-get install chromium",
)


class Page:
    """A tab with its workers: `requests` has their requests, `complaints` their log messages."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self._loaded = False
        self.requests: list[str] = []
        self.complaints: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")
        self.ask(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True
        )

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the browser's response to a command; events before it are recorded."""
        number = self._send(method, parameters, self._session)
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])

    def _send(self, method: str, parameters: dict[str, Any], session: str | None) -> int:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        return self._number

    def open(self, place: Path | str, width: int, *, dark: bool = False) -> None:
        self.resize(width)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.ask("Emulation.setEmulatedMedia", media="", features=scheme)
        self._loaded = False
        self.ask("Page.navigate", url=place if isinstance(place, str) else place.as_uri())
        while not self._loaded:
            self._next()

    def resize(self, width: int, height: int = 900) -> None:
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def value(self, script: str) -> Any:
        answer = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def faults(self) -> dict[str, Any]:
        """Return what is pale, cut, over something, unnamed or too wide."""
        return {kind: faults for kind, faults in self.value(CHECKS).items() if faults}

    def press(self, key: str, *, control: bool = False) -> None:
        code = {"Enter": 13, "Escape": 27, "Tab": 9, " ": 32}.get(key, ord(key[0].upper()))
        for kind in ("rawKeyDown", "keyUp"):
            self.ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                modifiers=2 if control else 0,
                windowsVirtualKeyCode=code,
            )

    def print(self, path: Path) -> None:
        printed = self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        path.write_bytes(base64.b64decode(printed["data"]))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = os.read(self._reading, 1 << 20)
            assert chunk, "the browser has ended"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, about: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Target.attachedToTarget" and self._session:
            for domain in ("Runtime", "Network", "Log"):
                self._send(f"{domain}.enable", {}, about["sessionId"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(about["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
            self.complaints.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(about["entry"]["text"])


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    path = chromium()
    assert path is not None
    to_browser, writing = os.pipe()
    reading, from_browser = os.pipe()
    # The browser reads from 3 and writes to 4; the shell gives the pipes these numbers.
    script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
    process = subprocess.Popen(
        ["bash", "-c", script, "bash", path, *SWITCHES, f"--user-data-dir={profile}"],
        pass_fds=(to_browser, from_browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Page(reading, writing)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        for end in (writing, reading):
            os.close(end)
