"""What dbt does in a build that nobody has anything of: half of a build with nothing to do.

`dbt_maege.py` puts this in place before dbt parses the project; `analysis/plugin.py` has garbage
collected again once it has.
"""

import gc
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agate import TypeTester
from dbt.constants import MANIFEST_FILE_NAME, PARTIAL_PARSE_FILE_NAME
from dbt.parser import manifest as parser
from dbt.task import runnable
from dbt.tracking import track_behavior_change_warn
from dbt_common.clients import agate_helper
from dbt_common.events.base_types import BaseEvent, EventLevel
from dbt_common.events.event_manager import EventManager
from dbt_common.events.event_manager_client import get_event_manager

from analysis.stored.unchanged_nodes import is_skippable

# Attributes of a message: what it is filled with, and dbt's own for what that makes.
_FILLING, _FILLED = "filling", "pb_msg"

_kept = threading.local()
_build_type_tester = agate_helper.build_type_tester
_fill, _fire, _write_manifest = BaseEvent.__init__, EventManager.fire_event, parser.write_manifest


def spare_work(*, writes_at_end: bool) -> None:
    """Have dbt leave out messages that no log takes, and artifacts that are as they would be.

    A command that `writes_at_end` what it then knows of nodes need not write it before, too.
    """
    BaseEvent.__init__ = _keep_filling  # type: ignore[method-assign, assignment]
    BaseEvent.__getattr__ = _read  # type: ignore[method-assign]
    BaseEvent.__setattr__ = _write  # type: ignore[method-assign]
    EventManager.fire_event = _fire_if_heard  # type: ignore[method-assign, assignment]
    parser.write_manifest = _leave_to_the_end if writes_at_end else _write_manifest_if_changed
    runnable.write_manifest = _write_manifest_if_changed  # type: ignore[attr-defined]
    agate_helper.build_type_tester = _type_tester
    # What is parsed, or read of what was, stays to the end: looking through it finds nothing.
    gc.disable()


def collect_garbage(*, of_parsing: bool) -> None:
    """Have Python look for garbage again, but no longer among what is there now.

    What parsing left of it, 280,000 objects that take a third of a second to find, is freed before
    where that is asked for.

    Not where somebody else had it stop: sqlfluff loads the project, too (Makefile).
    """
    if runnable.write_manifest is not _write_manifest_if_changed:  # type: ignore[attr-defined]
        return
    if of_parsing:
        gc.collect()
    gc.freeze()
    gc.enable()


def _type_tester(
    text_columns: Iterable[str], string_null_values: Iterable[str] | None = ("null", "")
) -> TypeTester:
    """Return what finds the types of an answer's columns, once for each thread: it takes a ms."""
    nulls = None if string_null_values is None else tuple(string_null_values)
    key = (tuple(text_columns), nulls)
    testers = vars(_kept).setdefault("testers", {})
    if key not in testers:
        testers[key] = _build_type_tester(*key)
    tester: TypeTester = testers[key]
    return tester


def is_heard(level: EventLevel) -> bool:
    """Return whether a log, or anybody else, takes messages of this level."""
    manager = get_event_manager()
    return (
        level != EventLevel.DEBUG
        or any(logger.level == EventLevel.DEBUG for logger in manager.loggers)
        # dbt's own callback looks for warnings.
        or any(callback is not track_behavior_change_warn for callback in manager.callbacks)
    )


def _keep_filling(event: BaseEvent, *args: Any, **kwargs: Any) -> None:
    """Make a message that is filled once it is read: dbt makes a dozen for each statement."""
    vars(event)[_FILLING] = (args, kwargs)


def _read(event: BaseEvent, name: str) -> Any:
    if _FILLED not in vars(event):
        args, kwargs = vars(event).pop(_FILLING)
        _fill(event, *args, **kwargs)
    filled = vars(event)[_FILLED]
    return filled if name == _FILLED else getattr(filled, name)


def _write(event: BaseEvent, name: str, value: Any) -> None:
    if name == _FILLED:
        vars(event)[name] = value
    else:
        setattr(event.pb_msg, name, value)


def _fire_if_heard(
    manager: EventManager, e: BaseEvent, level: EventLevel | None = None, *args: Any, **kwargs: Any
) -> None:
    if is_heard(level or e.level_tag()):
        _fire(manager, e, level, *args, **kwargs)


def _leave_to_the_end(manifest: Any, target_path: str, which: str | None = None) -> None:
    """Write nothing yet."""


def _write_manifest_if_changed(manifest: Any, target_path: str, which: str | None = None) -> None:
    """Write manifest.json and its like, unless all in them is as it was when they were written."""
    parsed, written = (
        _written_at(Path(target_path, name))
        for name in (PARTIAL_PARSE_FILE_NAME, MANIFEST_FILE_NAME)
    )
    is_as_parsed = parsed is not None and written is not None and parsed < written
    if not is_as_parsed or any(map(_is_compiled, manifest.nodes.values())):
        _write_manifest(manifest, target_path, which)


def _is_compiled(node: Any) -> bool:
    """Return whether this run compiled a node that it might have passed."""
    return getattr(node, "compiled", False) and is_skippable(node)


def _written_at(file: Path) -> int | None:
    return file.stat().st_mtime_ns if file.exists() else None
