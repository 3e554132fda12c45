"""The real LanguageTool: limited in memory, killed, and ended with its user.

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

SECONDS = 30

ENDLESS_BUILD = """
import sys
from itertools import repeat
from maege.analysis.languagetool.checking import check_texts
for _ in check_texts(sys.argv[1], repeat("This is an test ."), 1, chunk=1):
    print("checked", flush=True)
"""


def sentences(repository: Path) -> list[str]:
    outputs = sorted((repository / "corpora/sample/outputs").glob("*.txt"))
    lines = [line for path in outputs for line in path.read_text(encoding="utf-8").splitlines()]
    return list(dict.fromkeys(lines))[:80]


def gone(pids: list[int]) -> bool:
    processes = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            processes.append(psutil.Process(pid))
    return psutil.wait_procs(processes, timeout=SECONDS)[1] == []


def check_all(version: str, texts: Iterator[str] | list[str]) -> list[Checked]:
    return [result for chunk in check_texts(version, texts, 2, chunk=20) for result in chunk]


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
@pytest.mark.parametrize("version", ["6.6", "3.7"])
def test_a_killed_build_leaves_no_process(version: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS_BUILD, version], stdout=subprocess.PIPE, text=True
    ) as build:
        assert build.stdout is not None
        assert build.stdout.readline() == "checked\n"
        left = psutil.Process(build.pid).children(recursive=True)
        java = next(process for process in left if process.name() == "java")
        assert "-Xmx1g" in java.cmdline()
        listening = {
            connection.laddr.ip.removeprefix("::ffff:")
            for connection in java.net_connections(kind="inet")
            if connection.status == psutil.CONN_LISTEN
        }
        assert listening == ({"127.0.0.1"} if version == "6.6" else set())
        build.kill()
    assert gone([process.pid for process in left])
