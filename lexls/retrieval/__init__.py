"""Rank passages and documents for a proposition: query, stages, fusion, reranking."""
