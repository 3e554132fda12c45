"""`python -m maege`: the command line."""

from maege.cli import main

main()
