"""Explanations whose every statement is a checked passage."""
