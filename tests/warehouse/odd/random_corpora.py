"""Random corpora of a few sentences from a seed, with their correct texts.

One number gives one corpus, the same each time: `make fuzz SEED=17 CORPORA=1` generates and tests
the corpus `fuzz_17` again.
"""

import csv
import io
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import yaml
from random_texts import (
    NOOP,
    Annotation,
    Edit,
    changed,
    corrected,
    detections,
    is_plain,
    other_form,
    random_edits,
    spaced,
    words,
)

from maege.ingest.text_checks import CHECKS

SET = "main"
LONG = 1100
Texts = list[str | None]


@dataclass
class RandomCorpus:
    """The files of a corpus, and their meaning.

    `references` has for each reference its text of each sentence, None if there is none; `unclear`
    are those whose edits overlap or lie beyond the sentence, so that there is no single right text.
    `edits_from` is `file` (edits of a file), `texts` (edits from texts) or None.
    """

    seed: int
    rng: Random
    manifest: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    sources: list[str] = field(default_factory=list)
    annotations: dict[str, list[Annotation | None]] = field(default_factory=dict)
    scheme: str = ""
    edits_from: str | None = None
    references: dict[str, Texts] = field(default_factory=dict)
    unclear: set[tuple[str, int]] = field(default_factory=set)
    systems: dict[str, list[str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"fuzz_{self.seed}"

    @property
    def tokens(self) -> list[list[str]]:
        return [source.split() for source in self.sources]

    def right_texts(self, number: int) -> list[str]:
        """Return the references of a sentence with a clear text, in order."""
        texts = {name: texts[number] for name, texts in self.references.items()}
        return [
            text
            for name, text in texts.items()
            if text is not None and (name, number) not in self.unclear
        ]

    def has_only_right(self, number: int) -> bool:
        present = [texts[number] for texts in self.references.values() if texts[number] is not None]
        return 0 < len(present) == len(self.right_texts(number))

    def is_in_order(self, number: int) -> bool:
        starts = [
            [(edit.start, edit.end) for edit in annotations[number] or () if edit.corrects]
            for annotations in self.annotations.values()
        ]
        return all(places == sorted(places) for places in starts)

    def has_type(self, number: int, error_type: str) -> bool:
        return any(
            edit.error_type == error_type
            for annotations in self.annotations.values()
            for edit in annotations[number] or ()
        )

    def is_first_text_heard(self, number: int) -> bool:
        """Whether metrics that skip annotators without a line read the first reference's author."""
        lines = {
            name: annotations[number] is not None for name, annotations in self.annotations.items()
        }
        if not any(lines.values()):
            return True
        return next(
            lines[name]
            for name, texts in self.references.items()
            if texts[number] is not None and (name, number) not in self.unclear
        )

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        manifest = yaml.safe_dump(self.manifest, allow_unicode=True, sort_keys=False)
        for name, text in {**self.files, "manifest.yml": manifest}.items():
            (folder / name).write_bytes(text.encode())
        return folder


def random_corpus(seed: int) -> RandomCorpus:
    rng = Random(seed)  # noqa: S311 (chance that can be repeated)
    corpus = RandomCorpus(seed, rng)
    described = {"title": "Made by chance", "licence": "CC0-1.0", "origin": "made for tests"}
    # Random texts may look suspicious in any way.
    corpus.manifest = {"corpus": corpus.name, **described, "accept": [*CHECKS]}
    if corpus.chance(0.1):
        corpus.manifest["language"] = rng.choice(("uk", "zh", "en-GB"))
    _add_sources(corpus)
    kind = rng.choice(("edits", "edits", "texts", "texts", "source"))
    if kind == "edits":
        _add_annotations(corpus)
    elif kind == "texts":
        _add_reference_texts(corpus)
    else:
        corpus.manifest["source"] = "source.txt"
        corpus.files["source.txt"] = _lines(corpus, corpus.sources)
    _add_systems(corpus)
    if corpus.systems:
        _add_scores(corpus)
        _add_rankings(corpus)
    return corpus


def _add_sources(corpus: RandomCorpus) -> None:
    rng = corpus.rng
    odd = rng.choice((0, 0, 0.1, 0.3))
    n_sentences = rng.choice((1, 1, 2, 3, 4, 5, 6, 8))
    for _ in range(n_sentences):
        length = rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 9))
        if corpus.chance(0.06):
            length = 0
        elif corpus.chance(0.01):
            length = LONG
        elif corpus.chance(0.015):
            length = 70
        tokens = words(rng, length, odd)
        corpus.sources.append(spaced(rng, tokens, odd))
    if n_sentences > 1 and corpus.chance(0.1):
        corpus.sources[-1] = corpus.sources[0]


def _add_annotations(corpus: RandomCorpus) -> None:
    rng = corpus.rng
    corpus.edits_from = "file"
    corpus.scheme = rng.choice(("errant", "errant", "nucle", "unknown"))
    names = rng.sample(("0", "1", "2", "ann", "B-7"), rng.choice((1, 1, 2, 2, 3)))
    habits = {name: rng.choice(("steady", "steady", "silent", "odd", "detects")) for name in names}
    corpus.annotations = {
        name: [_annotation(corpus, tokens, habits[name]) for tokens in corpus.tokens]
        for name in names
    }
    if not any(
        annotation for annotations in corpus.annotations.values() for annotation in annotations
    ):
        # A file without a line of any annotator has no annotator.
        corpus.annotations[names[0]][0] = (NOOP,)
    has_own_files = len(names) > 1 and corpus.chance(0.2)
    groups = [[name] for name in names] if has_own_files else [names]
    for group in groups:
        file = f"{group[0]}.m2" if has_own_files else "edits.m2"
        corpus.files[file] = _m2(corpus, group)
    absent = rng.choice((None, None, "no_error", "not_asked"))
    if absent:
        corpus.manifest["absent"] = absent
    files: Any = {name: f"{name}.m2" for name in names} if has_own_files else ["edits.m2"]
    corpus.manifest["annotations"] = {SET: files}
    corpus.manifest["references"] = {SET: {"annotations": SET}}
    if corpus.chance(0.85):
        corpus.manifest["lattice"] = {"annotations": SET, "references": SET}
    if any(not edit.is_within for edit in _edits(corpus)):
        corpus.options = ("--bad-edits", rng.choice(("keep", "skip")))
    # A file without lines of an annotator does not contain the annotator.
    present = {
        name: annotations
        for name, annotations in corpus.annotations.items()
        if has_own_files or any(annotation for annotation in annotations)
    }
    corpus.annotations = present
    silence = absent or ("no_error" if has_own_files else "of_all")
    corpus.references = {
        name: [_text_of(corpus, name, n, silence) for n in range(len(corpus.sources))]
        for name in present
    }
    corpus.unclear = {
        (name, number)
        for number in range(len(corpus.sources))
        for name, annotations in present.items()
        if not is_plain(annotations[number] or ())
    }


def _annotation(corpus: RandomCorpus, tokens: list[str], habit: str) -> Annotation | None:
    """Return a random annotation of a sentence; None without a line."""
    rng = corpus.rng
    if corpus.chance(0.5 if habit == "silent" else 0.1):
        return None
    if corpus.chance(0.15) or not tokens:
        return (NOOP,) if corpus.chance(0.7) else None
    if habit == "detects" and corpus.chance(0.7):
        return tuple(detections(rng, tokens, corpus.scheme))
    has_many_edits = len(tokens) > 62 and corpus.chance(0.5)
    edits = (
        [Edit(n, n + 1, "R:OTHER", f"w{n}") for n in range(65)]
        if has_many_edits
        else random_edits(rng, tokens, corpus.scheme, rng.choice((1, 1, 2, 2, 3, 5)))
    )
    if corpus.chance(0.15):
        edits += detections(rng, tokens, corpus.scheme)
    if habit == "odd" and edits:
        edits += _odd_edits(corpus, tokens, edits[0])
    if corpus.chance(0.2):
        rng.shuffle(edits)
    return tuple(edits) or None


def _odd_edits(corpus: RandomCorpus, tokens: list[str], first: Edit) -> list[Edit]:
    rng = corpus.rng
    end = len(tokens)
    types = first.error_type
    candidates = [
        first,
        Edit(first.start, min(end, first.end + 1), types, "over it", is_within=True),
        Edit(first.start, first.start, types, "before"),
        Edit(end, end, types, "at the end"),
        Edit(end, end, types, "and again"),
        Edit(max(0, end - 1), end + 1, types, "beyond", is_within=False),
    ]
    return rng.sample(candidates, rng.choice((1, 1, 2)))


def _text_of(corpus: RandomCorpus, name: str, number: int, silence: str) -> str | None:
    """Return the text of an annotation; None if the annotator did not annotate the sentence.

    `silence` is the meaning of a missing line: `no_error`, `not_asked`, or `no_error` only if all
    annotators have none.
    """
    annotation = corpus.annotations[name][number]
    if annotation is None:
        has_line = any(
            annotations[number] is not None for annotations in corpus.annotations.values()
        )
        if silence == "not_asked" or (silence == "of_all" and has_line):
            return None
    return " ".join(corrected(corpus.tokens[number], annotation or ()))


def _edits(corpus: RandomCorpus) -> list[Edit]:
    return [
        edit
        for annotations in corpus.annotations.values()
        for group in annotations
        for edit in group or ()
    ]


def _m2(corpus: RandomCorpus, names: list[str]) -> str:
    blocks = []
    for number, source in enumerate(corpus.sources):
        lines = [
            edit.line(name)
            for name in corpus.rng.sample(names, len(names))
            for edit in corpus.annotations[name][number] or ()
        ]
        blocks.append("\n".join([f"S {source}", *lines]))
    text = "\n\n".join(blocks) + corpus.rng.choice(("", "\n", "\n\n"))
    return _dialect_text(corpus, text)


def _lines(corpus: RandomCorpus, texts: list[str]) -> str:
    text = "".join(f"{text}\n" for text in texts)
    # A blank last line needs a line end.
    if texts[-1].strip() and corpus.chance(0.1):
        text = text.removesuffix("\n")
    return _dialect_text(corpus, text)


def _dialect_text(corpus: RandomCorpus, text: str) -> str:
    if corpus.chance(0.1):
        text = text.replace("\n", "\r\n")
    return "\ufeff" + text if corpus.chance(0.05) else text


def _add_reference_texts(corpus: RandomCorpus) -> None:
    rng = corpus.rng
    corpus.edits_from = "texts"
    corpus.manifest["source"] = "source.txt"
    corpus.files["source.txt"] = _lines(corpus, corpus.sources)
    names = [f"ref{number}" for number in range(rng.choice((1, 1, 2, 3)))]
    rate, odd = rng.choice((0.1, 0.3, 0.6)), rng.choice((0, 0, 0.2))
    blank = rng.choice((None, None, None, "none", "deletion"))
    for name in names:
        texts = []
        for tokens in corpus.tokens:
            words = changed(rng, tokens, 0 if corpus.chance(0.2) else rate)
            if tokens and not words:
                words = [other_form(rng, tokens[0])]
            texts.append("" if blank and corpus.chance(0.3) else spaced(rng, words, odd))
        corpus.references[name] = [
            text if text.split() or blank != "none" else None for text in texts
        ]
        corpus.files[f"{name}.txt"] = _lines(corpus, texts)
    corpus.manifest["references"] = {SET: {"texts": [f"{name}.txt" for name in names]}}
    if blank:
        corpus.manifest["references"][SET]["empty_references"] = blank
    if corpus.chance(0.6):
        corpus.manifest["annotations"] = {"extracted": {"extracted_from": SET}}
        corpus.manifest["lattice"] = {"paper": {"annotations": "extracted", "references": SET}}


def _add_systems(corpus: RandomCorpus) -> None:
    rng = corpus.rng
    if corpus.chance(0.08):
        return
    corpus.systems["copy"] = list(corpus.sources)
    if corpus.references:
        corpus.systems["perfect"] = [
            _first_reference(corpus, number) for number in range(len(corpus.sources))
        ]
    for name in rng.sample(("rough", "wild", "A.1", "silent", "same"), rng.choice((0, 1, 1, 2, 3))):
        corpus.systems[name] = [_output(corpus, tokens, name) for tokens in corpus.tokens]
    if corpus.chance(0.05):
        del corpus.systems["copy"]
    if not corpus.systems:
        return
    for name, outputs in corpus.systems.items():
        corpus.files[f"{name}.out"] = _lines(corpus, outputs)
    corpus.manifest["systems"] = {name: f"{name}.out" for name in corpus.systems}


def _first_reference(corpus: RandomCorpus, number: int) -> str:
    texts = corpus.right_texts(number)
    return texts[0] if texts else corpus.sources[number]


def _output(corpus: RandomCorpus, tokens: list[str], name: str) -> str:
    rng = corpus.rng
    if name == "silent" or corpus.chance(0.05):
        return ""
    if corpus.chance(0.005):
        return " ".join(["every", "day"] * (LONG // 2))
    words = changed(rng, tokens, {"rough": 0.3, "wild": 1.0, "same": 0.05}.get(name, 0.2))
    return spaced(rng, words, 0.1)


def _add_scores(corpus: RandomCorpus) -> None:
    if not corpus.chance(0.25):
        return
    share = corpus.rng.choice((0.2, 0.7, 1.0))
    lines = [
        f"{system}\t{number}\t{corpus.rng.choice((0, 0.5, 1, -2.5, 1e-9))}"
        for system in corpus.systems
        for number in range(len(corpus.sources))
        if corpus.chance(share)
    ]
    corpus.files["outside.tsv"] = "\n".join(["system\tsentence_id\tscore", *lines]) + "\n"
    corpus.manifest["scores"] = {
        f"outside_{corpus.seed}": {"file": "outside.tsv", "higher_is_better": corpus.chance(0.5)}
    }


def _add_rankings(corpus: RandomCorpus) -> None:
    rng = corpus.rng
    if not corpus.chance(0.35):
        return
    ranked = [*corpus.systems, *(["ghost"] if corpus.chance(0.2) else [])]
    judges = ("ann", "bob", "cy")[: rng.choice((1, 2, 3))]
    most = rng.choice((1, 2, 5))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("judge", "item", "sentence_id", "system", "rank"))
    rankings: dict[str, Any] = {"file": "rankings.csv"}
    for judge in judges:
        for item in range(rng.choice((1, 2, 5))):
            sentence = rng.randrange(len(corpus.sources))
            for system in rng.sample(ranked, rng.randint(1, len(ranked))):
                writer.writerow((judge, item, sentence, system, rng.randint(1, most)))
                if system == "ghost":
                    rankings["without_outputs"] = [system]
    corpus.files["rankings.csv"] = text.getvalue()
    corpus.manifest["judgments"] = {f"people_{corpus.seed}": rankings}
