"""The real LanguageTool: limited in memory, and ended with its user."""

import subprocess
import sys

import psutil
import pytest

ENDLESS_BUILD = """
import sys
from itertools import repeat
from maege.analysis.languagetool.checking import check_texts
for _ in check_texts(sys.argv[1], repeat("This is an test ."), 1, chunk=1):
    print("checked", flush=True)
"""


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
    assert psutil.wait_procs(left, timeout=30)[1] == []
