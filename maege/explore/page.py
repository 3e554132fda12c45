"""The page and its files, either as a folder for a web server or as a single file."""

import base64
import gzip
import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import duckdb

from maege.building.project import source
from maege.ingest.warehouse import Warehouse, WarehouseError, open_marts
from maege.sql import example_queries
from maege.whole_files import written_whole

HERE = Path(__file__).parent
# Built by `make explorer`; the wheel contains them.
BUILT = HERE / "static"
SCRIPT, WORKER, ENGINE, LICENCES = "explorer.js", "worker.js", "duckdb.wasm.gz", "licences.txt"
ASSETS = (SCRIPT, WORKER, ENGINE, LICENCES)
PAGE, ABOUT = "index.html", "about.json"
MARTS = "marts.duckdb"
# The browser reads larger marts in parts (page/database.js), which compressed files do not allow.
LARGE = 50_000_000
# No other host and no foreign code. The worker comes from the page itself, under the same policy.
POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval'; worker-src blob:; "
    "connect-src {connect} blob:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
SERVED_POLICY = POLICY.format(script="'self'", connect="'self'")


def refuse_unless_built() -> None:
    """Raise WarehouseError if the page is not built, as in a fresh clone."""
    if missing := [name for name in ASSETS if not (BUILT / name).is_file()]:
        raise WarehouseError(
            f"The page of maege explore is not built: {BUILT} lacks {', '.join(missing)}. In a "
            "clone, `make explorer` builds it and needs npm (Debian, Ubuntu: sudo apt-get install "
            "npm); after `pip install .` in a clone, install again. The wheel of a release has the "
            "page. Without the page, use maege sql or maege report."
        )


def about(warehouse: Warehouse, marts_file: str = MARTS) -> dict[str, Any]:
    """Return the page's settings: file and size of the marts, a description, example queries.

    Raises WarehouseError if nothing is published.
    """
    with open_marts(warehouse) as marts:
        corpora = marts.execute("select corpus from corpora order by n_sentences").fetchall()
        if not corpora:
            raise WarehouseError(f"{warehouse.marts}: holds no corpus. Run `maege ingest` first.")
        built = marts.execute("select value from publication where fact = 'built_at'").fetchone()
        names = ", ".join(sorted(name for (name,) in corpora))
        return {
            "marts": marts_file,
            "bytes": warehouse.marts.stat().st_size,
            "lead": f"The published marts of {names}, built {built[0] if built else 'once'}.",
            "questions": _questions(marts, corpora[0][0]),
        }


def served_page() -> str:
    """Return the page that loads its files from the same folder."""
    return _page(
        SERVED_POLICY, f'<script src="{SCRIPT}"></script>', f'<a href="{LICENCES}">Licences</a>'
    )


def write_folder(warehouse: Warehouse, folder: Path) -> None:
    """Write the page and its files into a folder, for any web server."""
    refuse_unless_built()
    marts_file = MARTS if warehouse.marts.stat().st_size > LARGE else f"{MARTS}.gz"
    said = json.dumps(about(warehouse, marts_file))
    folder.mkdir(parents=True, exist_ok=True)
    for name in ASSETS:
        shutil.copyfile(BUILT / name, folder / name)
    content = warehouse.marts.read_bytes()
    (folder / marts_file).write_bytes(content if marts_file == MARTS else _packed(content))
    (folder / ABOUT).write_text(said, encoding="utf-8")
    (folder / PAGE).write_text(served_page(), encoding="utf-8")


def write_single_file(warehouse: Warehouse, path: Path) -> None:
    """Write the page, its files and the marts as a single file that opens from any folder."""
    refuse_unless_built()
    said = json.dumps(about(warehouse))
    files = {name: (BUILT / name).read_bytes() for name in (WORKER, ENGINE)}
    files |= {ABOUT: said.encode(), MARTS: warehouse.marts.read_bytes()}
    held = [
        f'<script type="text/plain" id="file-{name}">{_letters(content)}</script>'
        for name, content in files.items()
    ]
    script = (BUILT / SCRIPT).read_text("utf-8").replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = POLICY.format(script=f"'sha256-{digest}'", connect="")
    licences = (BUILT / LICENCES).read_text("utf-8").replace("&", "&amp;").replace("<", "&lt;")
    notices = f"<details><summary>Licences</summary><pre>{licences}</pre></details>"
    page = _page(policy, "\n".join([*held, f"<script>{script}</script>"]), notices)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as copy:
        copy.write_text(page, encoding="utf-8", newline="\n")


def _questions(marts: duckdb.DuckDBPyConnection, corpus: str) -> list[dict[str, str]]:
    """Return the queries of `maege examples` and packaged ones without functions of MAEGE."""
    questions = [example._asdict() for example in example_queries(corpus)]
    for path in sorted((source() / "analysis" / "queries").rglob("*.sql")):
        query = path.read_text("utf-8").strip()
        try:
            marts.execute(f"explain {query}")
        except duckdb.Error:
            continue
        comment = re.match(r"(?:--.*\n)+", query)
        said = re.sub(r"\s*-- ?", " ", comment[0] if comment else path.stem).strip()
        questions.append({"question": said.partition("?")[0] + "?", "sql": query})
    return questions


def _page(policy: str, files: str, licences: str) -> str:
    parts = {
        "policy": policy,
        "style": (HERE / "page" / "style.css").read_text("utf-8"),
        "licences": licences,
        "files": files,
    }
    page = (HERE / "page" / PAGE).read_text("utf-8")
    return re.sub(r"{{(\w+)}}", lambda name: parts[name[1]], page)


def _packed(content: bytes) -> bytes:
    """Return the content compressed by gzip without a time: equal marts give equal files."""
    return gzip.compress(content, mtime=0)


def _letters(content: bytes) -> str:
    packed = content if content[:2] == b"\x1f\x8b" else _packed(content)
    return base64.b64encode(packed).decode()
