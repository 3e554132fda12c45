"""Annotated corpora: sentences with the edits or the corrections of annotators."""
