"""The package gec-metrics with models of random weights: the same scores as without our adapter."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from maege.analysis.metrics.own.interface import NoScore
from maege.gec_metrics import GecMetric
from maege.neural import BertScore as OurBertScore

pytestmark = pytest.mark.skipif(
    find_spec("gec_metrics") is None,
    reason="gec-metrics is 6.5 GB, and not in the development environment",
)
SOURCES = ["the cat sit on mat .", "a dog , the dog", "she runs fast", "he go home now"]
HYPOTHESES = ["the cat sat on the mat .", "a dog , the dog", "fast", "he goes home"]
REFERENCES = [
    ["the cat sat on the mat .", "a cat sits on the mat ."],
    ["a dog and the dog", "a dog , the dog"],
    ["she runs fast", "she runs"],
    ["he goes home now", "he went home"],
]
TEXTS = [*SOURCES, *HYPOTHESES, *(text for texts in REFERENCES for text in texts)]
WORDS = sorted({word for text in TEXTS for word in text.split()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("models")
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    (folder / "vocab.txt").write_text("\n".join([*marks, *WORDS]))
    words = transformers.BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=128)
    size = {"vocab_size": len(words), "hidden_size": 16, "num_attention_heads": 2}
    size |= {"num_hidden_layers": 3, "intermediate_size": 32, "max_position_embeddings": 128}
    classifiers = ("grammer", "fluency", "meaning", "IMPARA-QE")
    for name in (*classifiers, "bert-base-cased"):
        labels = {"num_labels": 1} if name in classifiers else {}
        config = transformers.BertConfig(**size, **labels)
        kind = transformers.BertForSequenceClassification if labels else transformers.BertModel
        kind(config).save_pretrained(folder / name)
        words.save_pretrained(folder / name)
    unknown, ends = {"unk_token": "<unk>"}, {"bos_token": "<end>", "eos_token": "<end>"}
    vocabulary = {word: number for number, word in enumerate(("<end>", "<unk>", *WORDS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, **unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **unknown, **ends
    ).save_pretrained(folder / "gpt2")
    transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(vocabulary), n_positions=32, n_embd=8, n_layer=2, n_head=2
        )
    ).save_pretrained(folder / "gpt2")
    return folder


def scores(metric: str, folder: Path | None = None, **settings: str) -> list[float]:
    adapter = GecMetric(metric, str(folder or ""), **settings)
    adapter.setup("cpu")
    inputs: dict[str, Any] = {"source": SOURCES, "hypothesis": HYPOTHESES, "references": REFERENCES}
    results = adapter.score_batch(**{name: inputs[name] for name in adapter.reads})
    return [
        float(score) for score in results if score is not None and not isinstance(score, NoScore)
    ]


def alone(scorer: Any, *, source: bool = True, references: bool = True) -> list[float]:
    scores = []
    for text, hypothesis, expected in zip(SOURCES, HYPOTHESES, REFERENCES, strict=True):
        inputs: dict[str, Any] = {"hypotheses": [hypothesis]}
        if source:
            inputs["sources"] = [text]
        if references:
            inputs["references"] = [[reference] for reference in expected]
        scores += scorer.score_sentence(**inputs)
    return scores


def test_counts_of_n_grams_and_edits() -> None:
    from gec_metrics.metrics import GLEU, GREEN, GLEUOfficial

    for of in (GLEU, GREEN, GLEUOfficial):
        assert scores(of.__name__) == pytest.approx(alone(of()), abs=1e-12)
    # Correct by one reference; no edit, as one reference; wrong by both; and one of two edits
    # correct with none missing: precision 1/2, recall 1.
    assert scores("errant") == pytest.approx([1, 1, 0, 1.25 * 0.5 / (0.25 * 0.5 + 1)], abs=1e-12)


def test_some_is_the_weighted_mean_of_three_models(folder: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    weights = {"grammer": 0.55, "fluency": 0.43, "meaning": 0.02}
    expected = [0.0] * len(SOURCES)
    tokenizer = AutoTokenizer.from_pretrained(folder / "fluency")
    for name, weight in weights.items():
        model = AutoModelForSequenceClassification.from_pretrained(folder / name).eval()
        for row, (source, hypothesis) in enumerate(zip(SOURCES, HYPOTHESES, strict=True)):
            texts = (source, hypothesis) if name == "meaning" else (hypothesis,)
            with torch.no_grad():
                logit = model(**tokenizer(*texts, return_tensors="pt")).logits.item()
            expected[row] += weight * (logit - 1) / 3
    assert scores("some", folder) == pytest.approx(expected, abs=1e-6)


def test_impara_takes_two_models_and_scribendi_a_causal_one(folder: Path) -> None:
    from gec_metrics.metrics import IMPARA, Scribendi

    names = {"model_qe": "IMPARA-QE", "model_se": "bert-base-cased"}
    places = {name: str(folder / place) for name, place in names.items()}
    scorer = IMPARA(IMPARA.Config(**places, no_cuda=True, threshold=0.5))
    adapted = scores("impara", folder, threshold="0.5")
    assert adapted == pytest.approx(alone(scorer, references=False), abs=1e-6)
    assert len(set(adapted)) > 2

    scorer = Scribendi(Scribendi.Config(model=str(folder / "gpt2"), no_cuda=True))
    adapted = scores("scribendi", folder / "gpt2")
    assert adapted == alone(scorer, references=False)
    assert adapted[1] == 0


def test_bertscore_and_pt_errant_take_an_encoder(folder: Path) -> None:
    from gec_metrics.metrics import BertScore

    encoder = folder / "bert-base-cased"
    config = BertScore.Config(model_type=str(encoder), num_layers=2, rescale_with_baseline=False)
    adapted = scores("bertscore", encoder, num_layers="2")
    assert adapted == pytest.approx(alone(BertScore(config), source=False), abs=1e-6)
    assert adapted[0] == pytest.approx(1, abs=1e-6)
    assert adapted[1] > adapted[2]
    weighed = scores("pt-errant", encoder, num_layers="2")
    # Like ERRANT, except for two edits with different weights.
    assert weighed[:3] == pytest.approx([1, 1, 0], abs=1e-6)
    assert 0 < weighed[3] < 1
    assert weighed[3] != pytest.approx(scores("errant")[3], abs=1e-3)


def test_our_bertscore_is_the_one_of_bert_score(folder: Path) -> None:
    encoder = folder / "bert-base-cased"
    for layer in ("1", "3"):
        ours = OurBertScore(str(encoder), layer)
        ours.setup("cpu")
        expected = scores("bertscore", encoder, num_layers=layer)
        assert ours.score_batch(HYPOTHESES, REFERENCES) == pytest.approx(expected, abs=1e-6)
