"""Tags of languages as BCP 47 has them: `uk`, `pt-BR`, `zh-Hant`."""

import re

# Language, then script, region and variants where they matter. Extensions and private tags name
# nothing that a metric could read otherwise.
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(-(?P<script>[a-z]{4}))?(-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)",
    re.IGNORECASE,
)
# BCP 47 wants the shorter code of ISO 639 where there are two: metrics that read `en` would not
# know `eng` for the same.
_SHORTER = {
    "ara": "ar",
    "ces": "cs",
    "cze": "cs",
    "deu": "de",
    "ger": "de",
    "ell": "el",
    "gre": "el",
    "eng": "en",
    "est": "et",
    "fas": "fa",
    "per": "fa",
    "fra": "fr",
    "fre": "fr",
    "ita": "it",
    "jpn": "ja",
    "kor": "ko",
    "lav": "lv",
    "nld": "nl",
    "dut": "nl",
    "nor": "no",
    "pol": "pl",
    "por": "pt",
    "ron": "ro",
    "rum": "ro",
    "rus": "ru",
    "slk": "sk",
    "slo": "sk",
    "slv": "sl",
    "spa": "es",
    "swe": "sv",
    "tur": "tr",
    "ukr": "uk",
    "vie": "vi",
    "zho": "zh",
    "chi": "zh",
}


def canonical_tag(tag: str) -> str:
    """Return the tag with the case that BCP 47 recommends: `UK` is `uk`, `ZH-hant` is `zh-Hant`.

    Raises ValueError, with what a tag looks like, where it is none.
    """
    found = _TAG.fullmatch(tag)
    if found is None:
        raise ValueError("a tag of BCP 47, such as en, uk, pt-BR or zh-Hant")
    language = found["language"].lower()
    if language in _SHORTER:
        raise ValueError(f"{_SHORTER[language]}: BCP 47 has the shorter code of a language")
    parts = [language]
    if found["script"]:
        parts.append(found["script"].title())
    if found["region"]:
        parts.append(found["region"].upper())
    return "-".join(parts) + found["variants"].lower()
