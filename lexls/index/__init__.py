"""The SQLite file: documents, postings, vectors, citation edges; the indexer."""
