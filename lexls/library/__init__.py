"""Readers of source files, their structure and their passages."""
