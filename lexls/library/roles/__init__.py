"""Rhetorical roles: the function of each sentence in a judgment (facts, argument, holding …)."""
