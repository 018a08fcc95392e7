"""Quotations: whose words they are, and how they compare with the authority."""
