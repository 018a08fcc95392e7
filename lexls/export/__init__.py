"""Reports, tables and Word copies made from a draft."""
