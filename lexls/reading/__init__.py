"""A draft as it is read: its citations and quotations, and what they name in the library."""
