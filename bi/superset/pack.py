"""Pack the dashboard for `superset import-dashboards`, with what the published marts have in it.

python bi/superset/pack.py warehouse/marts.duckdb dashboard.zip
"""

import json
import re
import sys
import zipfile
from pathlib import Path
from string import Template

import duckdb

DASHBOARD = Path(__file__).parent / "dashboard"


def pack(marts: Path, target: Path) -> None:
    """Write the zip file: the database gets its address, each data set the columns of its mart."""
    with zipfile.ZipFile(target, "w") as packed, duckdb.connect(marts, read_only=True) as opened:
        for path in sorted(DASHBOARD.rglob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            if path.parent.name == "databases":
                text = Template(text).substitute(MARTS=marts.resolve())
            if table := re.search(r"^table_name: (\w+)$", text, re.MULTILINE):
                text += f"columns: {json.dumps(columns(opened, table[1]))}\n"
            packed.writestr(str(Path("maege", path.relative_to(DASHBOARD))), text)


def columns(marts: duckdb.DuckDBPyConnection, table: str) -> list[dict[str, str | bool]]:
    """Return the columns of a mart as Superset describes them."""
    mart = marts.table(table)
    flags = {"is_dttm": False, "is_active": True, "groupby": True, "filterable": True}
    return [
        {"column_name": name, "type": str(kind), **flags}
        for name, kind in zip(mart.columns, mart.types, strict=True)
    ]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
