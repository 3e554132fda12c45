"""YAML reduced to mappings, lists and strings, with the line of every entry.

Tags (which could run code), aliases (which could expand without limit) and duplicate keys are
rejected. Types are not guessed: a system may be called NO and an annotator 0.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from maege.ingest.findings import Findings, quote
from maege.ingest.reading import NO_TEXT, TextFile
from maege.names import did_you_mean
from maege.visible import code

Location = tuple[str | int, ...]
Plain = str | list["Plain"] | dict[str, "Plain"] | None
PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")
)  # what a loader without type guessing gives to untagged nodes

# pydantic's form of a value of a fixed set.
_LITERAL = re.compile("'([^']*)'")


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
    """Return the document in the file; None and a finding if it is not YAML.

    Faults inside the document become findings, and the faulty entries are skipped.
    """
    try:
        root = yaml.compose("\n".join(file.lines), Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        _add_syntax_finding(file.shown, line, str(error.problem), findings)
        return None
    except yaml.reader.ReaderError as error:
        line = "\n".join(file.lines).count("\n", 0, error.position) + 1
        _add_syntax_finding(file.shown, line, "a character YAML does not allow", findings)
        return None
    except RecursionError:
        _add_syntax_finding(file.shown, 0, "hundreds of nested levels", findings)
        return None
    document = Document(file.shown)
    if not isinstance(root, yaml.MappingNode):
        findings.add(
            file.shown,
            1,
            "an empty file" if root is None else "no mapping",
            "keys and values: corpus: ..., title: ..., and so on",
            "Write the manifest as docs/corpora.md shows it.",
        )
        return None
    document.content = _Walk(document, findings).value(root, ())
    return document


def _add_syntax_finding(shown: str, line: int, problem: str, findings: Findings) -> None:
    findings.add(
        shown,
        line,
        problem,
        "YAML",
        "Correct the indentation, the colons and brackets, and use spaces instead of tabs.",
    )


class _Walk:
    def __init__(self, document: Document, findings: Findings) -> None:
        self._document = document
        self._findings = findings
        self._seen: set[int] = set()

    def value(self, node: yaml.Node, location: Location) -> Plain:
        line = node.start_mark.line + 1
        self._document.lines.setdefault(location, line)
        if id(node) in self._seen:
            self._add(line, "an alias (*name)", "Write the value out where it is used.")
            return None
        self._seen.add(id(node))
        if node.tag not in PLAIN_TAGS:
            self._add(line, f"the tag {quote(node.tag)}", "Remove the tag.")
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*location, i)) for i, item in enumerate(node.value)]
        text = str(node.value)
        if match := NO_TEXT.search(text):
            self._add(
                line,
                f"the character {code(match[0])} in {quote(text)}",
                "Remove the character.",
                expected="characters of a text or a path",
            )
            return None
        return text

    def _mapping(self, node: yaml.MappingNode, location: Location) -> dict[str, Plain]:
        mapping: dict[str, Plain] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag not in PLAIN_TAGS:
                self._add(line, "a key that is not a plain name", "Write the key as a plain name.")
                continue
            key = key_node.value
            if key in mapping:
                first = self._document.lines[(*location, key)]
                self._add(
                    line,
                    f"the key {quote(key)} a second time; the first is on line {first}",
                    "Remove or rename one of the two.",
                    expected="each key once",
                )
                continue
            self._document.lines[(*location, key)] = line
            mapping[key] = self.value(value_node, (*location, key))
        return mapping

    def _add(
        self, line: int, found: str, remedy: str, expected: str = "plain mappings, lists and values"
    ) -> None:
        self._findings.add(self._document.shown, line, found, expected, remedy)


def add_schema_findings(
    error: ValidationError,
    document: Document,
    findings: Findings,
    *,
    allowed: Callable[[Location], list[str]],
    expected: Callable[[ErrorDetails, str], str],
    page: str,
) -> None:
    """Add a finding with its line for each fault of a document against its schema.

    Args:
        error: the validation error from pydantic.
        document: the YAML document with the line of each entry.
        findings: the list that the faults are added to.
        allowed: returns the keys of the mapping at a location.
        expected: returns what is expected at an entry, given the details and pydantic's message.
        page: the page that describes the keys.

    """
    add = findings.about(document.shown)
    for details in error.errors():
        location: Location = details["loc"]
        key = str(location[-1]) if location else document.shown
        line = document.line(location) if document.lines else 0
        match details["type"]:
            case "extra_forbidden":
                keys = allowed(location)
                add(
                    line,
                    f"the unknown key {quote(key)}",
                    f"one of {', '.join(keys)}",
                    did_you_mean(key, keys) or "Remove the key.",
                )
            case "missing":
                inside = ".".join(map(str, location[:-1]))
                add(
                    line,
                    f"no key {quote(key)}" + (f" in {inside}" if inside else ""),
                    f"the key {key}",
                    f"Add {key}: ...; {page} describes every key.",
                )
            case kind:
                key = str(location[-2]) if key == "[key]" else key
                message = details["msg"].removeprefix("Value error, ")
                message = message.removeprefix("Input should be ")
                values = _LITERAL.findall(message) if kind == "literal_error" else []
                add(
                    line,
                    _shown_value(key, details["input"]),
                    expected(details, message),
                    did_you_mean(str(details["input"]), values)
                    or f"Correct the entry; {page} describes every key.",
                )


def _shown_value(key: str, value: object) -> str:
    match value:
        case str():
            return f"{quote(value)} at {key}"
        case list() | dict():
            form = "mapping" if isinstance(value, dict) else "list"
            return f"{'a' if value else 'an empty'} {form} at {key}"
        case _:
            return f"nothing at {key}"
