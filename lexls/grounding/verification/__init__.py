"""Verify a generator's output against the evidence it was given."""
