"""Versioned template files with the prompts for models."""
