"""Metrics that stopped before they had scored everything, and why, as small files.

The next build continues with them, whatever else has changed.
"""

import os
from pathlib import Path

SUFFIX = ".txt"


def stops_folder(warehouse: Path | None = None) -> Path:
    """Return the folder with the reasons."""
    return (warehouse or Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")) / "stopped"


def note_stop(metric: str, reason: str) -> None:
    """Record why a metric stopped."""
    folder = stops_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{metric}{SUFFIX}").write_text(reason, encoding="utf-8")


def forget_stop(metric: str, warehouse: Path | None = None) -> None:
    """Delete the record that a metric stopped."""
    (stops_folder(warehouse) / f"{metric}{SUFFIX}").unlink(missing_ok=True)


def stops(warehouse: Path | None = None) -> dict[str, str]:
    """Return the reasons by metric."""
    files = sorted(stops_folder(warehouse).glob(f"*{SUFFIX}"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}
