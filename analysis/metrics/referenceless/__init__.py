"""Judging without references: fluency, meaning and grammaticality (Asano et al. 2017)."""
