"""Small files that grow into something large where they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drawn_pdfs import draw_lines, make_drawing


@dataclass(frozen=True, slots=True)
class GrowingFile:
    """A file named ``name``; ``make`` makes it of ``count`` equal pieces, from which on it is refused with a
    ``reason``."""

    name: str
    count: int
    make: Callable[[int], bytes]
    reason: str


def make_parts(count: int, part: str = "Content-Type: text/plain\n\noats\n") -> bytes:
    """An e-mail of as many parts."""
    head = "From: a@b.test\nSubject: x\nContent-Type: multipart/mixed; boundary=B\n\n"
    return (head + f"--B\n{part}" * count + "--B--\n").encode()


def _make_messages(count: int) -> bytes:
    """An e-mail with an e-mail in it, with an e-mail in it …"""
    return b"From: a@b.test\nSubject: x\n" + b"Content-Type: message/rfc822\n\n" * count + b"\noats\n"


def make_entities(count: int, entity: bytes = b"&amp;") -> bytes:
    """A page with as many character references."""
    return b"<html><body><p>Oats " + entity * count


_BOMB = "unpacks to more than 100 times its size"
GROWING: Sequence[GrowingFile] = (
    GrowingFile("lines.pdf", 750_000, lambda count: make_drawing(draw_lines(count)), _BOMB),
    GrowingFile("words.pdf", 1_500_000, lambda count: make_drawing(draw_lines(1) + b"q Q\n" * count), _BOMB),
    GrowingFile("twice-packed.pdf", 750_000, lambda n: make_drawing(draw_lines(n), layers=2), _BOMB),
    GrowingFile("lines-of-a-page.pdf", 15_000, lambda count: make_drawing(draw_lines(count)), "page 1 has 3"),
    GrowingFile(
        "page-of-lines.pdf",
        20,
        lambda count: make_drawing(draw_lines(5_000), times=count),
        "more than the 300,000 that are read of a page",
    ),
    GrowingFile(
        "pages.pdf",
        60,
        lambda count: make_drawing(draw_lines(5_000), pages=count),
        "more than 1,000,000 characters drawn out of",
    ),
    GrowingFile("ampersands.html", 10_000_000, make_entities, "10,000,000 character references"),
    GrowingFile("numbers.html", 1_000_001, lambda n: make_entities(n, b"&#97;"), "1,000,001 character refer"),
    GrowingFile("parts.eml", 200_000, make_parts, "more than 5,000 parts"),
    GrowingFile("empty-parts.eml", 5_000, lambda n: make_parts(n, "\n\n"), "more than 5,000 parts"),
    GrowingFile("saved.mhtml", 5_000, make_parts, "more than 5,000 parts"),
    GrowingFile("messages.eml", 100_000, _make_messages, "damaged e-mail"),
)
"""One of each kind, with the limit it meets."""
