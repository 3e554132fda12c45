"""Language tags, checks that texts are in the given language, and Unicode's normal forms."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, get_args
from unicodedata import is_normalized, normalize
from unicodedata import name as character_name

# --- BCP 47 language tags: `uk`, `pt-BR`, `zh-Hant` ---

# Language, then optional script, region and variants. Extensions and private tags do not affect any
# metric.
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(-(?P<script>[a-z]{4}))?(-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)",
    re.IGNORECASE,
)
# BCP 47 requires the shorter ISO 639 code if there are two. Metrics that read `en` would not
# recognise `eng`.
_SHORTER = """
    ara:ar ces:cs cze:cs deu:de ger:de ell:el gre:el eng:en est:et fas:fa per:fa fra:fr
    fre:fr ita:it jpn:ja kor:ko lav:lv nld:nl dut:nl nor:no pol:pl por:pt ron:ro rum:ro
    rus:ru slk:sk slo:sk slv:sl spa:es swe:sv tur:tr ukr:uk vie:vi zho:zh chi:zh
"""
# The codes of ISO 639-1, and `xx`, which spaCy uses for any language.
_TWO_LETTERS = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
    lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
    ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh xx yi yo za zh zu
"""


def canonical_tag(tag: str) -> str:
    """Return the tag in the case of BCP 47 (`uk`, `zh-Hant`); raise ValueError for another text."""
    match = _TAG.fullmatch(tag)
    if match is None:
        raise ValueError("a tag of BCP 47, such as en, uk, pt-BR or zh-Hant")
    language = match["language"].lower()
    shorter = dict(pair.split(":") for pair in _SHORTER.split())
    if language in shorter:
        raise ValueError(f"{shorter[language]}: BCP 47 has the shorter code of a language")
    if len(language) == 2 and language not in _TWO_LETTERS.split():
        raise ValueError(
            f"a tag of BCP 47, such as en, uk or pt-BR; ISO 639 has no language {language}"
        )
    parts = [language]
    if match["script"]:
        parts.append(match["script"].title())
    if match["region"]:
        parts.append(match["region"].upper())
    return "-".join(parts) + match["variants"].lower()


# --- Checks of texts: by script, by letters and by frequent words ---

# These are a sixth of the words of English texts, and nearly absent in other languages.
ENGLISH_WORDS = frozenset(
    ("the", "of", "and", "that", "this", "it", "for", "with", "are", "have", "not", "you", "they")
)
LEAST_ENGLISH, MOST_ENGLISH = 0.05, 0.1
LEAST_TOKENS, LEAST_WORDS, LEAST_LETTERS = 100, 20, 10
MOST_ACCENTED = 0.15
LETTERS_LOOKED_AT = 5_000
ENGLISH = "en"
# spaCy's tag for any language.
ANY = "xx"
# Frequent words of other languages in Latin script; in English texts they are rare.
FREQUENT_WORDS = {
    "cs": "je se na že to jsem si do ale jsme by jak který pro ve tak už mě také když",
    "da nb nn no": "og det er jeg ikke på til som av af har vi til fra hun men",
    "de": "der das und ich nicht ist ein eine mit zu den dem sich auf für er sie wir es habe von",
    "es": "el la que los las una del por con para se su es pero muy mi en de lo un me al no mis",
    "et": "ja on ei ma et see ta oli ning kui oma ka mis",
    "fi": "ja on ei se että hän olen minä mutta ovat oli kun myös",
    "fr": "le la les des est une que dans je il pas pour qui avec sur et de du un ne mon",
    "hu": "az és nem hogy egy de is ez van volt meg mert",
    "id ms": "yang dan di ini itu saya tidak dengan untuk dari ada ke akan",
    "it": "il che di la un una per non sono del della è con mi le ho si gli",
    "nl": "de het een van ik niet en dat op zijn voor met te er naar ook maar mijn",
    "pl": "nie się na że jest do ale jak mnie był jestem dla bardzo po od",
    "pt": "que os um uma para com não do da em se é eu muito de na no mas por",
    "ro": "și să în este nu cu la pe un mai am de că din",
    "sv": "och att det som en jag är på inte för av med har till den vi ett",
    "tr": "bir ve bu için çok da de ben ama gibi ne daha olarak",
}
LEAST_FREQUENT = 0.15
# Languages that are always written in one script other than Latin, by the names of its letters.
SCRIPTS = {
    "CYRILLIC": "be bg ce cv kk ky mk os ru tg tt uk",
    "CJK": "ja zh",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "GREEK": "el",
    "ARABIC": "ar fa ps sd ug ur",
    "HEBREW": "he yi",
    "DEVANAGARI": "hi mr ne sa",
    "BENGALI": "as bn",
    "ETHIOPIC": "am ti",
    "TIBETAN": "bo dz",
    "THAANA": "dv",
    "GUJARATI": "gu",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "KHMER": "km",
    "KANNADA": "kn",
    "LAO": "lo",
    "MALAYALAM": "ml",
    "MYANMAR": "my",
    "ORIYA": "or",
    "GURMUKHI": "pa",
    "SINHALA": "si",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}
LATIN = "LATIN"
SCRIPT_NAMES = {"CJK": "Chinese characters", "HIRAGANA": "Japanese", "HANGUL": "Korean"}
# In a Japanese text, kana are more than a tenth of the number of Chinese characters.
LEAST_KANA = 0.1
# All other languages use the Latin script, except those that are written in several scripts.
SEVERAL_SCRIPTS = frozenset(
    ("az", "ba", "ff", "ha", "ks", "ku", "mn", "ms", "ro", "sh", "sr", "tk", "uz", "xx", "za")
)


def fault_of_language(texts: Sequence[str], language: str | None) -> str | None:
    base, *subtags = (language or ENGLISH).split("-")
    names_script = any(len(subtag) == 4 and subtag.isalpha() for subtag in subtags[:1])
    named_language = f"{language} is named" if language else "no language is named"
    if base not in SEVERAL_SCRIPTS and not names_script:
        script = _script(texts)
        expected = {name for name, tags in SCRIPTS.items() if base in tags.split()} or {LATIN}
        if script is not None and script not in expected:
            name = SCRIPT_NAMES.get(script, f"the script {script.title()}")
            return f"texts in {name}, and {named_language}"
    share = _english_share(texts)
    english = f"{share or 0:.0%} of the sources' words are among the most common of English"
    if base == ENGLISH and share is not None and share < LEAST_ENGLISH:
        return f"{english}, and {named_language}"
    if base == ENGLISH and share is None and _accented_share(texts) > MOST_ACCENTED:
        return f"words with letters that English does not have, and {named_language}"
    frequent = _frequent_words(texts, base)
    if frequent is not None:
        return f"{frequent}, and {named_language}"
    if base not in (ENGLISH, ANY) and share is not None and share > MOST_ENGLISH:
        return f"{english}, and {named_language}. Is it English?"
    return None


def _script(texts: Sequence[str]) -> str | None:
    letters: list[str] = []
    for text in texts:
        letters += [letter for letter in text if letter.isalpha()]
        if len(letters) > LETTERS_LOOKED_AT:
            break
    if len(letters) < LEAST_LETTERS:
        return None
    counts = Counter(
        LATIN if letter.isascii() else re.split(r"\W", character_name(letter, ""))[0]
        for letter in letters
    )
    kana = counts["HIRAGANA"] + counts["KATAKANA"]
    if kana > LEAST_KANA * counts["CJK"]:
        counts["HIRAGANA"] = kana + counts.pop("CJK", 0)
    script, number = counts.most_common(1)[0]
    return script if 2 * number > len(letters) else None


def _accented_share(texts: Sequence[str]) -> float:
    words = [word for text in texts for word in text.split() if any(map(str.isalpha, word))]
    if len(words) < LEAST_WORDS:
        return 0.0
    return sum(any(c.isalpha() and not c.isascii() for c in word) for word in words) / len(words)


def _frequent_words(texts: Sequence[str], base: str) -> str | None:
    counts = Counter(token.lower() for text in texts for token in text.split())
    n_words = sum(number for word, number in counts.items() if any(map(str.isalpha, word)))
    words_by_language = {
        tags: sum(counts[word] for word in {*words.split()})
        for tags, words in FREQUENT_WORDS.items()
    }
    named = [number for tags, number in words_by_language.items() if base in tags.split()]
    if base == ENGLISH:
        named = [sum(counts[word] for word in ENGLISH_WORDS)]
    if n_words < LEAST_WORDS or not named:
        return None
    tags = max(words_by_language, key=words_by_language.__getitem__)
    number = words_by_language[tags]
    if number < LEAST_FREQUENT * n_words or number <= 2 * named[0]:
        return None
    names = " or ".join(tags.split())
    return f"{number / n_words:.0%} of the sources' words are frequent words of {names}"


def _english_share(texts: Sequence[str]) -> float | None:
    tokens = [token.lower() for text in texts for token in text.split()]
    if len(tokens) < LEAST_TOKENS:
        return None
    return sum(token in ENGLISH_WORDS for token in tokens) / len(tokens)


# --- Unicode's normal forms: an accented letter as one character, or as a letter and an accent ---
#
# Texts that look alike differ if their forms differ (Unicode Standard Annex 15). The compatibility
# forms, NFKC and NFKD, cannot be chosen, because they replace some characters. For example, they
# replace a separate acute accent by a space and an accent, which moves the following tokens.

NormalForm = Literal["NFC", "NFD"]
FORMS: tuple[NormalForm, ...] = get_args(NormalForm)


def in_form(text: str, form: NormalForm | None) -> str:
    return text if form is None else normalize(form, text)


def is_in_another_form(text: str, other_texts: Iterable[str]) -> bool:
    """Return whether the text and one of the others have no common form, and are not equal."""
    forms = _forms(text)
    if len(forms) == len(FORMS):
        return False
    return any(
        other != text and len(other_forms) < len(FORMS) and not forms & other_forms
        for other, other_forms in ((other, _forms(other)) for other in other_texts)
    )


def n_in_another_form(texts: Iterable[str], other_texts: Iterable[Iterable[str]]) -> int:
    """Return how many texts have another form than one of the texts at the same position."""
    return sum(map(is_in_another_form, texts, other_texts))


def _forms(text: str) -> frozenset[str]:
    if text.isascii():
        return frozenset(FORMS)
    return frozenset(form for form in FORMS if is_normalized(form, text))
