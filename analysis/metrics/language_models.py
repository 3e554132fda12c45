r"""Language models of words, for `fluency`: four numbers of each text.

These are log10 of the model's probability of the text, log10 of its unigrams' probability, the
number of tokens, and the number of unknown tokens. An unknown token adds to neither probability.

N-gram models: the text's tokens are the words. The history of the first word is `<s>`. An unknown
word resets the history. At the end, `</s>` adds to the model's sum only, and not after an unknown
word. There are three kinds:

- The trigram model of American English in the package pocketsphinx, trained for speech: lower case,
  no punctuation, clitics joined to their word. Texts are converted to that form. 72,547 words, 2.05
  M bigrams and 1.67 M trigrams take 37 MB and .03 s to load.
- An ARPA file, read whole and checked line by line. An n-gram takes some 140 bytes of every worker:
  for more than some million, make a KenLM binary. `<s>`, `</s>` and `<unk>` in a text are unknown.
- KenLM's binary format, which the package kenlm reads, with the same rule.

    \data\                       log10 p(w | h) is the value of the n-gram `h w` if the file has
    ngram 1=COUNT                it; else the back-off weight of h, 0 if it has none, plus
    ...                          log10 p(w | h less its first word).
    \1-grams:
    LOG10 <TAB> WORDS [<TAB> BACKOFF]
    \end\

A causal transformer in a local folder (neural.py) has the probability of each token given the
tokens before it, with the tokeniser's tokens. It has no unigrams. They are counted in a text and
stored in the folder as `unigrams.tsv`: one token, a tab and a count per line.
"""

import gzip
import json
import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.model_files import ModelFileError, check_hash
from maege.analysis.metrics.neural import Transformer, load

# Columns of the numbers of a text.
STATISTICS = ("log10_pm", "log10_pu", "lm_tokens", "lm_oov")
START, END = "<s>", "</s>"


# A model's history: the previous words, or a handle of the library that reads the model.
History = TypeVar("History")


class NgramModel(ABC, Generic[History]):
    start: History
    empty: History
    # Words that count as unknown.
    marks: frozenset[str] = frozenset((START, END, "<unk>", "<UNK>"))

    @abstractmethod
    def unigram(self, word: str) -> float | None:
        """Return log10 of the word's probability, None if it is unknown."""

    @abstractmethod
    def after(self, history: History, word: str) -> tuple[float, History]:
        """Return log10 of a known word's probability after a history, and the next history."""

    def score(self, texts: Sequence[str]) -> FloatArray:
        rows = [self.score_words(self.words(text)) for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(STATISTICS))

    def words(self, text: str) -> list[str]:
        return text.split()

    def score_words(self, words: Sequence[str]) -> tuple[float, float, int, int]:
        model_sum = unigram_sum = 0.0
        unknown = 0
        history = self.start
        for word in words:
            unigram = None if word in self.marks else self.unigram(word)
            if unigram is None:
                unknown += 1
                history = self.empty
                continue
            log10, history = self.after(history, word)
            model_sum += log10
            unigram_sum += unigram
        if history is not self.empty:
            model_sum += self.after(history, END)[0]
        return model_sum, unigram_sum, len(words), unknown


TRIGRAM_PACKAGE, TRIGRAM_VERSION = "pocketsphinx", "5.1.1"
TRIGRAM_SHA256 = "db21d0642286677699e6dbc859d2e5395570222361999387ce60f6e1d01995d6"
CLITICS = frozenset(("n't", "'s", "'re", "'ve", "'ll", "'d", "'m"))

_HAS_LETTER_OR_DIGIT = re.compile("[a-z0-9]")
# The package's value for an unknown word.
_UNKNOWN = -536870912
# Texts of one sentence share most of their trigrams.
_REMEMBERED = 1 << 16


def model_path() -> Path:
    package = find_spec(TRIGRAM_PACKAGE)
    if package is None or package.origin is None:
        raise ModelFileError(
            f"expected the package {TRIGRAM_PACKAGE}, found none; "
            f"pip install {TRIGRAM_PACKAGE}=={TRIGRAM_VERSION}"
        )
    return Path(package.origin).parent / "model" / "en-us" / "en-us.lm.bin"


class Trigram(NgramModel[tuple[str, ...]]):
    """The trigram model of pocketsphinx; a history is its last two words, nearest word first."""

    start: tuple[str, ...] = (START,)
    empty: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()

    def __init__(self, path: Path | None = None, sha256: str = TRIGRAM_SHA256) -> None:
        path = path or model_path()
        check_hash(path, sha256)
        from pocketsphinx import Config, LogMath, NGramModel

        log_math = LogMath()
        self._log10 = log_math.log_to_log10
        self._log_p = lru_cache(_REMEMBERED)(NGramModel(Config(), log_math, str(path)).prob)

    def words(self, text: str) -> list[str]:
        words: list[str] = []
        for word in text.lower().split():
            if word in CLITICS and words and self.unigram(words[-1] + word) is not None:
                words[-1] += word
            elif _HAS_LETTER_OR_DIGIT.search(word):
                words.append(word)
        return words

    def unigram(self, word: str) -> float | None:
        log_p = self._log_p((word,))
        return None if log_p == _UNKNOWN else float(self._log10(log_p))

    def after(self, history: tuple[str, ...], word: str) -> tuple[float, tuple[str, ...]]:
        ngram = (word, *history)
        return float(self._log10(self._log_p(ngram))), ngram[:2]


_COUNT = re.compile(r"ngram (\d+)\s*=\s*(\d+)$")
_BETWEEN = re.compile("[ \t]+")
# In characters. A damaged or compressed file may have gigabytes without a line feed.
_LONGEST_LINE = 1_000_000
_GZIP = b"\x1f\x8b"

Lines = Iterator[tuple[int, str]]


class ArpaModel(NgramModel[tuple[str, ...] | None]):
    """An ARPA file; a history is its last words, oldest first, or None after an unknown word."""

    empty = None

    def __init__(self, path: Path) -> None:
        """Read the file; raise ModelFileError, with the line, if it is not a complete ARPA file."""
        self._path = path
        self._log10: dict[str, float] = {}
        self._backoff: dict[str, float] = {}
        with path.open("rb") as file:
            opened = gzip.open if file.read(len(_GZIP)) == _GZIP else open
        try:
            with opened(path, "rt", encoding="utf-8", newline="\n") as text:
                lines = enumerate(iter(lambda: text.readline(_LONGEST_LINE), ""), 1)
                self._read((number, line.strip(" \t\r\n")) for number, line in lines)
        except UnicodeDecodeError:
            raise ModelFileError(
                f"{path}: expected an ARPA file in UTF-8, a KenLM binary or a folder, found none "
                "of these"
            ) from None
        except (EOFError, gzip.BadGzipFile) as error:
            raise ModelFileError(f"{path}: the compressed file is damaged: {error}") from None
        if missing := {START, END} - self._log10.keys():
            raise ModelFileError(
                f"{path}: expected <s> and </s> among the 1-grams, found no {missing.pop()}"
            )
        self.start = (START,)[: self._longest]

    def unigram(self, word: str) -> float | None:
        return self._log10.get(word)

    def after(
        self, history: tuple[str, ...] | None, word: str
    ) -> tuple[float, tuple[str, ...] | None]:
        history = history or ()
        following = (*history, word)[-self._longest :] if self._longest else ()
        backoff = 0.0
        while history:
            log10 = self._log10.get(" ".join((*history, word)))
            if log10 is not None:
                return backoff + log10, following
            backoff += self._backoff.get(" ".join(history), 0.0)
            history = history[1:]
        return backoff + self._log10[word], following

    def _read(self, lines: Lines) -> None:
        counts = self._counts(lines)
        self._longest = len(counts) - 1
        for order, count in enumerate(counts, start=1):
            self._expect(lines, f"\\{order}-grams:")
            for n_read in range(count):
                number, line = next(lines, (0, ""))
                if not number:
                    raise ModelFileError(
                        f"{self._path}: expected {count} {order}-grams, found the end of the file "
                        f"after {n_read}; it is truncated"
                    )
                if not line or line.startswith("\\"):
                    raise self._broken(number, f"{count} {order}-grams", f"{line!r} after {n_read}")
                self._add(number, line, order, order == len(counts))
        self._expect(lines, "\\end\\")

    def _counts(self, lines: Lines) -> list[int]:
        self._expect(lines, "\\data\\")
        counts: list[int] = []
        for number, line in lines:
            if not line and counts:
                return counts
            match = _COUNT.match(line)
            if line and (match is None or int(match[1]) != len(counts) + 1):
                raise self._broken(number, f"ngram {len(counts) + 1}=COUNT", repr(line))
            if match:
                counts.append(int(match[2]))
        raise ModelFileError(f"{self._path}: expected n-grams, found the end of the file")

    def _expect(self, lines: Lines, heading: str) -> None:
        for number, line in lines:
            if line == heading:
                return
            if line:
                raise self._broken(number, heading, repr(line[:80]))
        raise ModelFileError(
            f"{self._path}: expected {heading}, found the end of the file; it is truncated"
        )

    def _add(self, number: int, line: str, order: int, is_highest: bool) -> None:
        parts = _BETWEEN.split(line)
        if len(parts) != order + 1 and (is_highest or len(parts) != order + 2):
            raise self._broken(
                number, f"a number and {order} words", f"{len(parts)} parts in {line[:80]!r}"
            )
        log10 = self._number(number, parts[0])
        if log10 > 0:
            raise self._broken(number, "a log10 probability of at most 0", parts[0])
        words = " ".join(parts[1 : order + 1])
        self._log10[words] = log10
        if len(parts) == order + 2:
            self._backoff[words] = self._number(number, parts[-1])

    def _number(self, line: int, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self._broken(line, "a number in base 10", repr(text))
        return value

    def _broken(self, line: int, expected: str, found: str) -> ModelFileError:
        return ModelFileError(
            f"{self._path}:{line}: expected {expected}, found {found}; create the file again"
        )


KENLM_MAGIC = b"mmap lm http://kheafield.com/code"


class KenlmModel(NgramModel[Any]):
    def __init__(self, path: Path) -> None:
        import kenlm

        try:
            self._model: Any = kenlm.Model(str(path))
        except (OSError, RuntimeError, ValueError) as error:
            raise ModelFileError(f"{path}: KenLM cannot read it: {error}") from None
        if START not in self._model or END not in self._model:
            raise ModelFileError(f"{path}: expected <s> and </s> among the words, found one alone")
        self._new_state = kenlm.State
        self.start, self.empty = kenlm.State(), kenlm.State()
        self._model.BeginSentenceWrite(self.start)
        self._model.NullContextWrite(self.empty)

    def unigram(self, word: str) -> float | None:
        return self.after(self.empty, word)[0] if word in self._model else None

    def after(self, history: Any, word: str) -> tuple[float, Any]:  # noqa: ANN401 (a state)
        following = self._new_state()
        return float(self._model.BaseScore(history, word, following)), following


UNIGRAMS = "unigrams.tsv"


class CausalModel:
    def __init__(self, folder: Path) -> None:
        import torch

        self._model = Transformer(folder, "cuda" if torch.cuda.is_available() else "cpu")
        self._log10_unigrams = _read_unigrams(folder / UNIGRAMS)

    def score(self, texts: Sequence[str]) -> FloatArray:
        tokens = self._model.tokens(texts)
        logs = self._model.log_p_of_tokens(tokens)
        rows = [
            self._statistics(ids, text_logs / math.log(10))
            for ids, text_logs in zip(tokens, logs, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(STATISTICS))

    def _statistics(self, ids: Sequence[int], log10: FloatArray) -> tuple[float, float, int, int]:
        names = self._model.names(ids)
        unigrams = [self._log10_unigrams.get(name) for name in names]
        places = [i for i, unigram in enumerate(unigrams) if unigram is not None]
        return (
            math.fsum(log10[i] for i in places),
            math.fsum(unigram for unigram in unigrams if unigram is not None),
            len(ids),
            len(ids) - len(places),
        )


LanguageModel = NgramModel[Any] | CausalModel


def count_unigrams(folder: Path, texts: Iterable[str]) -> int:
    tokenizer, _ = load(folder)
    counts: Counter[str] = Counter()
    for text in texts:
        ids = tokenizer.encode(text, add_special_tokens=False)
        counts.update(tokenizer.convert_ids_to_tokens(ids))
    if not counts:
        raise ModelFileError(f"{folder}: expected a text to count tokens in, found an empty one")
    # As JSON, because a token may contain a tab or a line end.
    lines = [f"{json.dumps(token)}\t{count}\n" for token, count in counts.most_common()]
    (folder / UNIGRAMS).write_text("".join(lines), encoding="utf-8")
    return counts.total()


def _read_unigrams(path: Path) -> dict[str, float]:
    if not path.is_file():
        raise ModelFileError(
            f"{path}: expected the counts of the model's tokens, found no such file; "
            "maege metric unigrams FOLDER TEXT makes it"
        )
    counts: dict[str, int] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            token, count = _read_count(line.rstrip("\n"))
            if token is None or count == 0:
                raise ModelFileError(
                    f"{path}:{number}: expected a token in double quotes, a tab and a count above "
                    f"0, found {line.rstrip()[:80]!r}; maege metric unigrams FOLDER TEXT makes "
                    "the file anew"
                )
            counts[token] = count
    total = sum(counts.values())
    return {token: math.log10(count / total) for token, count in counts.items()}


def _read_count(line: str) -> tuple[str | None, int]:
    quoted, _, count = line.rpartition("\t")
    try:
        token = json.loads(quoted)
    except ValueError:
        token = None
    if not isinstance(token, str) or not count.isdecimal():
        return None, 0
    return token, int(count)
