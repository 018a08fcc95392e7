"""Checks of a draft: each module declares its diagnostics beside the code that finds them."""
