"""Invented judgments, as short as a test needs them."""

from __future__ import annotations


def judgment(number: int, *paragraphs: str) -> str:
    """The text of an invented judgment with its paragraphs numbered."""
    body = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(paragraphs, start=1))
    return (
        f'---\ntitle: "Ostler v Harbour Board (No {number})"\ncitation: "[2015] UKSC {number}"\n'
        f"kind: case\njurisdiction: UK\n---\n\n{body}\n"
    )
