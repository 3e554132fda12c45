"""Location of LanguageTool: the folder of `maege languagetool install`, and others."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

SERVER_VERSION = "6.6"
# There is no server for these versions: they run in separate processes.
LEGACY_VERSIONS = ("3.7", "3.1")
VERSIONS = (SERVER_VERSION, *LEGACY_VERSIONS)
INSTALL = "maege languagetool install"

RECIPES = Path(__file__).resolve().with_name("recipes")
LEGACY_PROGRAM = RECIPES / "CheckTexts.java"


@dataclass(frozen=True)
class Installation:
    """An installed LanguageTool: its Java class path, and who installed it."""

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
    """Return the address of an external server, LANGUAGETOOL_URL, or None.

    It may be `http://host:port` or `http://host:port/v2`.
    """
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
    named = os.environ.get("LTP_PATH")
    downloads = Path(named) if named else _cache() / "language_tool_python"
    for parent in (home(), downloads):
        folder = downloaded_folder(parent, version)
        if version == SERVER_VERSION and is_whole(folder):
            class_path = os.pathsep.join([str(folder / "*"), str(folder / "libs" / "*")])
            return Installation(version, folder, class_path, "language_tool_python")
    return None


def downloaded_folder(parent: Path, version: str) -> Path:
    """Return the folder of a version within `language_tool_python`'s folder of downloads."""
    return parent / f"LanguageTool-{version}"


def is_whole(folder: Path) -> bool:
    """Return whether the folder holds a downloaded LanguageTool."""
    return (folder / "languagetool-server.jar").is_file()


def _cache() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    return Path(named) if named else Path.home() / ".cache"
