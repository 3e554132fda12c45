"""Languages of the installed LanguageTool, and its codes for them."""

import http.client
import json

from maege.analysis.languagetool.asking import answer
from maege.analysis.languagetool.installation import LEGACY_VERSIONS, find, server_url

ENGLISH = "en"
# 6.6's codes of languages for BCP 47 tags without a region; with a region most have more rules.
CODES = {
    "ar": "ar",
    "ast": "ast-ES",
    "be": "be-BY",
    "br": "br-FR",
    "ca": "ca-ES",
    "da": "da-DK",
    "de": "de-DE",
    "el": "el-GR",
    "en": "en-US",
    "eo": "eo",
    "es": "es",
    "fa": "fa",
    "fr": "fr",
    "ga": "ga-IE",
    "gl": "gl-ES",
    "it": "it",
    "ja": "ja-JP",
    "km": "km-KH",
    "nl": "nl",
    "pl": "pl-PL",
    "pt": "pt-PT",
    "ro": "ro-RO",
    "ru": "ru-RU",
    "sk": "sk-SK",
    "sl": "sl-SI",
    "sv": "sv",
    "ta": "ta-IN",
    "tl": "tl-PH",
    "uk": "uk-UA",
    "zh": "zh-CN",
}
# Languages with variants.
VARIANTS = frozenset(
    {
        *("ca-ES-valencia", "de-AT", "de-CH", "en-AU", "en-CA", "en-GB", "en-NZ", "en-ZA"),
        *("es-AR", "fr-BE", "fr-CA", "fr-CH", "nl-BE", "pt-AO", "pt-BR", "pt-MZ"),
    }
)
_SECONDS = 10.0


def language_code(tag: str) -> str:
    """Return LanguageTool's code of a language; raise KeyError if it does not support it."""
    return tag if tag in VARIANTS else CODES[tag.split("-")[0]]


def has_code(version: str, tag: str) -> bool:
    """Return whether a version supports the language, whether or not it is installed."""
    language = tag.split("-")[0]
    return language == ENGLISH or (version not in LEGACY_VERSIONS and language in CODES)


def languages(version: str) -> frozenset[str]:
    """Return the languages of a version, as BCP 47 tags without a region.

    Only English for versions before 6.6, and if nothing is installed or reachable.
    """
    known = {ENGLISH}
    url = server_url()
    if version in LEGACY_VERSIONS:
        return frozenset(known)
    if url:
        known |= _of_server(url)
    elif found := find(version):
        # Maven installs one jar per language, a download has one folder per language.
        jars = (path.name.split("-")[1] for path in found.folder.glob("libs/language-*.jar"))
        rules = (path.name for path in found.folder.glob("org/languagetool/rules/*"))
        known |= {*jars, *rules}
    return frozenset(known & CODES.keys())


def _of_server(url: str) -> set[str]:
    try:
        _, body = answer(url, "/v2/languages", _SECONDS)
        return {entry["code"] for entry in json.loads(body)}
    # An unreachable server is reported when texts are checked.
    except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError):
        return set()
