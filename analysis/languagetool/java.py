"""The Java program and its class path."""

import shutil

from maege.analysis.languagetool.installation import INSTALL, find
from maege.analysis.languagetool.matches import LanguageToolError


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
