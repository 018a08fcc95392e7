"""Keep the library's index in one SQLite file: documents, postings, vectors and citations."""
