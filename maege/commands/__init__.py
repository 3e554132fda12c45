"""The commands that have no room of their own, and how a command ends."""
