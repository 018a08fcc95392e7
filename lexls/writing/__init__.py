"""Citations written into a draft in its own style."""
