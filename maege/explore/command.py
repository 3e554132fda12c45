"""The command `maege explore`."""

import errno
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from maege.commands.outcome import failures, option, refuse
from maege.ingest.warehouse import Warehouse, find_warehouse

# A fixed default, so that links to queries keep working.
PORT = 8533


def explore(
    port: Annotated[
        int, option("Port of the server. 0 chooses a free one.", min=0, max=65535)
    ] = PORT,
    no_browser: Annotated[
        bool, option("Do not open a browser; print the address only.", None, "--no-browser")
    ] = False,
    single_file: Annotated[
        Path | None, option("Write one file that contains the page and the marts.", "FILE")
    ] = None,
    folder: Annotated[
        Path | None, option("Write the page and the marts for any web server.", "FOLDER")
    ] = None,
    results: Annotated[
        bool, option("Explore the results in the package, without a warehouse.", None, "--results")
    ] = False,
) -> None:
    """Explore the published marts in a browser: example queries, SQL, tables and charts.

    DuckDB runs in the browser, and no other host is contacted. The page is served on the
    loopback address only, until Ctrl-C. --single-file and --folder write it to disk instead.

    \b
    Examples:
      maege explore
      maege explore --results
      maege explore --single-file marts.html
      maege explore --folder public/marts
    """  # noqa: D301 - click reads the \b
    from maege.explore.page import write_folder, write_single_file
    from maege.shipped.read import as_warehouse

    if single_file and folder:
        raise typer.BadParameter("choose one of --single-file and --folder")
    with failures(as_json=False, reassurance="Nothing was written."), ExitStack() as stack:
        warehouse = stack.enter_context(as_warehouse()) if results else find_warehouse()
        if single_file:
            write_single_file(warehouse, single_file)
            typer.echo(f"{single_file} ({single_file.stat().st_size / 1e6:.1f} MB)")
        elif folder:
            write_folder(warehouse, folder)
            size = sum(path.stat().st_size for path in folder.iterdir())
            typer.echo(f"{folder} ({size / 1e6:.1f} MB)")
        else:
            _serve(warehouse, port, opens_browser=not no_browser)


def _serve(warehouse: Warehouse, port: int, *, opens_browser: bool) -> None:
    from maege.explore.page import LOOPBACK, serving

    with ExitStack() as stack:
        try:
            server = stack.enter_context(serving(warehouse, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            refuse(f"port {port} is in use, perhaps by an open page; --port 0 chooses a free one")
        address = f"http://{LOOPBACK}:{server.server_port}/"
        typer.echo(f"The marts: {address} (Ctrl-C ends)")
        if opens_browser:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("Ended.")
