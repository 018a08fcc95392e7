"""The generators: extracts, local models, remote models and the dry run."""
