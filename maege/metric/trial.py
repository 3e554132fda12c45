"""`maege metric try`: score a few inputs, and estimate run time, memory and cost of scoring all."""

import math
import os
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from maege.analysis.metrics.own.declared import OwnMetric, find_metrics_file
from maege.analysis.metrics.own.family import described, hosting_of
from maege.analysis.metrics.own.interface import (
    FunctionError,
    Inputs,
    Scored,
    Unavailable,
    count,
    part_of,
    search_folders,
)
from maege.analysis.metrics.own.served import (
    Description,
    Server,
    device_of,
    n_processes,
    sorted_batches,
)
from maege.commands.corpus_commands import SAMPLE, source
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.metric.scores import NotBuiltError, Requested

# The output of the sample corpus that equals the source.
SOURCE = "INPUT.txt"
# Number of inputs of one call for the cost.
_ESTIMATED = 10_000
_UNITS = ("prompt_tokens", "completion_tokens", "usd")

Trial = dict[str, Any]


def try_metric(name: str, definition: OwnMetric, warehouse: Warehouse, n_inputs: int) -> Trial:
    """Score some inputs of the last build with a function or class; return cost and scores.

    The inputs are the same in each trial. If nothing is built, they are those of the sample corpus,
    and the total cost is not estimated. Numbers are in seconds, megabytes and US dollars; tokens
    and money of the tried inputs are those without stored answers. Raises WarehouseError if the
    metric cannot be loaded.
    """
    folders = search_folders(find_metrics_file())
    try:
        about = described(name, definition, folders)
        definition = definition.model_copy(update={"inputs": about.reads})
        device = device_of(about.device, 0)
        with Server(hosting_of(name, definition, folders), device) as server:
            setup = server.setup()
            # Estimated before scoring: afterwards the answers are stored and cost nothing.
            inputs, corpora = _read_build(warehouse, definition, n_inputs, server)
            cost = server.estimate(inputs)
            scored, rate = _timed(server, about, inputs)
            alone = _alone(server, about, inputs, scored)
            megabytes = server.peak_megabytes()
    except (FunctionError, Unavailable) as error:
        raise WarehouseError(f"{name}: {error}") from None
    processes = n_processes(about.processes, os.cpu_count() or 1)
    for corpus in corpora:
        for number in ("n_inputs", "n_inputs_first_draws"):
            # Processes are assumed not to slow each other down.
            corpus[f"hours_of_{number}"] = (setup + corpus[number] / rate / processes) / 3600
    good = [result.score for result in scored if result.failure is None]
    failures = [result.failure for result in scored if result.failure is not None]
    return {
        "metric": name,
        "n_tried": len(scored),
        "device": device,
        "setup_seconds": setup,
        "inputs_a_second": rate,
        "megabytes": megabytes,
        "lowest": min(good, default=None),
        "highest": max(good, default=None),
        "n_distinct": len(set(good)),
        "n_missing": len(failures),
        "failure": failures[0] if failures else None,
        "alone_or_in_batch": alone,
        **asdict(cost),
        "notice": about.notice,
        "processes": processes,
        "corpora": corpora,
        "warnings": _warnings(about, good, len(failures), alone, rate),
    }


def _read_build(
    warehouse: Warehouse, definition: OwnMetric, n_inputs: int, server: Server
) -> tuple[Inputs, list[dict[str, Any]]]:
    """Return some inputs of the last build, and the number and cost of all of each corpus."""
    if warehouse.build.is_file():
        with open_build(warehouse, read_only=True) as connection, suppress(NotBuiltError):
            requested = Requested(connection, definition)
            corpora = requested.corpora()
            for corpus in corpora:
                inputs = requested.texts(corpus=corpus["corpus"])
                n_first = corpus["n_inputs_first_draws"]
                costs = [
                    server.estimate(part_of(inputs, start, start + _ESTIMATED))
                    for start in range(0, n_first, _ESTIMATED)
                ]
                for unit in _UNITS:
                    total = sum(asdict(cost)[unit] for cost in costs)
                    corpus[f"{unit}_of_n_inputs"] = total * corpus["n_inputs"] / max(1, n_first)
                    corpus[f"{unit}_of_n_inputs_first_draws"] = total
            if corpora:
                return requested.texts(n_inputs), corpora
    return _sample_inputs(definition.inputs, n_inputs), []


def _sample_inputs(reads: Sequence[str], n_inputs: int) -> Inputs:
    def lines(path: Path) -> list[str]:
        return path.read_text("utf-8").splitlines()

    folder = source() / SAMPLE
    outputs = sorted(path for path in folder.glob("outputs/*.txt") if path.name != SOURCE)
    references = [lines(path) for path in sorted(folder.glob("references/*.txt"))]
    columns = {
        "source": lines(folder / "outputs" / SOURCE) * len(outputs),
        "hypothesis": [line for path in outputs for line in lines(path)],
        # The output of another system.
        "other": [line for path in (*outputs[1:], outputs[0]) for line in lines(path)],
        "references": list(zip(*references, strict=True)) * len(outputs),
    }
    rows = dict.fromkeys(zip(*(columns[name] for name in reads), strict=True))
    chosen = sorted(rows, key=lambda row: sha256(repr(row).encode()).digest())[:n_inputs]
    return {
        name: [list(text) if name == "references" else text for text in column]
        for name, column in zip(reads, zip(*chosen, strict=True), strict=True)
    }


def _timed(server: Server, about: Description, inputs: Inputs) -> tuple[list[Scored], float]:
    """Return results in the order of the inputs, and inputs per second after the first batch."""
    results: list[Scored] = [Scored(math.nan)] * count(inputs)
    paces = []
    for batch in sorted_batches(inputs, [0], about.batch_size):
        started = time.monotonic()
        for row, result in zip(batch.rows, server.score(batch.inputs, about.seconds), strict=True):
            results[row] = result
        paces.append((time.monotonic() - started) / len(batch.rows))
    # The first call includes initialisation, and short texts alone would overestimate the speed.
    return results, 1 / max(statistics.fmean(paces[1:] or paces), 1e-9)


def _alone(
    server: Server, about: Description, inputs: Inputs, scored: Sequence[Scored]
) -> float | None:
    """Return the largest difference between scores computed alone and in a batch; None if none."""
    if about.batch_size == 1:
        return None
    rows = [row for row, result in enumerate(scored) if result.failure is None][:3]
    alone = [server.score(part_of(inputs, row, row + 1), about.seconds)[0] for row in rows]
    return max(
        (abs(result.score - scored[row].score) for row, result in zip(rows, alone, strict=True)),
        default=None,
    )


def _warnings(
    about: Description, good: Sequence[float], n_failed: int, alone: float | None, rate: float
) -> list[str]:
    warnings = []
    if len(set(good)) == 1:
        warnings.append("every input has the same score")
    if good and n_failed > 0.01 * (len(good) + n_failed):
        warnings.append("more than 1 % of the inputs have no score: sentences will be excluded")
    # Rounding errors that depend on the order within a batch are about 1e-7.
    if alone is not None and not alone <= 1e-6:
        warnings.append(
            f"a score differs by {alone:.1g} depending on the other inputs of its batch"
        )
    if about.batch_size / rate > about.seconds / 2:
        warnings.append(
            f"a batch takes {about.batch_size / rate:.0f} seconds, and the limit is "
            f"{about.seconds:.0f}: lower batch_size, or raise seconds in metrics.yml"
        )
    return warnings


def shown(trial: Trial) -> list[str]:
    """Return the output lines for the terminal."""
    n_tried, n_missing = trial["n_tried"], trial["n_missing"]
    lines = [f"{trial['metric']}: {n_tried} inputs on {trial['device']}"]
    if n_missing == n_tried:
        failed = f"{trial['metric']} failed at all {n_tried} inputs. The first: {trial['failure']}"
        lines.insert(0, failed)
    if trial["notice"]:
        lines.append(f"  {trial['notice']}")
    memory = "" if trial["megabytes"] is None else f"; {trial['megabytes']:,.0f} MB per process"
    lines.append(
        f"  set-up {trial['setup_seconds']:.1f} s, then {trial['inputs_a_second']:,.1f} inputs per "
        f"second{memory}"
    )
    if n_missing < n_tried:
        lines.append(
            f"  scores {trial['lowest']:.3f} to {trial['highest']:.3f}, {trial['n_distinct']} "
            f"distinct; missing {n_missing} ({n_missing / n_tried:.1%})"
            + (f": {trial['failure']}" if n_missing else "")
        )
    if trial["alone_or_in_batch"] is not None:
        lines.append(f"  scores alone and in a batch differ by {trial['alone_or_in_batch']:.1g}")
    for corpus in trial["corpora"]:
        lines.append(
            f"  {corpus['corpus']}: {corpus['n_sentences']:,} sentences, {trial['processes']} "
            f"process{'es' if trial['processes'] > 1 else ''}"
        )
        for number, design in (
            ("n_inputs_first_draws", "as in a build"),
            ("n_inputs", "with all draws"),
        ):
            if number == "n_inputs" and corpus[number] == corpus["n_inputs_first_draws"]:
                continue
            lines.append(
                f"    {design}: {corpus[number]:,} inputs, {_time(corpus[f'hours_of_{number}'])}"
                + _money(*(corpus[f"{unit}_of_{number}"] for unit in _UNITS))
            )
    if not trial["corpora"]:
        lines.append(
            "  nothing is built here: these are inputs of the sample corpus; the total cost can be "
            "estimated after maege build"
        )
    return lines + [f"  WARNING {warning}" for warning in trial["warnings"]]


def _time(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{math.ceil(hours * 60)} min"


def _money(prompt_tokens: float, completion_tokens: float, usd: float) -> str:
    if not (prompt_tokens or completion_tokens or usd):
        return ""
    return (
        f", {prompt_tokens / 1e6:.2f} M tokens sent and {completion_tokens / 1e6:.2f} M answered, "
        f"{usd:,.2f} USD"
    )
