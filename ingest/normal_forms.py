"""Unicode's normal forms: one letter with an accent, or a letter and its accent.

Texts that look alike are not equal in different forms (Unicode Standard Annex 15). The forms of
compatibility, NFKC and NFKD, are not among those to choose: they make other characters of some,
and of an acute accent that stands alone a space and an accent, which moves the tokens behind it.
"""

from collections.abc import Iterable
from typing import Literal, get_args
from unicodedata import is_normalized, normalize

NormalForm = Literal["NFC", "NFD"]
FORMS: tuple[NormalForm, ...] = get_args(NormalForm)


def in_form(text: str, form: NormalForm | None) -> str:
    """Return the text in that form; as it is without one."""
    return text if form is None else normalize(form, text)


def is_in_another_form(text: str, others: Iterable[str]) -> bool:
    """Whether the text and one of the others are in no form in common.

    Equal texts never differ, nor does one that is the same in all forms, such as ASCII.
    """
    forms = _forms(text)
    if len(forms) == len(FORMS):
        return False
    return any(
        other != text and len(found) < len(FORMS) and not forms & found
        for other, found in ((other, _forms(other)) for other in others)
    )


def n_in_another_form(texts: Iterable[str], others: Iterable[Iterable[str]]) -> int:
    """Return how many of the texts are in another form than one of those at the same place."""
    return sum(map(is_in_another_form, texts, others))


def _forms(text: str) -> frozenset[str]:
    if text.isascii():
        return _ALL
    return frozenset(form for form in FORMS if is_normalized(form, text))


_ALL = frozenset(FORMS)
