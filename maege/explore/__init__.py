"""`maege explore`: the published marts in a page that asks them itself, by DuckDB's WASM build."""
