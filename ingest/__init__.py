"""From files to raw tables: read whole, checked whole, loaded together or not at all."""
