"""The command `maege`: it reads marts, ingests, exports, and says what is installed."""
