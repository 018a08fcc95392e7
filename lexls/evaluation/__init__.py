"""Benchmarks and their measures."""
