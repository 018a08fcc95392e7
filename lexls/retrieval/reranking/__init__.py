"""Rerank the first candidates of a search in an order learnt from sentences that cite an authority."""
