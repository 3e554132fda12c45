"""The sections of the report: each reads its marts and says what there is to see in them."""
