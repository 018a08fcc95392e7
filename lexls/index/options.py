"""What the content of an index depends on beside the files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """What the content of the index depends on beside the files.

    ``max_chars`` and ``overlap`` are the length and overlap of passages in code points, ``max_bytes`` the
    largest file that is read, ``forms`` the user's citation forms as a JSON array, ``jurisdiction`` the
    workspace's.
    """

    max_chars: int = 1500
    overlap: int = 0
    max_bytes: int = 50 * 2**20
    jurisdiction: str = ""
    forms: str = "[]"
