"""From files to raw tables, and from marts to what readers open: the command `maege`."""
