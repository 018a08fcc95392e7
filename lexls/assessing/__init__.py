"""Assess each citation and quotation, derive its verdict, and report findings."""
