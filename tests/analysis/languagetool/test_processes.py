"""The real LanguageTool: shared, limited in memory, killed, and ended with its users.

Tests of builds kill the server of 6.6, and builds that use it.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from maege.analysis.languagetool.checking import Checked, check_texts
from maege.analysis.languagetool.server import (
    ManagedServer,
    Running,
    read_record,
    run_folder,
    status,
)

SECONDS = 30

ENDLESS_BUILD = """
from itertools import repeat
from maege.analysis.languagetool.checking import check_texts
for _ in check_texts("3.7", repeat("This is an test ."), 1, chunk=1):
    print("checked", flush=True)
"""


def sentences(repository: Path) -> list[str]:
    outputs = sorted((repository / "corpora/sample/outputs").glob("*.txt"))
    lines = [line for path in outputs for line in path.read_text(encoding="utf-8").splitlines()]
    return list(dict.fromkeys(lines))[:80]


def running() -> Running:
    record = read_record(run_folder())
    assert record is not None
    return record


def gone(pids: list[int]) -> bool:
    processes = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            processes.append(psutil.Process(pid))
    return psutil.wait_procs(processes, timeout=SECONDS)[1] == []


def check_all(version: str, texts: Iterator[str] | list[str]) -> list[Checked]:
    return [result for chunk in check_texts(version, texts, 2, chunk=20) for result in chunk]


@pytest.mark.usefixtures("session_home")
def test_one_server_serves_all_users_on_loopback_and_ends_with_the_last() -> None:
    first, second = ManagedServer(), ManagedServer()
    assert first.url() == second.url()
    server = running()
    listening = {
        connection.laddr.ip.removeprefix("::ffff:")
        for connection in psutil.Process(server.pid).net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {"127.0.0.1"}
    assert "-Xmx1g" in psutil.Process(server.pid).cmdline()
    server_status = status()
    assert server_status.server == server
    assert server_status.resident_bytes is not None
    assert server_status.resident_bytes < 2e9
    first.close()
    assert second.url() == f"http://127.0.0.1:{server.port}"
    assert running() == server
    second.close()
    assert gone([server.pid, server.supervisor])
    assert status().server is None


@pytest.mark.usefixtures("session_home")
def test_processes_killed_while_they_check_lose_and_double_nothing(repository: Path) -> None:
    texts = sentences(repository)
    undisturbed = check_all("3.7", texts)
    assert sum(len(result.matches) for result in undisturbed) > len(texts) / 4
    # Java processes of other tests, such as METEOR's.
    earlier = psutil.Process().children()
    killed = []

    def disturbing() -> Iterator[str]:
        for number, text in enumerate(texts):
            if number == 50:
                for process in set(psutil.Process().children()).difference(earlier):
                    killed.append(process.pid)
                    process.kill()
            yield text

    assert check_all("3.7", disturbing()) == undisturbed
    assert len(killed) == 2
    assert gone(killed)
    assert set(psutil.Process().children()) <= set(earlier)


@pytest.mark.usefixtures("session_home")
def test_a_killed_build_leaves_no_process_of_an_older_version() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS_BUILD], stdout=subprocess.PIPE, text=True
    ) as build:
        assert build.stdout is not None
        assert build.stdout.readline() == "checked\n"
        left = [child.pid for child in psutil.Process(build.pid).children(recursive=True)]
        assert left
        assert all(psutil.pid_exists(pid) for pid in left)
        build.kill()
    assert gone(left)


@pytest.mark.usefixtures("session_home")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of a death")
def test_a_killed_supervisor_takes_its_server_along() -> None:
    server = ManagedServer()
    url = server.url()
    before = running()
    psutil.Process(before.supervisor).kill()
    assert gone([before.supervisor, before.pid])
    assert server.url() != url
    after = running()
    server.close()
    assert gone([after.supervisor, after.pid])
