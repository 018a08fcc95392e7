"""Read a draft: find its citations and quotations, and the authorities in the library that they name."""
