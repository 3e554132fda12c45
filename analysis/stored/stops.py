"""Keep the reasons why metrics stopped before they had scored everything, as small files."""

import os
from pathlib import Path


def _folder(warehouse: Path | None = None) -> Path:
    return (warehouse or Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")) / "stopped"


def note_stop(metric: str, reason: str) -> None:
    _folder().mkdir(parents=True, exist_ok=True)
    (_folder() / f"{metric}.txt").write_text(reason, encoding="utf-8")


def forget_stop(metric: str) -> None:
    (_folder() / f"{metric}.txt").unlink(missing_ok=True)


def stops(warehouse: Path | None = None) -> dict[str, str]:
    files = sorted(_folder(warehouse).glob("*.txt"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}
