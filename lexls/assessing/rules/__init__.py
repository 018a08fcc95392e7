"""One file for each diagnostic or family of them."""
