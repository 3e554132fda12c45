"""Build the sample with each supported pair of engines, and compare the marts.

make test-engines

Each pair has an environment of its own under target/engines with its DuckDB and dbt-core, and all
other packages from .venv. Exits with 1 and the names of tables that differ.
"""

import math
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import duckdb

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
Row = tuple[object, ...]


def environment(name: str, *packages: str) -> Path:
    """Return the Python of an environment with the packages, and with our other packages."""
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
    """Build the sample there from scratch; return the published marts."""
    maege = [str(python), "-c", "from maege.cli import main; main()"]
    variables = {**os.environ, "MAEGE_WAREHOUSE": str(warehouse)}
    for command in (["ingest", "corpora/sample"], ["build"]):
        subprocess.run([*maege, *command], cwd=REPOSITORY, env=variables, check=True)
    return warehouse / "marts.duckdb"


def tables(marts: Path) -> dict[str, tuple[list[str], list[Row]]]:
    """Return the columns and the rows of each mart, sorted by their values."""
    tables_by_name = {}
    with duckdb.connect(str(marts), read_only=True) as connection:
        for (name,) in connection.execute(TABLES).fetchall():
            if name not in LEFT_OUT:
                answer = connection.table(name)
                kinds = zip(answer.columns, answer.types, strict=True)
                # Columns with times of loading differ between builds and are not compared.
                columns = [column for column, kind in kinds if kind != "TIMESTAMP"]
                rows = answer.select(*columns).fetchall()
                tables_by_name[name] = (columns, sorted(rows, key=place))
    return tables_by_name


def place(row: Row) -> tuple[list[str], list[str]]:
    """Return the row's sort key, with floating-point numbers last, because they may differ."""
    exact = [str(value) for value in row if not isinstance(value, float)]
    return exact, [f"{value:.6e}" for value in row if isinstance(value, float)]


def alike(row: Row, other: Row) -> bool:
    """Return whether the rows are equal, numbers with a fraction to nine digits."""
    return len(row) == len(other) and all(
        math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))
        if isinstance(a, float) and isinstance(b, float)
        else a == b
        for a, b in zip(row, other, strict=True)
    )


def differences(marts: Path, other: Path) -> list[str]:
    """Return a line for each mart that differs."""
    ours, theirs = tables(marts), tables(other)
    lines = [f"{name}: in one of them alone" for name in sorted(ours.keys() ^ theirs.keys())]
    for name in sorted(ours.keys() & theirs.keys()):
        (columns, rows), (their_columns, their_rows) = ours[name], theirs[name]
        if columns != their_columns:
            lines.append(f"{name}: columns {sorted(set(columns) ^ set(their_columns))}")
        elif len(rows) != len(their_rows):
            lines.append(f"{name}: {len(rows)} rows and {len(their_rows)}")
        else:
            pairs = zip(rows, their_rows, strict=True)
            unlike = [(row, other_row) for row, other_row in pairs if not alike(row, other_row)]
            if unlike:
                row, other_row = unlike[0]
                lines.append(f"{name}: {len(unlike)} of {len(rows)} rows, as {row} and {other_row}")
    return lines


def main() -> None:
    """Build on each pair, compare with the first, and read each with an old DuckDB."""
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
