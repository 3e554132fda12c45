"""Metrics that were stopped before they had scored all, and why: small files of the warehouse.

The next build goes on with them, whatever else has changed.
"""

import os
from pathlib import Path

SUFFIX = ".txt"


def stops_folder(warehouse: Path | None = None) -> Path:
    """Return where the reasons are."""
    return (warehouse or Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")) / "stopped"


def note_stop(metric: str, reason: str) -> None:
    """Keep why a metric was stopped."""
    folder = stops_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{metric}{SUFFIX}").write_text(reason, encoding="utf-8")


def forget_stop(metric: str, warehouse: Path | None = None) -> None:
    """Forget that a metric was stopped."""
    (stops_folder(warehouse) / f"{metric}{SUFFIX}").unlink(missing_ok=True)


def stops(warehouse: Path | None = None) -> dict[str, str]:
    """Return the reasons by metric."""
    files = sorted(stops_folder(warehouse).glob(f"*{SUFFIX}"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}
