"""The sections of the report; each reads its marts and describes the results."""
