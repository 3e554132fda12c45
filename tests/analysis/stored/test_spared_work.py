"""What dbt leaves out of a build, because nobody has anything of it."""

import os
import subprocess
import sys

# Once in place it stays: hence a process of its own. Its arguments are the level of the log and
# whether somebody listens.
LOGGED = """
import sys, gc
from dbt.events.types import LogModelResult, MarkSkippedChildren
from dbt_common.events.base_types import EventLevel
from dbt_common.events.event_manager_client import add_logger_to_manager, add_callback_to_manager
from dbt_common.events.functions import fire_event
from dbt_common.events.logger import LineFormat, LoggerConfig
from analysis.stored.spared_work import collect_garbage, spare_work

spare_work()
collecting = gc.isenabled()
collect_garbage()
add_logger_to_manager(LoggerConfig(
    name="log", level=EventLevel(sys.argv[1]), output_stream=sys.stdout, use_colors=False,
    line_format=LineFormat.PlainText,
))
heard = []
if sys.argv[2] == "listened":
    add_callback_to_manager(lambda message: heard.append(message.info.name))
quiet = MarkSkippedChildren(unique_id="one", status="error")
fire_event(quiet)
fire_event(LogModelResult(description="model two", status="OK", index=1, total=1), EventLevel.INFO)
fire_event(MarkSkippedChildren(unique_id="three"), level=EventLevel.WARN)
print("filled" if "pb_msg" in vars(quiet) else "empty", quiet.unique_id, quiet.message())
quiet.status = "changed"
print(quiet.pb_msg.status, len(heard), collecting, gc.isenabled(), gc.get_freeze_count() > 0)
"""


def logged(level: str, listener: str = "nobody") -> list[str]:
    """Return the lines of a log of this level, without the times, and what the program prints."""
    lines = subprocess.run(
        [sys.executable, "-c", LOGGED, level, listener],
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    # dbt has a log of its own beside this one.
    return list(dict.fromkeys(line.split("  ", 1)[-1].strip() for line in lines))


MARKED = "Marking all children of '{}' to be skipped because of status '{}'."


def test_messages_that_no_log_takes_are_filled_when_they_are_read() -> None:
    result, warning, read, last = logged("info")

    assert "OK created model two" in result
    assert warning == MARKED.format("three", "")
    assert read == "empty one " + MARKED.format("one", "error")
    assert last == "changed 0 False True True"


def test_messages_that_a_log_takes_are_as_dbt_writes_them() -> None:
    quiet, result, warning, read, last = logged("debug")

    assert quiet == MARKED.format("one", "error")
    assert "OK created model two" in result
    assert warning == MARKED.format("three", "")
    assert read == "filled one " + quiet
    assert last == "changed 0 False True True"


def test_messages_that_somebody_listens_to_are_filled() -> None:
    *_, read, last = logged("info", "listened")

    assert read.startswith("filled one ")
    assert last == "changed 3 False True True"
