"""Rerank the first candidates of a search with a model learned from citing sentences."""
