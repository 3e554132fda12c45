"""Build the sample with each supported pair of engines, and compare the marts.

make test-engines

Each pair has an environment of its own under target/engines with its DuckDB and dbt-core, and all
other packages from .venv. Exits with 1 and the names of tables that differ.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import duckdb
import pandas as pd

REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / "target" / "engines"
# The pair of the lock file comes first, as the baseline.
PAIRS = (("1.5.6", "1.11.16"), ("1.5.6", "1.12.6"), ("2.0.1", "1.11.16"), ("2.0.1", "1.12.6"))
# Additional packages of dbt-core 1.12. Its parser is not available from a package index
# (docs/dependencies.md), and nothing here uses it.
BESIDE = {"1.12.6": ["metricflow==0.213.0", "python-dotenv==1.2.4", "sqlglot==30.30.0"]}
# The oldest version that README lists as able to read published marts.
OLDEST_READER = "1.2.2"
# This table names the engines that built the marts, and the time.
LEFT_OUT = {"publication"}
TABLES = "select table_name from information_schema.tables where table_schema = 'main'"
READ = f"""
import sys, duckdb
marts = duckdb.connect(sys.argv[1], read_only=True)
TABLES = "{TABLES}"
names = [name for (name,) in marts.execute(TABLES).fetchall()]
print(len(names), sum(len(marts.execute("from " + name).fetchall()) for name in names))
"""


def environment(name: str, *packages: str) -> Path:
    folder = FOLDER / name
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=False, symlinks=True)
        below = folder / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
        places = f"{sysconfig.get_path('purelib')}\n{REPOSITORY}\n"
        (below / "ours.pth").write_text(places)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", *packages], check=True)
    return python


def build(python: Path, warehouse: Path) -> Path:
    maege = [str(python), "-c", "from maege.cli import main; main()"]
    variables = {**os.environ, "MAEGE_WAREHOUSE": str(warehouse)}
    for command in (["ingest", "corpora/sample"], ["build"]):
        subprocess.run([*maege, *command], cwd=REPOSITORY, env=variables, check=True)
    return warehouse / "marts.duckdb"


def tables(marts: Path) -> dict[str, pd.DataFrame]:
    """Return each mart with its rows sorted; numbers, which may differ a little, decide last."""
    frames = {}
    with duckdb.connect(str(marts), read_only=True) as connection:
        for (name,) in connection.execute(TABLES).fetchall():
            answer = connection.table(name)
            kinds = dict(zip(answer.columns, map(str, answer.types), strict=True))
            # Columns with times of loading differ between builds and are not compared.
            columns = [f'"{column}"' for column, kind in kinds.items() if kind != "TIMESTAMP"]
            numbers = [f'"{column}"' for column, kind in kinds.items() if kind == "DOUBLE"]
            order = [column for column in columns if column not in numbers]
            order += [f"printf('%.6e', {column})" for column in numbers]
            frames[name] = answer.select(*columns).order(", ".join(order)).df()
    return frames


def differences(marts: Path, other: Path) -> list[str]:
    """Return a line for each mart that differs, where numbers are compared to nine digits."""
    ours, theirs = tables(marts), tables(other)
    lines = [f"{name}: in one of them alone" for name in ours.keys() ^ theirs.keys()]
    for name in ours.keys() & theirs.keys() - LEFT_OUT:
        try:
            pd.testing.assert_frame_equal(ours[name], theirs[name], rtol=1e-9, atol=1e-12)
        except AssertionError as error:
            first, *_, last = str(error).splitlines()
            lines.append(f"{name}: {first}: {last}")
    return sorted(lines)


def main() -> None:
    reader = environment(f"duckdb-{OLDEST_READER}", f"duckdb=={OLDEST_READER}")
    first: Path | None = None
    failed = False
    for engine, dbt in PAIRS:
        name = f"duckdb-{engine}-dbt-{dbt}"
        python = environment(name, f"duckdb=={engine}", f"dbt-core=={dbt}", *BESIDE.get(dbt, []))
        marts = build(python, FOLDER / name / "warehouse")
        read = subprocess.run(
            [str(reader), "-c", READ, str(marts)], check=True, capture_output=True, text=True
        )
        n_tables, n_rows = read.stdout.split()
        lines = differences(first, marts) if first is not None else []
        first = first or marts
        sys.stdout.write(
            f"DuckDB {engine}, dbt-core {dbt}: {n_tables} tables, {n_rows} rows, which DuckDB "
            f"{OLDEST_READER} reads; {len(lines)} tables differ from the first pair's\n"
            + "".join(f"  {line}\n" for line in lines)
        )
        sys.stdout.flush()
        failed |= bool(lines)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
