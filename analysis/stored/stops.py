"""Keep the reasons why metrics stopped before they had scored everything, as small files.

The next build continues with these metrics, whatever else has changed.
"""

import os
from pathlib import Path

STOP_SUFFIX = ".txt"


def stops_folder(warehouse: Path | None = None) -> Path:
    return (warehouse or Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")) / "stopped"


def note_stop(metric: str, reason: str) -> None:
    folder = stops_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{metric}{STOP_SUFFIX}").write_text(reason, encoding="utf-8")


def forget_stop(metric: str, warehouse: Path | None = None) -> None:
    (stops_folder(warehouse) / f"{metric}{STOP_SUFFIX}").unlink(missing_ok=True)


def stops(warehouse: Path | None = None) -> dict[str, str]:
    files = sorted(stops_folder(warehouse).glob(f"*{STOP_SUFFIX}"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}
