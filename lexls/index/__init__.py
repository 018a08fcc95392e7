"""Keep the library in one SQLite file: documents, postings, vectors and citations."""
