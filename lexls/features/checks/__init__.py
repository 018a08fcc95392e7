"""Checks of a draft's citations and quotations, one a module; `engine` runs them."""
