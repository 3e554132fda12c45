"""Random sentences, edits and outputs: words among odd characters that files have."""

from dataclasses import dataclass
from itertools import pairwise
from random import Random

PLAIN = (
    *("He", "She", "They", "I", "We", "go", "goes", "went", "home", "school", "a", "the", "an"),
    *("cat", "cats", "day", "days", "every", "is", "are", "was", "were", "very", "happy", "in"),
    *("on", "at", "to", "of", "and", "song", "songs", "sing", "sings", "strange", "weather"),
    *("likes", "like", "yesterday", ".", ",", "!", "children", "child", "advice", "advices"),
)
ODD = (
    *("||", "a||b", "|", "|||", "a|||b", "-NONE-", "noop", "S", "A", "0", "-1", "NULL", "None"),
    *("nan", "''", "``", '"', "'", "\\", "\\n", "{}", "{{", "%s", "$1", "<b>", "&amp;", "#", "--"),
    *("İstanbul", "ﬁnally", "cafe\u0301", "café", "😀", "👍🏽", "我", "作业", "привет", "שלום"),
    *("\u200b", "\ufeffx", "x\u00ad", "½", "N'T", "n't", "http://a.b/c?d=e&f", "\u202eabc"),
    *("1,000.5", "C++", "@user", "ß", "ẞ", "ı", "a" * 60),
)
SPACES = ("  ", "\u00a0", "\u3000", "\t", " \u00a0 ", "\u2009")
OTHER_FORMS = {
    **dict.fromkeys(("go", "went"), "goes"),
    **dict.fromkeys(("goes", "gone"), "go"),
    **dict.fromkeys(("is", "were"), "are"),
    **dict.fromkeys(("a", "an"), "the"),
    **dict.fromkeys(("the", "every"), "a"),
    **dict.fromkeys(("cat", "cat's"), "cats"),
    **dict.fromkeys(("in", "at"), "on"),
    **dict.fromkeys((",", "!"), "."),
}
Schemes = dict[str, dict[str, tuple[str, ...]]]
TYPES: Schemes = {
    "errant": {
        "R": ("R:VERB:SVA", "R:NOUN:NUM", "R:PREP", "R:OTHER", "R:SPELL"),
        "M": ("M:DET", "M:PUNCT", "M:OTHER"),
        "U": ("U:DET", "U:PREP", "U:OTHER"),
    },
    "nucle": {
        "R": ("SVA", "Nn", "ArtOrDet", "Wform", "Um"),
        "M": ("ArtOrDet", "Mec", "Um"),
        "U": ("Rloc-", "Prep", "Um"),
    },
    "unknown": {"R": ("UNK",), "M": ("UNK",), "U": ("UNK",)},
}


@dataclass(frozen=True)
class Edit:
    """An annotator's edit of tokens; one that does not `correct` changes no text."""

    start: int
    end: int
    error_type: str
    correction: str
    corrects: bool = True
    is_within: bool = True

    def line(self, annotator: str) -> str:
        fields = (self.error_type, self.correction, "REQUIRED", "-NONE-", annotator)
        return f"A {self.start} {self.end}|||" + "|||".join(fields)

    @property
    def tokens(self) -> list[str]:
        first = self.correction.split("||")[0]
        return [] if first == "-NONE-" else first.split()


Annotation = tuple[Edit, ...]
NOOP = Edit(-1, -1, "noop", "-NONE-", corrects=False)


def words(rng: Random, n_tokens: int, odd: float) -> list[str]:
    return [rng.choice(ODD if rng.random() < odd else PLAIN) for _ in range(n_tokens)]


def spaced(rng: Random, tokens: list[str], odd: float) -> str:
    if rng.random() >= odd:
        return " ".join(tokens)
    text = "".join(token + (rng.choice(SPACES) if rng.random() < 0.3 else " ") for token in tokens)
    return text if rng.random() < 0.5 else text.strip()


def other_form(rng: Random, token: str) -> str:
    if token in OTHER_FORMS:
        return OTHER_FORMS[token]
    if "||" in token:
        # In a correction of M2 two bars separate alternatives.
        return "bars"
    changed = rng.choice((token.upper(), token.lower(), token[1:] or "x", token + "s"))
    return changed if changed.split() == [changed] != [token] else "other"


def changed(rng: Random, tokens: list[str], rate: float) -> list[str]:
    words: list[str] = []
    for token in tokens:
        chance = rng.random() / rate if rate else 9.0
        if chance < 0.6:
            words.append(other_form(rng, token))
        elif chance < 0.75:
            pass
        elif chance < 0.9:
            words += [rng.choice(PLAIN), token]
        elif chance < 1 and words:
            words.insert(len(words) - 1, token)
        else:
            words.append(token)
    return words


def corrected(tokens: list[str], annotation: Annotation) -> list[str]:
    words = list(tokens)
    ordered = sorted(enumerate(annotation), key=lambda item: (item[1].start, item[1].end, item[0]))
    for _, edit in reversed(ordered):
        if edit.corrects:
            words[edit.start : edit.end] = edit.tokens
    return words


def is_plain(annotation: Annotation) -> bool:
    """Whether no two edits overlap, none is repeated and none lies beyond the sentence."""
    edits = sorted((e for e in annotation if e.corrects), key=lambda e: (e.start, e.end))
    do_not_overlap = all(
        earlier.end <= following.start
        and (earlier.start, earlier.end) != (following.start, following.end)
        for earlier, following in pairwise(edits)
    )
    return do_not_overlap and all(edit.is_within for edit in annotation) and len(edits) <= 62


def random_edits(rng: Random, tokens: list[str], scheme: str, n_edits: int) -> list[Edit]:
    types = TYPES[scheme]
    edits: list[Edit] = []
    place = 0
    for _ in range(n_edits):
        start = place + rng.choice((0, 0, 1, 1, 2))
        if start > len(tokens):
            break
        kind = rng.random()
        if kind < 0.25 or start == len(tokens):
            put_in = " ".join(rng.choices(PLAIN, k=rng.choice((1, 1, 2))))
            edits.append(Edit(start, start, rng.choice(types["M"]), put_in))
            place = start + 1
        elif kind < 0.45:
            # An UNK edit without a text marks an uncorrected error, unless the file defines
            # otherwise.
            deletion = rng.choice(("", "-NONE-")) if scheme != "unknown" else "other"
            edits.append(Edit(start, start + 1, rng.choice(types["U"]), deletion))
            place = start + 2
        else:
            end = min(len(tokens), start + rng.choice((1, 1, 1, 2)))
            text = " ".join(other_form(rng, token) for token in tokens[start:end])
            if rng.random() < 0.1:
                text += "||" + other_form(rng, tokens[start]) + " x"
            edits.append(Edit(start, end, rng.choice(types["R"]), text))
            place = end + 1
    return edits


def detections(rng: Random, tokens: list[str], scheme: str) -> list[Edit]:
    """Return edits that correct nothing: unchanged text, insertions of nothing, no-ops."""
    if not tokens:
        return [NOOP]
    start = rng.randrange(len(tokens))
    end = min(len(tokens), start + rng.choice((1, 2)))
    types = TYPES[scheme]
    unchanged = Edit(
        start, end, rng.choice(types["R"]), " ".join(tokens[start:end]), corrects=False
    )
    nothing = rng.choice(("", "-NONE-"))
    candidates = [Edit(start, start, rng.choice(types["M"]), nothing, corrects=False)]
    if not any("||" in word or word == "-NONE-" for word in tokens[start:end]):
        candidates.append(unchanged)
        if scheme == "errant":
            candidates.append(Edit(start, end, "UNK", unchanged.correction, corrects=False))
    if scheme == "errant":
        candidates.append(Edit(start, end, "UNK", "", corrects=False))
    return rng.sample(candidates, rng.choice((1, 1, len(candidates))))
