"""The section on the origin of all numbers: signatures, corpora, files and versions."""

from html import escape

from maege.page_texts import without_folders
from maege.report.exhibits import Column, Exhibit, Section, Words
from maege.report.marts import Marts, corpora, sql


def sections(marts: Marts) -> list[Section]:
    """Return signatures, corpora with licences and hashes, and what is missing."""
    rows = [row for row in corpora(marts.connection) if row["corpus"] in marts.scope.corpora]
    for row in rows:
        # The table has all corpora of the page, so the filter for corpora does not apply.
        row["name"] = row.pop("corpus")
        # The published results have no times of ingests.
        row["ingested"] = f"{at:%Y-%m-%d %H:%M}" if (at := row["ingested_at"]) else None
    signatures = marts.ask("signatures")
    exhibits = [
        Exhibit(
            "corpora",
            "Where do the corpora come from?",
            "A table of corpora with their licences and origins.",
            sql("corpora"),
            (
                Column("name", "corpus"),
                Column("title", "title"),
                Column("n_sentences", "sentences", "count"),
                Column("n_systems", "systems", "count"),
                Column("licence", "licence"),
                Column("origin", "origin"),
                Column("ingested", "ingested (UTC)"),
            ),
            rows,
            is_open=True,
        ),
        Exhibit(
            "signatures",
            "With what was each metric computed?",
            "A table of metrics with their signatures.",
            sql("signatures"),
            (
                Column("metric", "metric"),
                Column("inputs", "reads"),
                Column("source", "published by"),
                Column("signature", "signature"),
            ),
            signatures,
            note=f"{len(signatures)} signatures: scores with the same one can be compared.",
        ),
    ]
    missing = [
        row | {name: without_folders(row[name] or "") for name in ("reason", "remedy")}
        for row in marts.ask("availability")
    ]
    if missing:
        exhibits.append(
            Exhibit(
                "missing",
                "Which metrics are missing, and how can they be added?",
                "A table of metrics without scores, with the reason and the remedy.",
                sql("availability"),
                (
                    Column("metric", "metric"),
                    Column("corpus", "corpus"),
                    Column("reason", "why"),
                    Column("remedy", "remedy"),
                ),
                missing,
                is_open=True,
            )
        )
    variables = marts.ask("variables")
    if variables:
        exhibits.append(
            Exhibit(
                "variables",
                "With which variables were the marts built?",
                "A table of variables with their values.",
                sql("variables"),
                (Column("variable", "variable"), Column("value", "value")),
                variables,
                note="Those of dbt_project.yml, as the last build had them.",
            )
        )
    files = marts.ask("files")
    if files:
        exhibits.append(
            Exhibit(
                "files",
                "From which files were the corpora read?",
                "A table of files with their hashes.",
                sql("files"),
                (
                    Column("path", "file"),
                    Column("corpus", "corpus"),
                    Column("role", "role"),
                    Column("n_lines", "lines", "count"),
                    Column("sha256", "SHA-256"),
                ),
                files,
            )
        )
    engine = marts.connection.execute("select version()").fetchall()[0][0]
    about = (*_built(marts), f"Read with DuckDB {escape(str(engine)).lstrip('v')}.")
    return [
        Section("sources", "Where does every number come from?", (Words(about),), tuple(exhibits))
    ]


def _built(marts: Marts) -> tuple[str, ...]:
    facts = {str(row["fact"]): escape(str(row["value"])) for row in marts.ask("publication")}
    built, published = facts.pop("built_at"), facts.pop("published_at")
    version = facts.pop("marts_version")
    programs = ", ".join(f"{name} {number}" for name, number in facts.items())
    return (
        f"Built {built} UTC, published {published} UTC: marts of version {version}, "
        f"with {programs}.",
    )
