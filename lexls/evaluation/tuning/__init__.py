"""Searching for better settings, with cross-validation."""
