"""Pack the dashboard for `superset import-dashboards`, with the path of the published marts in it.

python bi/superset/pack.py warehouse/marts.duckdb dashboard.zip
"""

import sys
import zipfile
from pathlib import Path
from string import Template

DASHBOARD = Path(__file__).parent / "dashboard"


def pack(marts: Path, target: Path) -> None:
    """Write the zip file; only the database's address is not as it stands in the folder."""
    with zipfile.ZipFile(target, "w") as packed:
        for path in sorted(DASHBOARD.rglob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            if path.parent.name == "databases":
                text = Template(text).substitute(MARTS=marts.resolve())
            packed.writestr(str(Path("maege", path.relative_to(DASHBOARD))), text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
