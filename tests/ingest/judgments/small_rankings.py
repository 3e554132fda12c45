"""Small files of human rankings, in the published formats."""

from pathlib import Path

from small_corpus import MANIFEST, write_corpus

HEAD = '<?xml version="1.0"?>\n<appraise-results>\n<ranking-result id="r">\n'
TAIL = "</ranking-result>\n</appraise-results>\n"
PAIRS = "system1Id,system1rank,system2Id,system2rank,srcIndex,judgeID\n"


def manifest(entry: str) -> str:
    assert MANIFEST.count("judges: judgments.csv") == 1
    systems = "{INPUT: INPUT.txt, good: good.txt, same: good.txt, bad: INPUT.txt}"
    text = MANIFEST.replace("{INPUT: INPUT.txt, good: good.txt}", systems)
    return text.replace("judges: judgments.csv", f"judges: {entry}")


def item(number: int, sentence: int, *cells: tuple[str, object], judge: str = "ann") -> str:
    """Return an item of Appraise: one line for it, one for each cell, and one for its end."""
    ranked = "".join(f'<translation rank="{rank}" system="{names}"/>\n' for names, rank in cells)
    begin = f'<ranking-item id="{number}" src-id="{sentence}" user="{judge}">\n'
    return f"{begin}{ranked}</ranking-item>\n"


def appraise(tmp_path: Path, *items: str, entry: str = "") -> Path:
    return write_corpus(
        tmp_path / "corpus",
        manifest_yml=manifest(f"{{file: judgments.xml, format: appraise{entry}}}"),
        judgments_xml=HEAD + "".join(items) + TAIL,
    )
