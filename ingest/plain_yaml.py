"""YAML reduced to mappings, lists and strings, with the line of every entry.

Tags (which could run code), aliases (which could expand without limit) and duplicate keys are
rejected. Types are not guessed: a system may be called NO and an annotator 0.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from maege.ingest.findings import Findings, quote
from maege.ingest.reading import NO_TEXT, TextFile
from maege.names import did_you_mean

Location = tuple[str | int, ...]
Plain = str | list["Plain"] | dict[str, "Plain"] | None
PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")
)  # what a loader without type guessing gives to untagged nodes


@dataclass
class Document:
    """The content, and the line of each entry by its path of keys and positions."""

    shown: str
    content: Plain = None
    lines: dict[Location, int] = field(default_factory=dict)

    def line(self, location: Location) -> int:
        """Return the line of the entry, or of the nearest entry around it."""
        nearest: Location = ()
        for part in location:
            if (*nearest, part) in self.lines:
                nearest = (*nearest, part)
        return self.lines.get(nearest, 1)


def read_yaml(file: TextFile, findings: Findings) -> Document | None:
    text = "\n".join(file.lines)
    document = Document(file.shown)
    try:
        for event in yaml.parse(text, Loader=yaml.BaseLoader):
            if isinstance(event, yaml.AliasEvent):
                raise _fault("an alias (*name)", event)
        root = yaml.compose(text, Loader=yaml.BaseLoader)
        if not isinstance(root, yaml.MappingNode):
            raise _fault("no mapping of keys and values", root)
        document.content = _plain(root, (), document.lines)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        findings.add(
            file.shown,
            mark.line + 1 if mark else 0,
            getattr(error, "problem", None) or str(error).splitlines()[0],
            "YAML of keys and values: mappings, lists and texts",
            "Correct the indentation, the colons and brackets. Use spaces instead of tabs, each "
            "key once, and no tags and aliases.",
        )
        return None
    return document


def _fault(problem: str, place: yaml.Node | yaml.Event | None) -> yaml.MarkedYAMLError:
    mark = place.start_mark if place else yaml.Mark("", 0, 0, 0, "", 0)
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)  # type: ignore[arg-type]


def _plain(node: yaml.Node, location: Location, lines: dict[Location, int]) -> Plain:
    lines.setdefault(location, node.start_mark.line + 1)
    if node.tag not in PLAIN_TAGS:
        raise _fault(f"the tag {quote(node.tag)}", node)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*location, i), lines) for i, item in enumerate(node.value)]
    if isinstance(node, yaml.ScalarNode):
        if NO_TEXT.search(node.value):
            raise _fault(f"a zero byte or half of a UTF-16 pair in {quote(node.value)}", node)
        return str(node.value)
    content: dict[str, Plain] = {}
    for key_node, value_node in node.value:
        key = key_node.value
        if not isinstance(key, str) or key in content:
            raise _fault(f"the key {quote(str(key))}, a list or a repeated key", key_node)
        lines[*location, key] = key_node.start_mark.line + 1
        content[key] = _plain(value_node, (*location, key), lines)
    return content


def add_schema_findings(
    error: ValidationError,
    document: Document,
    findings: Findings,
    *,
    allowed: Callable[[Location], list[str]],
    expected: Callable[[ErrorDetails, str], str] = lambda _, message: message,
    page: str,
) -> None:
    """Add a finding for each fault; `allowed` returns the keys of a mapping at a location."""
    for details in error.errors():
        location: Location = details["loc"]
        key = str(location[-1]) if location else document.shown
        remedy = f"Correct the entry; {page} describes every key."
        match details["type"]:
            case "extra_forbidden":
                keys = allowed(location)
                found, expectation = f"the unknown key {quote(key)}", f"one of {', '.join(keys)}"
                remedy = did_you_mean(key, keys) or "Remove the key."
            case "missing":
                inside = f" in {'.'.join(map(str, location[:-1]))}" if location[:-1] else ""
                found, expectation = f"no key {quote(key)}{inside}", f"the key {key}"
                remedy = f"Add {key}: ...; {page} describes every key."
            case _:
                # An item of a list is named after the list.
                names = [part for part in location if isinstance(part, str) and part != "[key]"]
                found = _shown_value(details["input"], names[-1] if names else key)
                expectation = expected(details, details["msg"].removeprefix("Value error, "))
        line = document.line(location) if document.lines else 0
        findings.add(document.shown, line, found, expectation, remedy)


def _shown_value(value: object, key: str) -> str:
    if isinstance(value, str):
        return f"{quote(value)} at {key}"
    kind = "mapping" if isinstance(value, dict) else "list" if isinstance(value, list) else ""
    return f"{'a' if value else 'an empty'} {kind} at {key}" if kind else f"nothing at {key}"
