"""Serve the Model Context Protocol: what language models that draft may ask of the library."""
