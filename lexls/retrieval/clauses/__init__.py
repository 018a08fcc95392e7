"""The kinds of clauses in contracts: which one a question asks for, and which words such clauses use."""
