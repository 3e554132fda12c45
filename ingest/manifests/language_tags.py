"""BCP 47 language tags: `uk`, `pt-BR`, `zh-Hant`."""

import re

# Language, then optional script, region and variants. Extensions and private tags do not affect any
# metric.
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(-(?P<script>[a-z]{4}))?(-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)",
    re.IGNORECASE,
)
# BCP 47 requires the shorter ISO 639 code if there are two. Metrics that read `en` would not
# recognise `eng`.
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
# The codes of ISO 639-1, and `xx`, which spaCy uses for any language.
_TWO_LETTERS = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
    lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
    ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh xx yi yo za zh zu
"""
# Frequent mistakes: codes of countries, withdrawn codes, and names of languages.
_MEANT = {
    "arabic": "ar",
    "at": "de",
    "by": "be",
    "chinese": "zh",
    "cn": "zh",
    "cz": "cs",
    "czech": "cs",
    "dk": "da",
    "english": "en",
    "french": "fr",
    "gb": "en-GB",
    "german": "de",
    "gr": "el",
    "in": "id",
    "ir": "fa",
    "italian": "it",
    "iw": "he",
    "japanese": "ja",
    "ji": "yi",
    "jp": "ja",
    "jw": "jv",
    "mx": "es-MX",
    "pk": "ur",
    "rs": "sr",
    "russian": "ru",
    "spanish": "es",
    "ua": "uk",
    "ukrainian": "uk",
    "us": "en-US",
    "vn": "vi",
}
_REGIONS_MEANT = {"UK": "GB", "EN": "GB"}


def canonical_tag(tag: str) -> str:
    """Return the tag with the case that BCP 47 recommends: `UK` is `uk`, `ZH-hant` is `zh-Hant`.

    Raises ValueError, with the form of a tag, for an invalid tag.
    """
    found = _TAG.fullmatch(tag)
    if found is None:
        # The form of locales: en_US.UTF-8.
        meant = tag.strip().partition(".")[0].replace("_", "-")
        meant = _MEANT.get(meant.lower(), meant)
        hint = f". Did you mean {meant}?" if meant != tag and _TAG.fullmatch(meant) else ""
        raise ValueError(f"a tag of BCP 47, such as en, uk, pt-BR or zh-Hant{hint}")
    language = found["language"].lower()
    if language in _SHORTER:
        raise ValueError(f"{_SHORTER[language]}: BCP 47 has the shorter code of a language")
    if len(language) == 2 and language not in _TWO_LETTERS.split():
        meant = f". Did you mean {_MEANT[language]}?" if language in _MEANT else ""
        raise ValueError(
            f"a tag of BCP 47, such as en, uk or pt-BR; ISO 639 has no language {language}{meant}"
        )
    region = (found["region"] or "").upper()
    if region in _REGIONS_MEANT:
        raise ValueError(
            f"a tag of BCP 47; ISO 3166 has no region {region}. "
            f"Did you mean {language}-{_REGIONS_MEANT[region]}?"
        )
    parts = [language]
    if found["script"]:
        parts.append(found["script"].title())
    if found["region"]:
        parts.append(found["region"].upper())
    return "-".join(parts) + found["variants"].lower()
