"""Write citations into a draft in its own style."""
