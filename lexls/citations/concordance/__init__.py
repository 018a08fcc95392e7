"""Which provision of a code took the place of which provision of the code before it."""
