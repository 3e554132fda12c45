"""`maege explore`: query the published marts in the browser, with DuckDB compiled to WASM."""
