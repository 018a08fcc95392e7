"""Measuring answers: whether what they say is borne out by what they cite."""
