"""Text checks report each kind of fault and accept valid texts."""

from collections.abc import Callable

import pytest

from maege.ingest.text_checks import Texts, check_texts, missing_line, shifted_lines

SOURCES = [
    "He go home .",
    "She like black cats .",
    "We was at school yesterday .",
    "My brother have two dogs .",
    "Trains to London is late .",
    "I has never seen snow .",
    "Its a good idea !",
    "Where you live ?",
    "They eats rice every day .",
    "That book are very long .",
    "Nobody know the answer .",
    "Our teacher speak slowly .",
]
OUTPUTS = [
    "He goes home .",
    "She likes black cats .",
    "We were at school yesterday .",
    "My brother has two dogs .",
    "Trains to London are late .",
    "I have never seen snow .",
    "It is a good idea !",
    "Where do you live ?",
    "They eat rice every day .",
    "That book is very long .",
    "Nobody knows the answer .",
    "Our teacher speaks slowly .",
]
CZECH = ["Včera jsem šel domů , protože už bylo pozdě a pršelo ."] * 3

SPANISH = ["Me gusta mucho ir al cine con mis amigos ."] * 3


def checks(sources: list[str], outputs: list[str], language: str | None = None) -> list[str]:
    suspicions = check_texts(Texts("src", sources), [Texts("out", outputs)], language)
    return [suspicion.check for suspicion in suspicions]


def test_correct_outputs_have_no_suspicion() -> None:
    assert checks(SOURCES, OUTPUTS) == []
    assert checks(SOURCES[:2], OUTPUTS[:2]) == []
    assert checks(SOURCES, SOURCES) == []
    # One sentence in quotation marks, and an abbreviation at the end.
    assert checks(['" He go . "', "I has pens etc ."], ['" He goes . "', "I have pens etc."]) == []


FAULTS: dict[str, list[Callable[[str], str]]] = {
    "untokenised": [lambda text: text.replace(" .", ".").replace(" ?", "?").replace(" !", "!")],
    "quoted": [
        lambda text: f'"{text}"',
        lambda text: f"“{text}”",
        lambda text: f"« {text} »",
        lambda text: f"「{text}」",
        lambda text: f'"{text}",',
    ],
    "structured": [
        lambda text: f'{{"output": "{text}"}}',
        lambda text: f"['{text}', 'x']",
        lambda text: f'<s id="1">{text}</s>',
        lambda text: f"a.txt\t{text}",
        lambda text: f"{OUTPUTS.index(text) + 1}. {text}",
        lambda text: f"0 ||| {text} ||| -1.5",
        lambda text: f"{OUTPUTS.index(text) + 1} {text}",
        lambda text: f"- {text}",
        lambda text: f"{text} </s>",
        lambda text: f"**{text}**",
        lambda text: f"('{text}', '{text}')",
        lambda text: f"{text} | {text}",
        lambda text: f"D-{OUTPUTS.index(text)} {text}",
        lambda text: " ##".join(text.split()),
        lambda text: f"Corrected: {text}",
        lambda text: text.replace("s ", "s@@ s "),
        lambda text: " ".join(f"▁{word}" for word in text.split()),
    ],
    "empty_lines": [lambda text: "" if OUTPUTS.index(text) < 7 else text],
}


@pytest.mark.parametrize(
    ("write", "check"), [(write, check) for check, writers in FAULTS.items() for write in writers]
)
def test_every_fault_of_an_output_is_named(write: Callable[[str], str], check: str) -> None:
    for number in (2, 12) if check in ("untokenised", "quoted") else (12,):
        assert checks(SOURCES[:number], [write(text) for text in OUTPUTS[:number]]) == [check]


def test_faults_of_sources_are_named_too() -> None:
    quoted = [f'"{text}"' for text in SOURCES]
    untokenised = [text.replace(" .", ".") for text in SOURCES]
    assert checks(quoted, OUTPUTS)[:1] == ["quoted"]
    assert checks(quoted, quoted)[:1] == ["quoted"]
    assert checks(untokenised, OUTPUTS)[:1] == ["untokenised"]
    for texts in (untokenised, untokenised[:2]):
        assert checks(texts, texts)[:1] == ["untokenised"]


def test_first_shifted_line_is_named() -> None:
    # The first line is missing and a blank line added, then the fifth.
    for first in (0, 4):
        shift = shifted_lines(SOURCES, [*OUTPUTS[:first], *OUTPUTS[first + 1 :], ""])
        assert shift is not None
        assert (shift.first, shift.last, shift.offset) == (first, 10, 1)
    shift = shifted_lines(SOURCES, ["An added line .", *OUTPUTS[:-1]])
    assert shift is not None
    assert (shift.first, shift.offset) == (1, -1)
    assert missing_line(SOURCES, OUTPUTS[1:]) == 1


def test_unrelated_lines_are_named_from_the_first() -> None:
    shift = shifted_lines(SOURCES, [OUTPUTS[0], *(f"w{n} x{n}" for n in range(11))])
    assert shift is not None
    assert (shift.first, shift.last, shift.offset) == (1, 11, None)
    assert shifted_lines(SOURCES[:2], ["w x", "y z"]) is None


@pytest.mark.parametrize(
    ("texts", "language", "is_wrong"),
    [
        (SOURCES, None, False),
        (CZECH, None, True),
        (CZECH, "cs", False),
        (CZECH, "uk", True),
        (["Я живу у великому місті ."] * 2, "uk", False),
        (["他 每天 都 去 学校 上课 。"] * 2, None, True),
        (["He lives in the city and they are not at home ."] * 12, "cs", True),
        (["He lives in the city and they are not at home ."] * 12, "xx", False),
        (["Zdravo svete !", "Здраво свете !"], "sr", False),
        (SPANISH, None, True),
        (SPANISH, "es-MX", False),
        (SPANISH, "gl", False),
        (["Вчора я пішов додому ."], "el", True),
        (["Χθες πήγα στο σπίτι ."], "el", False),
        (["Χθες πήγα στο σπίτι ."], "uk", True),
        (["昨 天 我 很 早 就 回 家 去 了 。"], "zh", False),
        (["昨 天 我 很 早 就 回 家 去 了 。"], "ko", True),
        (["昨 日 は 早 く 家 に 帰 り ま し た 。"], "ja", False),
        (["昨 日 は 早 く 家 に 帰 り ま し た 。"], "zh", True),
        # One kana in a Chinese text.
        (["我 们 喜 欢 这 家 の 店 和 他 的 茶 。"], "zh", False),
        # Two words are too few for a decision.
        (["la casa"], None, False),
    ],
)
def test_another_language_than_the_named_one_is_found(
    texts: list[str], language: str | None, is_wrong: bool
) -> None:
    assert (checks(texts, texts, language) == ["language"]) is is_wrong


def test_valid_labels_and_empty_lines_are_no_fault() -> None:
    labelled = [f"- {text}" for text in SOURCES]
    assert checks(labelled, [f"- {text}" for text in OUTPUTS]) == []
    assert checks(SOURCES[:3], ["", "", OUTPUTS[2]]) == []
    assert checks(SOURCES[:4], ["", "", "", OUTPUTS[3]]) == ["empty_lines"]
