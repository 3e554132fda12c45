"""Read and check metrics.yml for `maege metric`; every fault is reported with its line."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from maege.analysis.metrics.fluency import load_model
from maege.analysis.metrics.model_files import ModelFileError
from maege.analysis.metrics.own.declared import MetricsFile, OwnMetric, find_metrics_file
from maege.analysis.metrics.own.family import model_families, own_families
from maege.analysis.metrics.own.interface import INPUTS
from maege.ingest.findings import BadInputError, Findings, quote
from maege.ingest.plain_yaml import add_schema_findings, read_yaml
from maege.ingest.reading import read_text
from maege.ingest.warehouse import Warehouse, WarehouseError
from maege.metric.scores import ingested_metrics
from maege.names import did_you_mean
from maege.whole_files import write_whole

PAGE = "docs/your-metric.md"
JUDGE = "maege.analysis.metrics.judge.judge:Judge"
# Commands take metrics of one kind: what the entry of such a metric has, and a test for it.
KINDS: dict[str, tuple[str, Callable[[OwnMetric], object]]] = {
    "code": ("a function or metric_class", lambda metric: metric.function or metric.metric_class),
    "judge": (f"metric_class: {JUDGE}", lambda metric: metric.metric_class == JUDGE),
    "file": ("inputs, but no function, metric_class or language_model", attrgetter("by_file")),
}
EXPECTED = {
    "bool_parsing": "true or false",
    "dict_type": "a mapping: {name: value}",
    "list_type": "a list: [source, hypothesis]",
    "literal_error": f"some of {', '.join(INPUTS)}",
    "model_type": "the keys of a metric: inputs and, for a function, function",
    "string_type": "one value",
}
EXPECTED_PATTERN = {
    "function": "package.module:function",
    "metric_class": "package.module:Class",
    "sha256": "64 hexadecimal digits",
    "[key]": "a name of a-z, 0-9 and _ that starts with a letter",
}


def read_metrics_file(path: Path) -> MetricsFile:
    """Return the content of metrics.yml, empty without a file; raise BadInputError on faults.

    Functions are not imported, so errors in their modules are not found.
    """
    if not path.exists():
        return MetricsFile()
    findings = Findings()
    file = read_text(path, findings)
    if file and not any(line.strip() and not line.startswith("#") for line in file.lines):
        return MetricsFile()
    document = read_yaml(file, findings) if file else None
    if document is None or len(findings):
        raise BadInputError(findings)
    # Imported late: these imports take longer than most commands.
    from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
    from maege.analysis.metrics.registry import METRICS

    try:
        content = MetricsFile.model_validate(document.content)
    except ValidationError as error:
        add_schema_findings(
            error,
            document,
            findings,
            allowed=lambda place: [*(OwnMetric if len(place) > 1 else MetricsFile).model_fields],
            expected=_expected,
            page=PAGE,
        )
        raise BadInputError(findings) from None
    for name in sorted(content.metrics.keys() & {*METRICS, *GRAMMAR_METRICS}):
        findings.add(
            document.shown,
            document.line(("metrics", name)),
            f"the metric {quote(name)}",
            "a name different from those of built-in metrics",
            "Give the metric another name.",
        )
    if len(findings):
        raise BadInputError(findings)
    return content


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


def find_metric(name: str, kind: str | None = None) -> OwnMetric:
    """Return a metric of metrics.yml, of one of KINDS.

    Raises BadInputError if the file has faults or the metric is of another kind, and WarehouseError
    if there is no metric of that name.
    """
    path = find_metrics_file()
    metrics = read_metrics_file(path).metrics
    if name not in metrics:
        near = did_you_mean(name, metrics) or f"{PAGE} shows how to add one."
        raise WarehouseError(
            f"{path} has no metric {name}; it has: {', '.join(metrics) or 'none'}. {near}"
        )
    metric = metrics[name]
    expected, is_of_kind = KINDS[kind] if kind else ("", bool)
    if not is_of_kind(metric):
        findings = Findings()
        found = f"the metric {name}, scored by {scored_by(metric.model_dump())}"
        remedy = "Name another metric; maege metric check shows them."
        findings.add(str(path), 0, found, f"a metric with {expected}", remedy)
        raise BadInputError(findings)
    return metric


def scored_by(entry: Mapping[str, Any]) -> str:
    """Return the function, class or language model of an entry; a file without any."""
    kinds = ("function", "metric_class", "language_model")
    return next((str(entry[kind]) for kind in kinds if entry[kind]), "file")


def check_metrics(warehouse: Warehouse) -> dict[str, dict[str, Any]]:
    """Return the entry of each metric of metrics.yml, with `problem` and `notice`.

    `problem` says why a metric is not available and what to do, None if it is available. Functions
    are imported, classes are created in their processes, and language models are read.

    Raises BadInputError if the file has faults.
    """
    entries = read_metrics_file(find_metrics_file()).metrics
    problems: dict[str, str | None] = dict.fromkeys(entries)
    notices: dict[str, str] = dict.fromkeys(entries, "")
    for family in own_families():
        entries[family.metric] = family.definition
        notices[family.metric] = family.about.notice if family.about else ""
        if family.missing:
            problems[family.metric] = f"{family.missing.reason}; {family.missing.remedy}"
    for model in model_families():
        entry = entries[model.name]
        entries[model.name] = entry.model_copy(update={"inputs": ("hypothesis",)})
        try:
            load_model(model.path)
            if missing := model.missing():
                problems[model.name] = f"{missing.reason}; {missing.remedy}"
        except ModelFileError as error:
            problems[model.name] = str(error)
    for name, corpus in ingested_metrics(warehouse).items():
        if name in entries:
            problems[name] = f"corpus {corpus} has sentence scores of a metric {name}; rename yours"
    return {
        name: entry.model_dump(mode="json") | {"problem": problems[name], "notice": notices[name]}
        for name, entry in entries.items()
    }


def set_languagetool(path: Path, *, is_enabled: bool) -> bool:
    """Enable or disable LanguageTool's metrics in the file; return whether that is a change.

    All other lines are unchanged. Raises BadInputError if the file has faults.
    """
    if read_metrics_file(path).languagetool == is_enabled:
        return False
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = [line for line in lines if not line.startswith("languagetool:")]
    if is_enabled:
        lines.append("languagetool: true")
    write_whole("".join(f"{line}\n" for line in lines), path)
    return True
