"""Serve the Model Context Protocol, through which language models that draft can query the library."""
