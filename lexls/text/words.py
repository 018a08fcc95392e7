"""Word lists written as running text."""

from __future__ import annotations


def words(listing: str) -> frozenset[str]:
    """The words of a listing that white space separates."""
    return frozenset(listing.split())
