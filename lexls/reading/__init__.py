"""Read a draft: its citations and quotations, and what they name in the library."""
