"""Users' language models: an ARPA file, KenLM's binary format, and a transformer in a folder."""

import gzip
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from metric_requests import group
from small_corpus import maege

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.fluency import ModelFluency, ModelFluencyScore, load_model
from maege.analysis.metrics.language_models import (
    KENLM_MAGIC,
    UNIGRAMS,
    ArpaModel,
    CausalModel,
    KenlmModel,
    count_unigrams,
)
from maege.analysis.metrics.model_files import ModelFileError, file_hash
from maege.analysis.metrics.neural import Transformer
from maege.analysis.metrics.own.family import model_families
from maege.analysis.metrics.own.interface import NoScore, Unavailable
from maege.neural import LogP, Scribendi

ARPA = """
\\data\\
ngram 1=6
ngram 2=3
ngram 3=1

\\1-grams:
-99\t<s>\t-0.5
-1\t</s>
-0.8\tthe\t-0.3
-1.2\tcat\t-0.4
-1.5\tsat
-2\t<unk>

\\2-grams:
-0.2\t<s> the\t-0.1
-0.6\tthe cat\t-0.25
-0.7\tcat </s>

\\3-grams:
-0.3\t<s> the cat

\\end\\
"""


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.arpa"
    path.write_text(ARPA)
    return path


def family(path: Path, *, lower: bool = False) -> ModelFluency:
    return ModelFluency("fluency_tiny", path, file_hash(path), lower)


@pytest.mark.parametrize(
    ("text", "log10_pm", "log10_pu", "tokens", "unknown"),
    [
        # the | <s>: -.2; cat | <s> the: -.3; sat: backs off from `the cat` (-.25) and from `cat`
        # (-.4) to -1.5; the end: `cat sat` and `sat` have no weight, -1.
        ("the cat sat", -0.2 - 0.3 - 0.25 - 0.4 - 1.5 - 1, -0.8 - 1.2 - 1.5, 3, 0),
        # the end after `the cat`: -.25, then the bigram `cat </s>`.
        ("the cat", -0.2 - 0.3 - 0.25 - 0.7, -0.8 - 1.2, 2, 0),
        # cat | <s>: backs off by -.5; the | cat: by -.4; the end | cat the: by -.3.
        ("cat the", -0.5 - 1.2 - 0.4 - 0.8 - 0.3 - 1, -1.2 - 0.8, 2, 0),
        # After an unknown word the history is empty, then it fills again.
        ("the dog cat", -0.2 - 1.2 - 0.7, -0.8 - 1.2, 3, 1),
        # There is no end either, and the model's own unknown word is treated as unknown.
        ("the dog", -0.2, -0.8, 2, 1),
        ("the <unk>", -0.2, -0.8, 2, 1),
        ("The", 0, 0, 1, 1),
        # The end | <s>: backs off by -.5.
        ("", -0.5 - 1, 0, 0, 0),
    ],
)
def test_arpa_statistics_equal_those_added_up_by_hand(
    text: str, log10_pm: float, log10_pu: float, tokens: int, unknown: int, arpa: Path
) -> None:
    assert load_model(arpa).score([text])[0].tolist() == pytest.approx(
        [log10_pm, log10_pu, tokens, unknown], abs=1e-12
    )


def test_a_compressed_file_is_the_same_model(arpa: Path, tmp_path: Path) -> None:
    packed = tmp_path / "tiny.arpa.gz"
    packed.write_bytes(gzip.compress(ARPA.encode()))
    texts = ["the cat sat", "cat the"]
    np.testing.assert_array_equal(load_model(packed).score(texts), load_model(arpa).score(texts))
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(ModelFileError, match="the compressed file is damaged"):
        load_model(packed)


def test_a_model_of_single_words_has_no_history(tmp_path: Path) -> None:
    path = tmp_path / "words.arpa"
    path.write_text("\\data\\\nngram 1=3\n\n\\1-grams:\n-99 <s>\n-1 </s>\n-.5 a\n\\end\\\n")
    assert load_model(path).score(["a a"])[0].tolist() == pytest.approx([-2, -1, 2, 0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("-1.2\tcat\t-0.4", "-1.2\tcat\tlow", r"tiny\.arpa:11: expected a number .* found 'low'"),
        ("-1.2\tcat\t-0.4", "nan\tcat", r":11: expected a number in base 10, found 'nan'"),
        ("-0.6\tthe cat\t-0.25", "-0.6\tthe", r":17: expected a number and 2 words, found 2 parts"),
        ("-0.7\tcat </s>", "0.7\tcat </s>", r":18: expected a log10 probability of at most 0"),
        ("ngram 2=3", "ngram 2=4", r":19: expected 4 2-grams, found '' after 3"),
        ("ngram 2=3", "ngram 2=2", r":18: expected \\3-grams:, found '-0\.7"),
        ("ngram 2=3", "ngram 3=3", r":4: expected ngram 2=COUNT, found 'ngram 3=3'"),
        ("\\data\\", "data", r":2: expected \\data\\, found 'data'"),
        ("\n\\end\\\n", "\n", r"expected \\end\\, found the end of the file; it is truncated"),
        ("-0.3\t<s> the cat\n\n\\end\\\n", "", r"1 3-grams, found the end of the file after 0"),
        ("-1\t</s>", "-1\t</t>", r"expected <s> and </s> among the 1-grams, found no </s>"),
    ],
)
def test_a_damaged_file_is_refused_with_the_line(
    old: str, new: str, message: str, arpa: Path
) -> None:
    arpa.write_text(ARPA.replace(old, new))
    with pytest.raises(ModelFileError, match=message):
        load_model(arpa)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.bin"
    other.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelFileError, match="expected an ARPA file in UTF-8"):
        load_model(other)


def test_fluency_is_the_advantage_over_unigrams_by_token(arpa: Path) -> None:
    (statistics,) = family(arpa, lower=True).compute_batch([group("", "The CAT", ())])
    score = ModelFluencyScore(family(arpa)).sentence_scores({"fluency_tiny": statistics})
    # (-1.45 + 2) / 2
    assert score == pytest.approx([0.275])
    (statistics,) = family(arpa).compute_batch([group("", "The CAT", ())])
    assert statistics[0, 0].tolist() == [0, 0, 2, 2]


def test_two_models_are_two_signatures_and_a_changed_file_is_missing(arpa: Path) -> None:
    before = family(arpa)
    assert before.missing() is None
    arpa.write_text(ARPA.replace("-1.5", "-1.6"))
    missing = before.missing()
    assert missing is not None
    assert f"expected a file with SHA-256 {before.sha256}" in missing.reason
    assert "correct fluency_tiny in metrics.yml" in missing.remedy
    signatures = {f.signature() for f in (before, family(arpa), family(arpa, lower=True))}
    assert len(signatures) == 3
    assert all(s.startswith("fluency_tiny_statistics|model:tiny.arpa|") for s in signatures)
    arpa.unlink()
    missing = before.missing()
    assert missing is not None
    assert "found no such file" in missing.reason


def test_a_package_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maege.analysis.metrics.meaning.find_spec", lambda _: None)
    binary = tmp_path / "model.binary"
    binary.write_bytes(KENLM_MAGIC + b" format version 5\n\0")
    with pytest.raises(ModelFileError, match=r"kenlm is not installed.*pip install kenlm==0\.3\.0"):
        load_model(binary)
    with pytest.raises(ModelFileError, match="torch is not installed"):
        load_model(tmp_path)


def test_kenlm_says_the_same_of_all_short_texts(arpa: Path) -> None:
    pytest.importorskip("kenlm", reason="an extra that pip has to compile")
    words = ("the", "cat", "sat", "other", "<unk>")
    texts = [" ".join(text) for n in range(5) for text in product(words, repeat=n)]
    # KenLM also reads ARPA files, and computes with 32 bits.
    np.testing.assert_allclose(
        KenlmModel(arpa).score(texts), ArpaModel(arpa).score(texts), rtol=0, atol=1e-4
    )


def test_a_damaged_binary_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("kenlm", reason="an extra that pip has to compile")
    path = tmp_path / "damaged.binary"
    path.write_bytes(KENLM_MAGIC + b" format version 5\n\0" + bytes(30))
    with pytest.raises(ModelFileError, match=r"damaged\.binary: KenLM cannot read it"):
        load_model(path)


GIGABYTES = "torch and transformers are gigabytes, and not in the development environment"
WORDS = ("the", "cat", "sat", "on", "a", "mat")
UNKNOWN, END = {"unk_token": "<unk>"}, {"eos_token": "<end>"}


@pytest.fixture
def transformer(tmp_path: Path) -> Path:
    torch = pytest.importorskip("torch", reason=GIGABYTES)
    transformers = pytest.importorskip("transformers", reason=GIGABYTES)
    tokenizers = pytest.importorskip("tokenizers", reason=GIGABYTES)
    torch.manual_seed(1)
    vocabulary = {word: number for number, word in enumerate(("<end>", "<unk>", *WORDS))}
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, **UNKNOWN))
    words.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    folder = tmp_path / "tiny"
    transformers.PreTrainedTokenizerFast(tokenizer_object=words, **UNKNOWN, **END).save_pretrained(
        folder
    )
    config = transformers.GPT2Config(
        vocab_size=len(vocabulary), n_positions=8, n_embd=8, n_layer=2, n_head=2
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_a_transformers_statistics_equal_those_of_one_token_at_a_time(transformer: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    # the 3, cat 2, sat 1 of 6 tokens; `mat` is in the vocabulary but has no count.
    assert count_unigrams(transformer, ["the cat sat", "the cat", "the"]) == 6
    model = AutoModelForCausalLM.from_pretrained(transformer).eval()

    def log10_after(history: list[int], token: int) -> float:
        with torch.no_grad():
            logits = model(torch.tensor([history])).logits[0, -1].double()
        return float(torch.log_softmax(logits, dim=-1)[token]) / math.log(10)

    the, cat, mat = 2, 3, 7
    rows = CausalModel(transformer).score(["cat", "the mat cat", "", "the cat"])
    assert rows[1].tolist() == pytest.approx(
        [
            log10_after([0], the) + log10_after([0, the, mat], cat),
            math.log10(3 / 6) + math.log10(2 / 6),
            3,
            1,
        ],
        abs=1e-6,
    )
    assert rows[0].tolist() == pytest.approx(
        [log10_after([0], cat), math.log10(2 / 6), 1, 0], abs=1e-6
    )
    assert rows[2].tolist() == [0, 0, 0, 0]


def test_a_text_beyond_the_window_is_scored_window_by_window(transformer: Path) -> None:
    count_unigrams(transformer, [" ".join(WORDS)])
    long = [WORDS[place % 6] for place in range(17)]
    # Eight positions, the first of which is the special token.
    windows = [" ".join(long[start : start + 7]) for start in (0, 7, 14)]
    model = CausalModel(transformer)
    long_row, parts = model.score([" ".join(long)])[0], model.score(windows)
    assert long_row.tolist() == pytest.approx(parts.sum(axis=0).tolist(), abs=1e-5)
    assert long_row[2] == 17


def test_log_p_and_scribendi_take_a_folder(transformer: Path) -> None:
    metric = LogP(str(transformer))
    metric.setup("cpu")
    texts = ["the cat sat", "", "a mat"]
    model = Transformer(transformer, "cpu")
    ids = model.tokens(texts)
    alone = [model.log_p_of_tokens([text_ids])[0] for text_ids in ids]
    scores = metric.score_batch(texts)
    assert scores[0] == pytest.approx(alone[0].mean(), abs=1e-6)
    assert scores[1] == NoScore("the text has no token")
    assert scores[2] == pytest.approx(alone[2].mean(), abs=1e-6)
    signed = metric.signature()
    assert signed == LogP(str(transformer)).signature()
    (transformer / "config.json").unlink()
    assert metric.signature() != signed
    with pytest.raises(Unavailable, match=r"found no config\.json"):
        Scribendi(str(transformer)).setup("cpu")


def test_batches_hold_no_more_logits_than_there_is_room_for(
    transformer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With eight tokens in the vocabulary: two texts of three positions and their special tokens.
    monkeypatch.setattr("maege.analysis.metrics.neural.ROOM", 8 * 8)
    model = Transformer(transformer, "cpu")
    batch_sizes: list[int] = []
    unwatched = model._log_p

    def counted(batch: list[list[int]]) -> FloatArray:
        batch_sizes.append(len(batch))
        return unwatched(batch)

    monkeypatch.setattr(model, "_log_p", counted)
    model.log_p(["the cat sat"] * 5)
    assert batch_sizes == [2, 2, 1]


def test_the_command_counts_unigrams_and_the_folder_is_named_by_its_hash(
    transformer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = transformer.parent
    monkeypatch.setenv("MAEGE_METRICS", str(folder / "metrics.yml"))
    entry = f"{{language_model: '{transformer}'}}"
    (folder / "metrics.yml").write_text(f"metrics: {{fluency_tiny: {entry}}}\n")
    refused = maege(folder, "metric", "check")
    assert refused.exit_code == 1
    assert "unigrams.tsv: expected the counts of the model's tokens" in refused.stdout
    text = folder / "text.txt"
    text.write_text("the cat sat\nthe cat\n")
    counted = maege(folder, "metric", "unigrams", str(transformer), str(text))
    assert counted.exit_code == 0, counted.stderr
    assert "5 tokens counted" in counted.stdout
    assert maege(folder, "metric", "check").exit_code == 0
    assert (transformer / UNIGRAMS).read_text() == '"the"\t2\n"cat"\t2\n"sat"\t1\n'
    (family,) = model_families()
    assert family.missing() is None
    assert family.cost > ModelFluency.cost
    (statistics,) = family.compute_batch([group("", "the cat mat", ())])
    np.testing.assert_allclose(statistics[0, 0], CausalModel(transformer).score(["the cat mat"])[0])
    (transformer / UNIGRAMS).write_text('"the"\t1\n')
    missing = family.missing()
    assert missing is not None
    assert "expected a file with SHA-256" in missing.reason


def test_a_folder_without_its_parts_is_refused(transformer: Path) -> None:
    with pytest.raises(ModelFileError, match=r"unigrams\.tsv: expected the counts"):
        CausalModel(transformer)
    (transformer / UNIGRAMS).write_text('"the"\t3\nthe\t1\n')
    with pytest.raises(ModelFileError, match=r"unigrams\.tsv:2: expected a token in double quotes"):
        CausalModel(transformer)
    weights = transformer / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:50])
    with pytest.raises(ModelFileError, match="tiny: not a causal language model"):
        CausalModel(transformer)
    (transformer / "config.json").unlink()
    with pytest.raises(ModelFileError, match=r"found no config\.json"):
        CausalModel(transformer)
