"""`maege metric try`: score a few inputs, and estimate run time, memory and cost of scoring all."""

import math
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb

from maege.analysis.metrics.own.batches import n_processes, sorted_batches
from maege.analysis.metrics.own.family import function_hosting, hosting_of, log_of
from maege.analysis.metrics.own.functions import (
    FunctionError,
    Inputs,
    Scored,
    count,
    part_of,
    search_folders,
)
from maege.analysis.metrics.own.interface import Cost, Unavailable
from maege.analysis.metrics.own.served import Description, Hosting, Server, device_of
from maege.commands.corpus_commands import SAMPLE, source
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.readings import suspicions_of_corpus
from maege.ingest.text_checks import INGESTED, add_suspicions
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.metric.asked_inputs import (
    ALL_DRAWS,
    Affordable,
    AskedInputs,
    Choice,
    Corpus,
    Limits,
    NotBuiltError,
    Step,
    affordable,
    steps_of,
    total,
)
from maege.metric.file import read_own_metrics
from maege.names import did_you_mean

# Larger than rounding errors, about 1e-7, that depend on the order within a batch.
_SAME = 1e-6
_MOST_MISSING = 0.01
# The output of the sample corpus that equals the source.
SOURCE = "INPUT.txt"


@dataclass(frozen=True)
class Options:
    """Options of a trial: the number of inputs to score, and how to estimate the total cost.

    `workers` are worker processes of a build. `seconds` replaces the time limit of the class.
    `choice` selects the inputs for the estimate; a class declares its inputs itself. With `force`,
    corpora whose texts look wrong are used.
    """

    sample: int = 128
    workers: int = 1
    seconds: float | None = None
    choice: Choice = field(default_factory=Choice)
    limits: Limits = field(default_factory=Limits)
    force: bool = False


@dataclass(frozen=True)
class Trial:
    """Cost and scores of a few inputs, in seconds, megabytes and US dollars.

    Tokens and money are those of the tried inputs without stored answers. `steps` has those of all
    inputs of the first draws.
    """

    metric: str
    n_tried: int
    device: str
    setup_seconds: float
    inputs_a_second: float
    megabytes: float | None
    lowest: float | None
    highest: float | None
    n_distinct: int
    n_missing: int
    failure: str | None
    alone_or_in_batch: float | None
    prompt_tokens: float
    completion_tokens: float
    usd: float
    notice: str
    processes: int
    corpora: tuple[Corpus, ...]
    warnings: tuple[str, ...]
    steps: tuple[Step, ...]
    options: Options

    @property
    def failed(self) -> bool:
        """Whether no input has a score."""
        return self.n_missing == self.n_tried

    def hours(self, n_inputs: int) -> float:
        """Return the hours for a number of inputs, if processes do not slow each other down."""
        seconds = n_inputs / self.inputs_a_second / self.processes
        return (self.setup_seconds + seconds) / 3600

    def cost(self, corpus: Corpus) -> Cost:
        """Return the cost of the first draws of a corpus."""
        return total(step for step in self.steps if step.corpus == corpus.corpus)

    def affordable(self) -> Affordable | None:
        """Return the largest number of sentences within the limits; None if there is none."""
        if self.options.limits == Limits() or not self.steps:
            return None
        return affordable(self.steps, self.hours, self.options.limits)

    def as_dict(self) -> dict[str, Any]:
        """Return the trial as plain values for JSON, with the estimates of each corpus."""
        values = asdict(self)
        del values["steps"], values["options"]
        for record, corpus in zip(values["corpora"], self.corpora, strict=True):
            cost = self.cost(corpus)
            record["hours_of_n_inputs"] = self.hours(corpus.n_inputs)
            record["hours_of_n_inputs_first_draws"] = self.hours(corpus.n_inputs_first_draws)
            record["usd_of_n_inputs"] = cost.usd * _all_draws(corpus)
            record["usd_of_n_inputs_first_draws"] = cost.usd
        within = self.affordable()
        values["affordable"] = None if within is None else asdict(within)
        return values


def try_metric(hosting: Hosting, warehouse: Warehouse, options: Options) -> Trial:
    """Score a sample of the inputs of the last build with a metric; return cost and scores.

    The sample is chosen by a hash of the texts, so that it is the same in each trial.

    Args:
        hosting: the class or function.
        warehouse: the warehouse with the build. If nothing is built, the inputs are those of the
            sample corpus, and the total cost is not estimated.
        options: options of the trial.

    Raises:
        WarehouseError: the metric cannot be loaded.
        BadInputError: texts of the last build look wrong.

    """
    suspicions = _check_corpora(warehouse, force=options.force)
    try:
        with Server(hosting) as server:
            description = server.describe()
        description = description._replace(seconds=options.seconds or description.seconds)
        choice = replace(options.choice, reads=description.reads)
        if hosting.reads and choice.draws is None:
            choice = replace(choice, draws=ALL_DRAWS)
        options = replace(options, choice=choice)
        corpora, inputs, sentences = _read_build(warehouse, choice, options.sample)
        device = device_of(description.device, 0)
        with Server(hosting, device) as server:
            setup = server.setup()
            # Estimated before scoring: afterwards the answers are stored and cost nothing.
            cost = server.estimate(inputs)
            steps = steps_of(sentences, server.estimate)
            scored, rate = _timed(server, description, inputs)
            alone = _alone(server, description, inputs, scored)
            megabytes = server.peak_megabytes()
    except (FunctionError, Unavailable) as error:
        raise WarehouseError(f"{hosting.metric}: {error}") from None
    good = [result.score for result in scored if result.failure is None]
    failures = [result.failure for result in scored if result.failure is not None]
    warnings = [f"{suspicion.place}: {suspicion.found}" for suspicion in suspicions]
    warnings += _warnings(description, good, failures, alone, rate)
    if cost == Cost() and total(steps) != Cost():
        warnings.append("these inputs have stored answers: hours are those of reading them")
    if options.limits.usd < math.inf and steps and not total(steps).usd:
        warnings.append("the metric estimates no cost in money, so the budget has no effect")
    return Trial(
        metric=hosting.metric,
        n_tried=len(scored),
        device=device,
        setup_seconds=setup,
        inputs_a_second=rate,
        megabytes=megabytes,
        lowest=min(good, default=None),
        highest=max(good, default=None),
        n_distinct=len(set(good)),
        n_missing=len(failures),
        failure=failures[0] if failures else None,
        alone_or_in_batch=alone,
        **asdict(cost),
        notice=description.notice,
        processes=n_processes(description.processes, options.workers),
        corpora=tuple(corpora),
        warnings=tuple(warnings),
        steps=tuple(steps),
        options=options,
    )


def _check_corpora(warehouse: Warehouse, *, force: bool) -> Findings:
    """Return findings about the texts of the last build; raise BadInputError unless forced.

    Findings that were accepted at ingest are ignored.
    """
    findings = Findings()
    if warehouse.build.is_file():
        with open_build(warehouse, read_only=True) as connection, suppress(duckdb.CatalogException):
            rows = connection.execute("select corpus from raw.corpora order by corpus").fetchall()
            for (corpus,) in rows:
                add_suspicions(suspicions_of_corpus(connection, corpus), INGESTED, findings)
    if len(findings) and not force:
        raise BadInputError(findings)
    return findings


def hosting_to_try(
    target: str,
    parameters: dict[str, str],
    inputs: str | None,
    python: Path | None,
    metrics_file: Path,
) -> Hosting:
    """Return the function or class to try: MODULE:OBJECT, or a metric of metrics.yml.

    Raises WarehouseError if metrics.yml has no function or class with that name.
    """
    folders = search_folders(metrics_file)
    reads = tuple(name.strip() for name in (inputs or "").split(",") if name.strip())
    if ":" in target:
        interpreter = None if python is None else str(python.absolute())
        arguments = tuple(parameters.items())
        return Hosting(target, folders, arguments, log_of("metric_try"), interpreter, reads)
    metrics = read_own_metrics(metrics_file)
    definition = metrics.get(target)
    if definition is None or not (definition.metric_class or definition.function):
        near = did_you_mean(target, metrics)
        raise WarehouseError(
            f"{metrics_file} has no class or function {target}. "
            f"{near or 'Name one as MODULE:OBJECT'}"
        )
    if definition.metric_class:
        return hosting_of(target, definition, folders)
    return function_hosting(target, definition, folders)


def _timed(server: Server, description: Description, inputs: Inputs) -> tuple[list[Scored], float]:
    """Return results in the order of the inputs, and inputs per second after the first batch."""
    n_inputs = count(inputs)
    results: list[Scored] = [Scored(math.nan)] * n_inputs
    paces = []
    for batch in sorted_batches(inputs, [0], description.batch_size):
        started = time.monotonic()
        for row, result in zip(
            batch.rows, server.score(batch.inputs, description.seconds), strict=True
        ):
            results[row] = result
        paces.append((time.monotonic() - started) / len(batch.rows))
    # The first call includes initialisation, and short texts alone would overestimate the speed.
    pace = statistics.fmean(paces[1:] or paces)
    return results, 1 / max(pace, 1e-9)


def _alone(
    server: Server, description: Description, inputs: Inputs, scored: Sequence[Scored]
) -> float | None:
    """Return the largest difference between scores computed alone and in a batch; None if none."""
    if description.batch_size == 1:
        return None
    rows = [row for row, result in enumerate(scored) if result.failure is None][:3]
    rescored = [
        (row, server.score(part_of(inputs, row, row + 1), description.seconds)[0]) for row in rows
    ]
    return max((abs(result.score - scored[row].score) for row, result in rescored), default=None)


def _warnings(
    description: Description,
    good: Sequence[float],
    failures: Sequence[str],
    alone: float | None,
    rate: float,
) -> list[str]:
    warnings = []
    if len(set(good)) == 1:
        warnings.append("every input has the same score")
    if good and len(failures) > _MOST_MISSING * (len(good) + len(failures)):
        warnings.append("more than 1 % of the inputs have no score: sentences will be excluded")
    if alone is not None and not alone <= _SAME:
        warnings.append(
            f"a score differs by {alone:.1g} depending on the other inputs of its batch"
        )
    if description.batch_size / rate > description.seconds / 2:
        warnings.append(
            f"a batch takes {description.batch_size / rate:.0f} seconds, and the limit is "
            f"{description.seconds:.0f}: lower batch_size, or raise --seconds"
        )
    return warnings


def _read_build(
    warehouse: Warehouse, choice: Choice, sample: int
) -> tuple[list[Corpus], Inputs, list[tuple[str, int, Inputs]]]:
    """Return the corpora of the last build, some inputs, and the inputs that each sentence adds.

    If nothing is built, return only inputs of the sample corpus.
    """
    if warehouse.build.is_file():
        with open_build(warehouse, read_only=True) as connection, suppress(NotBuiltError):
            requested = AskedInputs(connection, choice)
            if corpora := requested.corpora():
                return corpora, requested.texts(sample), list(requested.by_sentence())
    return [], _sample_inputs(choice.reads, sample), []


def _sample_inputs(reads: Sequence[str], sample: int) -> Inputs:
    """Return distinct inputs of the sample corpus in the package, in the order of a hash."""

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
    chosen = sorted(rows, key=lambda row: sha256(repr(row).encode()).digest())[:sample]
    return {
        name: [list(text) if name == "references" else text for text in column]
        for name, column in zip(reads, zip(*chosen, strict=True), strict=True)
    }


def shown(trial: Trial) -> list[str]:
    """Return the output lines for the terminal."""
    lines = [
        f"{trial.metric}: {trial.n_tried} inputs on {trial.device}",
        f"  set-up {trial.setup_seconds:.1f} s, then {trial.inputs_a_second:,.1f} inputs per second"
        + ("" if trial.megabytes is None else f"; {trial.megabytes:,.0f} MB per process"),
    ]
    if trial.notice:
        lines.insert(1, f"  {trial.notice}")
    if trial.failed:
        lines.insert(
            0, f"{trial.metric} failed at all {trial.n_tried} inputs. The first: {trial.failure}"
        )
    if trial.lowest is not None and trial.highest is not None:
        lines.append(
            f"  scores {trial.lowest:.3f} to {trial.highest:.3f}, {trial.n_distinct} distinct"
        )
    if trial.n_missing and not trial.failed:
        lines.append(
            f"  missing {trial.n_missing} ({trial.n_missing / trial.n_tried:.1%}): {trial.failure}"
        )
    if trial.alone_or_in_batch is not None:
        lines.append(f"  scores alone and in a batch differ by {trial.alone_or_in_batch:.1g}")
    processes = f"{trial.processes} process{'es' if trial.processes > 1 else ''}"
    for corpus in trial.corpora:
        scope = " of the sample" if trial.options.choice.sample_sentences else ""
        lines.append(f"  {corpus.corpus}, {corpus.n_sentences:,} sentences{scope}, in {processes}:")
        for inputs, design, share in _designs(corpus, trial.options.choice):
            lines.append(
                f"    {design}: {inputs:,} inputs, {_time(trial.hours(inputs))}"
                + _money(trial.cost(corpus), share)
            )
    if (within := trial.affordable()) is not None:
        lines.append(_within(within))
    if not trial.corpora:
        lines.append(
            "  nothing is built here: these are inputs of the sample corpus; the total cost can be "
            "estimated after maege build"
        )
    lines += [f"  WARNING {warning}" for warning in trial.warnings]
    return lines


def _designs(corpus: Corpus, choice: Choice) -> list[tuple[int, str, float]]:
    n_first = corpus.n_inputs_first_draws
    if "other" in choice.reads:
        return [(n_first, "steps in both orders (as in a build)", 1.0)]
    if choice.draws == ALL_DRAWS:
        return [(n_first, "all draws (as in a build)", 1.0)]
    number = f"{choice.draws} " if choice.draws else ""
    first = "first draw" if choice.draws == 1 else f"first {number}draws"
    return [
        (n_first, f"{first} (as in a build)", 1.0),
        (corpus.n_inputs, "all draws", _all_draws(corpus)),
    ]


def _time(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{math.ceil(hours * 60)} min"


def _money(cost: Cost, share: float = 1) -> str:
    if cost == Cost():
        return ""
    return (
        f", {cost.prompt_tokens * share / 1e6:.2f} M tokens asked and "
        f"{cost.completion_tokens * share / 1e6:.2f} M answered, {cost.usd * share:,.2f} USD"
    )


def _all_draws(corpus: Corpus) -> float:
    return corpus.n_inputs / max(1, corpus.n_inputs_first_draws)


def _within(largest: Affordable) -> str:
    if not largest.n_sentences:
        return "  within the limits: not even one sentence of each corpus"
    sentences = f"{largest.n_sentences:,} sentences of each corpus (--sample-sentences)"
    return (
        f"  within the limits: {'all sentences' if largest.is_all else sentences}, "
        f"{largest.n_inputs:,} inputs, {_time(largest.hours)}, {largest.usd:,.2f} USD"
    )
