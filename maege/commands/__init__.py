"""Commands without a package of their own, and messages and exit codes of all commands."""
