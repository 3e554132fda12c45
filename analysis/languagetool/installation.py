"""The installed LanguageTool: its folder or server, Java, and its languages."""

import hashlib
import http.client
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from maege.analysis.languagetool.matches import LanguageToolError

SERVER_VERSION = "6.6"
# There is no server for these versions: they run in separate processes.
LEGACY_VERSIONS = ("3.7", "3.1")
VERSIONS = (SERVER_VERSION, *LEGACY_VERSIONS)
INSTALL = "maege languagetool install"

RECIPES = Path(__file__).resolve().with_name("recipes")
LEGACY_PROGRAM = RECIPES / "CheckTexts.java"
_LOG_LINES = 10


@dataclass(frozen=True)
class Installation:
    version: str
    folder: Path
    class_path: str
    origin: str


def home() -> Path:
    """Return the folder of all versions: LANGUAGETOOL_HOME, else one in the user's cache."""
    folder = os.environ.get("LANGUAGETOOL_HOME")
    return Path(folder).expanduser() if folder else _cache() / "maege" / "languagetool"


def server_url() -> str | None:
    """Return LANGUAGETOOL_URL, the address of an external server, without `/v2`; or None."""
    url = os.environ.get("LANGUAGETOOL_URL", "").strip().rstrip("/")
    return url.removesuffix("/v2") or None


def recipe(version: str) -> Path:
    """Return the pom.xml that pins the version's jars. Raises ValueError for an unknown version."""
    if version not in VERSIONS:
        raise ValueError(f"found version {version}, expected one of {', '.join(VERSIONS)}")
    return RECIPES / f"pom-{version}.xml"


def folder_of(version: str) -> Path:
    """Return the folder of the version, whether or not the installation is complete.

    A changed recipe has another folder, so that running processes keep their jars.
    """
    digest = hashlib.sha256(recipe(version).read_bytes())
    if version in LEGACY_VERSIONS:
        digest.update(LEGACY_PROGRAM.read_bytes())
    return home() / f"{version}-{digest.hexdigest()[:12]}"


def find(version: str) -> Installation | None:
    """Return the installed version, else the one by `language_tool_python`, else None."""
    folder = folder_of(version)
    if folder.is_dir():
        class_path = os.pathsep.join([str(folder / "libs" / "*"), str(folder / "classes")])
        return Installation(version, folder, class_path, INSTALL)
    ltp_path = os.environ.get("LTP_PATH")
    downloads = Path(ltp_path) if ltp_path else _cache() / "language_tool_python"
    for parent in (home(), downloads):
        folder = downloaded_folder(parent, version)
        if version == SERVER_VERSION and is_whole(folder):
            class_path = os.pathsep.join([str(folder / "*"), str(folder / "libs" / "*")])
            return Installation(version, folder, class_path, "language_tool_python")
    return None


def downloaded_folder(parent: Path, version: str) -> Path:
    return parent / f"LanguageTool-{version}"


def is_whole(folder: Path) -> bool:
    return (folder / "languagetool-server.jar").is_file()


def _cache() -> Path:
    folder = os.environ.get("XDG_CACHE_HOME")
    return Path(folder) if folder else Path.home() / ".cache"


def java() -> str:
    """Return the path of the Java program. Raises LanguageToolError if there is none."""
    program = shutil.which("java")
    if program is None:
        raise LanguageToolError("Java is missing: maege doctor says how to install it")
    return program


def class_path(version: str) -> str:
    """Return the class path of an installed version. Raises LanguageToolError."""
    installation = find(version)
    if installation is None:
        raise LanguageToolError(
            f"LanguageTool {version} is not installed: {INSTALL} --version {version}"
        )
    return installation.class_path


def last_lines(log: IO[bytes]) -> str:
    log.seek(0)
    return "\n".join(log.read().decode("utf-8", "replace").splitlines()[-_LOG_LINES:])


def answer(url: str, path: str, seconds: float) -> tuple[int, bytes]:
    """Return status and body of a GET; raise OSError or http.client.HTTPException without them."""
    connection, prefix = connection_to(url)
    connection.timeout = seconds
    try:
        connection.request("GET", f"{prefix}{path}")
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def connection_to(url: str) -> tuple[http.client.HTTPConnection, str]:
    parts = urlsplit(url)
    is_secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
    return kind(parts.netloc), parts.path


ENGLISH = "en"
# 6.6's codes of languages for BCP 47 tags without a region; with a region most have more rules.
CODES = {
    code.split("-")[0]: code
    for code in (
        *("ar", "ast-ES", "be-BY", "br-FR", "ca-ES", "da-DK", "de-DE", "el-GR", "en-US", "eo"),
        *("es", "fa", "fr", "ga-IE", "gl-ES", "it", "ja-JP", "km-KH", "nl", "pl-PL"),
        *("pt-PT", "ro-RO", "ru-RU", "sk-SK", "sl-SI", "sv", "ta-IN", "tl-PH", "uk-UA", "zh-CN"),
    )
}
# Languages with variants.
VARIANTS = frozenset(
    {
        *("ca-ES-valencia", "de-AT", "de-CH", "en-AU", "en-CA", "en-GB", "en-NZ", "en-ZA"),
        *("es-AR", "fr-BE", "fr-CA", "fr-CH", "nl-BE", "pt-AO", "pt-BR", "pt-MZ"),
    }
)


def language_code(tag: str) -> str:
    return tag if tag in VARIANTS else CODES[tag.split("-")[0]]


def has_code(version: str, tag: str) -> bool:
    """Return whether a version supports the language, even if it is not installed."""
    language = tag.split("-")[0]
    return language == ENGLISH or (version not in LEGACY_VERSIONS and language in CODES)


def languages(version: str) -> frozenset[str]:
    """Return the languages of the installed or reachable version, as tags without a region."""
    codes = {ENGLISH}
    if version in LEGACY_VERSIONS:
        return frozenset(codes)
    if url := server_url():
        codes |= _server_languages(url)
    elif installation := find(version):
        # Maven installs one jar per language, a download has one folder per language.
        jars = (path.name.split("-")[1] for path in installation.folder.glob("libs/language-*.jar"))
        rules = (path.name for path in installation.folder.glob("org/languagetool/rules/*"))
        codes |= {*jars, *rules}
    return frozenset(codes & CODES.keys())


def _server_languages(url: str) -> set[str]:
    try:
        _, body = answer(url, "/v2/languages", 10)
        return {entry["code"] for entry in json.loads(body)}
    # An unreachable server is reported when texts are checked.
    except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError):
        return set()
