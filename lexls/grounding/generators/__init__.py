"""The generators: extracts, a local model, a model behind an address, and the dry run."""
