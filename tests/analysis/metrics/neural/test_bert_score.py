"""BERTScore against a plain computation, token by token, with a model of random weights."""

import math
from pathlib import Path
from typing import Any

import pytest

from maege.analysis.metrics.own.interface import NoScore, Unavailable
from maege.neural import BertScore

GIGABYTES = "torch and transformers are gigabytes, and not in the development environment"
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["the", "cat", "sat", "on", "a", "mat"]


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    torch = pytest.importorskip("torch", reason=GIGABYTES)
    transformers = pytest.importorskip("transformers", reason=GIGABYTES)
    torch.manual_seed(1)
    (tmp_path / "vocab.txt").write_text("\n".join([*MARKS, *WORDS]))
    folder = tmp_path / "tiny"
    transformers.BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(MARKS) + len(WORDS),
        hidden_size=8,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=10,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def vectors(folder: Path, text: str, layer: int) -> list[list[float]]:
    import torch
    from transformers import AutoModel

    numbers = {word: number for number, word in enumerate([*MARKS, *WORDS])}
    ids = [numbers[word] for word in ("[CLS]", *text.split(), "[SEP]")]
    with torch.no_grad():
        states = AutoModel.from_pretrained(folder).eval()(
            torch.tensor([ids]), output_hidden_states=True
        )
    states_of_tokens: list[list[float]] = states.hidden_states[layer][0].tolist()
    return states_of_tokens


def cosine(a: list[float], b: list[float]) -> float:
    return math.fsum(map(float.__mul__, a, b)) / math.hypot(*a) / math.hypot(*b)


def f1(hypothesis: list[list[float]], reference: list[list[float]]) -> float:
    """Return F1, in which special tokens may be matched but are not counted."""

    def mean(tokens: list[list[float]], targets: list[list[float]]) -> float:
        return math.fsum(max(cosine(x, y) for y in targets) for x in tokens[1:-1]) / (
            len(tokens) - 2
        )

    precision, recall = mean(hypothesis, reference), mean(reference, hypothesis)
    return 2 * precision * recall / (precision + recall)


def scorer(folder: Path, layer: str = "") -> Any:
    metric = BertScore(str(folder), layer)
    metric.setup("cpu")
    return metric


def test_the_best_reference_counts_in_the_layer_that_is_asked_for(encoder: Path) -> None:
    text, references = "the cat sat", ["a cat sat on the mat", "mat on"]
    for layer in (2, 3):
        hypothesis = vectors(encoder, text, layer)
        expected = max(f1(hypothesis, vectors(encoder, other, layer)) for other in references)
        metric = scorer(encoder, "" if layer == 3 else str(layer))
        # In a batch with shorter and longer texts.
        scores = metric.score_batch(
            ["on", text, "a mat"], [["a cat on the mat"], references, ["a mat", "the"]]
        )
        assert scores[1] == pytest.approx(expected, abs=1e-5)
        assert scores[2] == pytest.approx(1, abs=1e-5)
        assert scores[0] < 1


def test_what_has_no_token_has_no_score(encoder: Path) -> None:
    scores = scorer(encoder).score_batch(["", "cat", "cat"], [["cat"], [""], ["", "cat"]])
    assert scores[0] == NoScore("the text has no token")
    assert scores[1] == NoScore("no reference has a token")
    assert scores[2] == pytest.approx(1, abs=1e-5)


def test_a_text_is_cut_where_the_window_ends(encoder: Path) -> None:
    metric = scorer(encoder)
    # Ten positions, two of them special tokens.
    long, cut = " ".join(["cat"] * 12), " ".join(["cat"] * 8)
    assert metric.score_batch([long], [["the mat"]]) == metric.score_batch([cut], [["the mat"]])


def test_a_layer_or_folder_that_is_not_there_is_named(encoder: Path) -> None:
    with pytest.raises(Unavailable, match="layer is 4: expected one of 1 to 3"):
        scorer(encoder, "4")
    signature = BertScore(str(encoder)).signature()
    (encoder / "config.json").unlink()
    assert BertScore(str(encoder)).signature() != signature
    with pytest.raises(Unavailable, match=r"tiny: expected .* found no config\.json"):
        scorer(encoder)
