"""Where LanguageTool is found: the folder that `maege languagetool install` fills, and others."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

SERVER_VERSION = "6.6"
# No server was published for these: they run in a process of their own.
LEGACY_VERSIONS = ("3.7", "3.1")
VERSIONS = (SERVER_VERSION, *LEGACY_VERSIONS)
INSTALL = "maege languagetool install"

RECIPES = Path(__file__).resolve().with_name("recipes")
LEGACY_PROGRAM = RECIPES / "CheckTexts.java"


@dataclass(frozen=True)
class Installation:
    """A LanguageTool on disk: what goes into Java's class path, and who put it there."""

    version: str
    folder: Path
    class_path: str
    origin: str


def home() -> Path:
    """Return the folder of all versions: LANGUAGETOOL_HOME, else one in the user's cache."""
    named = os.environ.get("LANGUAGETOOL_HOME")
    if named:
        return Path(named).expanduser()
    return _cache() / "maege" / "languagetool"


def server_url() -> str | None:
    """Return the address of a server that somebody else runs, LANGUAGETOOL_URL, or None.

    Both `http://host:port` and `http://host:port/v2` name it.
    """
    url = os.environ.get("LANGUAGETOOL_URL", "").strip().rstrip("/")
    return url.removesuffix("/v2") or None


def recipe(version: str) -> Path:
    """Return the pom.xml that pins the version's jars. Raises ValueError for an unknown version."""
    if version not in VERSIONS:
        raise ValueError(f"found version {version}, expected one of {', '.join(VERSIONS)}")
    return RECIPES / f"pom-{version}.xml"


def folder_of(version: str) -> Path:
    """Return where the version is installed, whole or not at all.

    A recipe that has changed has another folder, so that what runs keeps its jars.
    """
    digest = hashlib.sha256(recipe(version).read_bytes())
    if version in LEGACY_VERSIONS:
        digest.update(LEGACY_PROGRAM.read_bytes())
    return home() / f"{version}-{digest.hexdigest()[:12]}"


def find(version: str) -> Installation | None:
    """Return the version as installed, else as `language_tool_python` downloaded it, else None."""
    folder = folder_of(version)
    if folder.is_dir():
        class_path = os.pathsep.join([str(folder / "libs" / "*"), str(folder / "classes")])
        return Installation(version, folder, class_path, INSTALL)
    named = os.environ.get("LTP_PATH")
    downloads = Path(named) if named else _cache() / "language_tool_python"
    for parent in (home(), downloads):
        folder = downloaded_folder(parent, version)
        if version == SERVER_VERSION and is_whole(folder):
            class_path = os.pathsep.join([str(folder / "*"), str(folder / "libs" / "*")])
            return Installation(version, folder, class_path, "language_tool_python")
    return None


def downloaded_folder(parent: Path, version: str) -> Path:
    """Return where `language_tool_python` puts a version, given its folder of downloads."""
    return parent / f"LanguageTool-{version}"


def is_whole(folder: Path) -> bool:
    """Return whether the folder holds a downloaded LanguageTool."""
    return (folder / "languagetool-server.jar").is_file()


def _cache() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    return Path(named) if named else Path.home() / ".cache"
