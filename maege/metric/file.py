"""Read and write metrics.yml for `maege metric`; every fault is reported with its line."""

from collections.abc import Mapping
from pathlib import Path

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from maege.analysis.metrics.language_models.causal import count_unigrams
from maege.analysis.metrics.language_models.interface import file_hash
from maege.analysis.metrics.own.declared import MetricsFile, OwnMetric
from maege.analysis.metrics.own.interface import INPUTS
from maege.analysis.metrics.referenceless.fluency import load_model, missing_package
from maege.ingest.findings import BadInputError, Findings, quote
from maege.ingest.plain_yaml import Document, Plain, add_schema_findings, read_yaml
from maege.ingest.reading import read_text
from maege.whole_files import write_whole

HEADER = "# User metrics and LanguageTool: written by `maege metric` and `maege languagetool`.\n"
EXPECTED = {
    "bool_parsing": "true or false",
    "dict_type": "a mapping: {name: value}",
    "list_type": "a list: [source, hypothesis]",
    "literal_error": f"some of {', '.join(INPUTS)}",
    "model_type": "the keys of a metric: inputs and, for a function, function",
    "string_type": "one value",
    "too_short": "at least one entry",
}
EXPECTED_PATTERN = {
    "function": "package.module:function",
    "metric_class": "package.module:Class",
    "sha256": "64 hexadecimal digits",
    "[key]": "a name of a-z, 0-9 and _ that starts with a letter",
}


def read_own_metrics(path: Path) -> dict[str, OwnMetric]:
    """Return the metrics by name, empty without a file; raise BadInputError on faults.

    Functions are not imported, so errors in their modules are not found.
    """
    return _read(path).metrics


def languagetool_in(path: Path) -> bool:
    """Return whether the file enables LanguageTool's metrics; raise BadInputError on faults."""
    return _read(path).languagetool


def set_languagetool(path: Path, *, is_enabled: bool) -> bool:
    """Enable or disable LanguageTool's metrics in the file; return whether that is a change.

    Raises BadInputError if the file has faults.
    """
    content = _read(path)
    if content.languagetool == is_enabled:
        return False
    _write(path, content.model_copy(update={"languagetool": is_enabled}))
    return True


def _read(path: Path) -> MetricsFile:
    if not path.exists():
        return MetricsFile()
    findings = Findings()
    file = read_text(path, findings)
    if file is None:
        raise BadInputError(findings)
    if not any(line.strip() and not line.startswith("#") for line in file.lines):
        return MetricsFile()
    document = read_yaml(file, findings)
    if document is None or len(findings):
        raise BadInputError(findings)
    return _validated(document, findings)


def parse_own_metric(name: str, entry: dict[str, object]) -> OwnMetric:
    """Return a metric given on the command line; raise BadInputError on faults."""
    written: dict[str, Plain] = {"metrics": {name: entry}}  # type: ignore[dict-item]
    return _validated(Document("maege metric add", written), Findings()).metrics[name]


def _validated(document: Document, findings: Findings) -> MetricsFile:
    try:
        content = MetricsFile.model_validate(document.content)
    except ValidationError as error:
        add_schema_findings(
            error,
            document,
            findings,
            allowed=lambda location: list(
                (OwnMetric if len(location) > 1 else MetricsFile).model_fields
            ),
            expected=_expected,
            page="maege metric add --help",
        )
        raise BadInputError(findings) from None
    for name in sorted(content.metrics.keys() & _built_in()):
        findings.add(
            document.shown,
            document.line(("metrics", name)) if document.lines else 0,
            f"the metric {quote(name)}",
            "a name different from those of built-in metrics",
            "Give the metric another name.",
        )
    if len(findings):
        raise BadInputError(findings)
    return content


def _built_in() -> set[str]:
    # Imported late: these imports take longer than most commands.
    from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
    from maege.analysis.metrics.registry import METRICS

    return {*METRICS, *GRAMMAR_METRICS}


def write_own_metrics(path: Path, metrics: Mapping[str, OwnMetric]) -> None:
    """Replace the metrics of the file in one step; default values are not written."""
    _write(path, _read(path).model_copy(update={"metrics": dict(metrics)}))


def _write(path: Path, content: MetricsFile) -> None:
    written: dict[str, object] = {"languagetool": True} if content.languagetool else {}
    written["metrics"] = {
        name: metric.model_dump(mode="json", exclude_defaults=True)
        for name, metric in content.metrics.items()
    }
    write_whole(HEADER + yaml.safe_dump(written, sort_keys=False, allow_unicode=True), path)


def _expected(details: ErrorDetails, message: str) -> str:
    location = details["loc"]
    key = str(location[-1]) if location else ""
    if details["type"] == "string_pattern_mismatch":
        if "languages" in location:
            return "a tag of BCP 47, such as en, uk or pt-BR"
        return EXPECTED_PATTERN.get(key, "a value without bars and line ends")
    if details["type"] == "literal_error" and "inputs" not in location:
        return message.replace("'", "")
    return EXPECTED.get(details["type"], message)


def declared_model(path: Path, unigrams: Path | None, metrics_file: Path) -> dict[str, object]:
    """Return the entry of a model in metrics.yml, after reading the whole model.

    Args:
        path: a file or a folder.
        unigrams: a text whose token counts are first written to the folder.
        metrics_file: path of metrics.yml; models next to it are stored as relative paths.

    Raises:
        ModelFileError: the model is missing or damaged, or a package to read it is missing.
        BadInputError: the text cannot be read.

    """
    # `load_model` raises an error if the package is missing.
    if unigrams is not None and missing_package(path) is None:
        findings = Findings()
        text = read_text(unigrams, findings)
        if text is None:
            raise BadInputError(findings)
        count_unigrams(path, text.lines)
    load_model(path)
    sha256 = file_hash(path)
    folder, absolute = metrics_file.resolve().parent, path.expanduser().resolve()
    inside = absolute.is_relative_to(folder)
    written = absolute.relative_to(folder) if inside else absolute
    return {"language_model": str(written), "sha256": sha256}
