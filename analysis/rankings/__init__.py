"""Metrics against human rankings: what stands in the marts, made of arrays alone."""
