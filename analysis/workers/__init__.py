"""Work in pieces: chunks, the pool of processes, finished chunks on disk, progress."""
