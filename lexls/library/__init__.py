"""Read source files, find their structure and cut them into passages."""
