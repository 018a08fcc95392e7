"""Parse, compare and shorten the names of cases."""
