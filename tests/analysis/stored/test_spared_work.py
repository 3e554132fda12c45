"""What dbt leaves out of a build, because nobody has anything of it."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from dbt_common.clients.agate_helper import build_type_tester

from analysis.stored.spared_work import _type_tester

# Once in place it stays: hence processes of their own, one for each level of the log and whether
# somebody listens. They are copies of one that has imported dbt, which is most of what they do.
LOGGED = """
import os, sys, gc
from dbt.events.types import LogModelResult, MarkSkippedChildren
from dbt_common.events.base_types import EventLevel
from dbt_common.events.event_manager_client import add_logger_to_manager, add_callback_to_manager
from dbt_common.events.functions import fire_event
from dbt_common.events.logger import LineFormat, LoggerConfig
from analysis.stored.spared_work import collect_garbage, spare_work

def log(level, listener):
    spare_work(writes_at_end=True)
    collecting = gc.isenabled()
    collect_garbage(of_parsing=True)
    add_logger_to_manager(LoggerConfig(
        name="log", level=EventLevel(level), output_stream=sys.stdout, use_colors=False,
        line_format=LineFormat.PlainText,
    ))
    heard = []
    if listener == "listened":
        add_callback_to_manager(lambda message: heard.append(message.info.name))
    quiet = MarkSkippedChildren(unique_id="one", status="error")
    fire_event(quiet)
    result = LogModelResult(description="model two", status="OK", index=1, total=1)
    fire_event(result, EventLevel.INFO)
    fire_event(MarkSkippedChildren(unique_id="three"), level=EventLevel.WARN)
    print("filled" if "pb_msg" in vars(quiet) else "empty", quiet.unique_id, quiet.message())
    quiet.status = "changed"
    print(quiet.pb_msg.status, len(heard), collecting, gc.isenabled(), gc.get_freeze_count() > 0)

for case in sys.argv[1:]:
    print("case", case, flush=True)
    child = os.fork()
    if not child:
        log(*case.split())
        sys.exit()
    assert os.waitpid(child, 0)[1] == 0, case
"""
CASES = ("info nobody", "debug nobody", "info listened")


@pytest.fixture(scope="module")
def logged() -> dict[str, list[str]]:
    """The lines of each log, without the times, and what the program prints, by case."""
    said = subprocess.run(
        [sys.executable, "-c", LOGGED, *CASES], capture_output=True, text=True, check=True
    ).stdout
    found: dict[str, list[str]] = {}
    for part in said.split("case ")[1:]:
        case, *lines = part.splitlines()
        # dbt has a log of its own beside this one.
        found[case] = list(dict.fromkeys(line.split("  ", 1)[-1].strip() for line in lines))
    return found


MARKED = "Marking all children of '{}' to be skipped because of status '{}'."


def test_messages_that_no_log_takes_are_filled_when_they_are_read(
    logged: dict[str, list[str]],
) -> None:
    result, warning, read, last = logged["info nobody"]

    assert "OK created model two" in result
    assert warning == MARKED.format("three", "")
    assert read == "empty one " + MARKED.format("one", "error")
    assert last == "changed 0 False True True"


def test_messages_that_a_log_takes_are_as_dbt_writes_them(
    logged: dict[str, list[str]],
) -> None:
    quiet, result, warning, read, last = logged["debug nobody"]

    assert quiet == MARKED.format("one", "error")
    assert "OK created model two" in result
    assert warning == MARKED.format("three", "")
    assert read == "filled one " + quiet
    assert last == "changed 0 False True True"


def test_messages_that_somebody_listens_to_are_filled(logged: dict[str, list[str]]) -> None:
    *_, read, last = logged["info listened"]

    assert read.startswith("filled one ")
    assert last == "changed 3 False True True"


def test_a_thread_makes_what_finds_types_once() -> None:
    texts = ("text",)
    own = [_type_tester(texts), _type_tester(list(texts)), _type_tester(())]
    assert own[0] is own[1]
    assert own[0] is not own[2]
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(_type_tester, texts).result() is not own[0]
    # It finds what dbt's own does.
    row, names = [("1", 1)], ["text", "number"]
    found, expected = (
        [type(kind).__name__ for kind in tester.run(row, names)]
        for tester in (own[0], build_type_tester(texts))
    )
    assert found == expected == ["Text", "Integer"]
