"""What a first build of little data does without, part by part: the sample from an empty warehouse.

Run with `python benchmarks/first_build_speed.py`, twice where dbt's templates are not kept yet. The
baseline, in the same run, is a build with none of the parts; each other line is one with all of
them but one, and the last with all.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ROUNDS = 2
# What a build is without when this is replaced by something that does nothing.
PARTS = {
    "workers forked by a template": "workers.template.start_template",
    "the longest way first": "stored.node_order.order_nodes",
    "kept schemas and templates": "stored.kept_work.keep_work",
    "one thread for DuckDB": "",
}
# dbt imports the project's plugin itself, which then finds these functions as they are here.
PROGRAM = """
import importlib, sys
from dbt.cli.main import cli
without, sys.argv = sys.argv[1].split(), ["dbt", *sys.argv[2:]]
for name in without:
    module, function = name.rsplit(".", 1)
    setattr(importlib.import_module(f"analysis.{module}"), function, lambda **_: None)
cli()
"""


def seconds(without: list[str]) -> float:
    """Return what `dbt build` of the ingested sample takes without some parts."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MAEGE_WAREHOUSE": str(Path(folder) / "warehouse")}
        environment.pop("MAEGE_THREADS", None)
        if "" in without:
            environment["MAEGE_THREADS"] = "2"
        maege = Path(sys.executable).with_name("maege")
        ingest = [str(maege), "ingest", "corpora/sample"]
        subprocess.run(ingest, cwd=REPOSITORY, env=environment, check=True, capture_output=True)
        names = " ".join(name for name in without if name)
        build = [sys.executable, "-c", PROGRAM, names, "build", "--quiet"]
        build += ["--exclude-resource-type", "unit_test", "--target-path", f"{folder}/target"]
        build += ["--log-path", folder]
        started = time.perf_counter()
        subprocess.run(build, cwd=REPOSITORY, env=environment, check=True, capture_output=True)
        return time.perf_counter() - started


def main() -> None:
    """Print the seconds of the fastest of some builds of each kind, and their ratios."""
    kinds = {"none of the parts": list(PARTS.values())}
    kinds |= {f"without {name}": [function] for name, function in PARTS.items()}
    kinds |= {"all": []}
    fastest = dict.fromkeys(kinds, float("inf"))
    for _ in range(ROUNDS):
        for kind, without in kinds.items():
            fastest[kind] = min(fastest[kind], seconds(without))
    print(f"corpora/sample, {os.cpu_count()} processors, fastest of {ROUNDS}")
    print(f"{'':<40}{'seconds':>9}{'/ none':>9}")
    for kind, taken in fastest.items():
        print(f"{kind:<40}{taken:>9.1f}{taken / fastest['none of the parts']:>9.2f}")


if __name__ == "__main__":
    main()
