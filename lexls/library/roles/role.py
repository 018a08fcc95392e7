"""Name the thirteen rhetorical roles of a judgment's sentences."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

Role = Literal[
    "PREAMBLE",
    "FAC",
    "RLC",
    "ISSUE",
    "ARG_PETITIONER",
    "ARG_RESPONDENT",
    "ANALYSIS",
    "STA",
    "PRE_RELIED",
    "PRE_NOT_RELIED",
    "RATIO",
    "RPC",
    "NONE",
]
"""What a sentence of a judgment does: the head (PREAMBLE), facts (FAC), the ruling of a lower court (RLC),
the question (ISSUE), what the party that moves the court or the one that answers argues, the court's
discussion (ANALYSIS), a statute's words (STA), a precedent that is relied on or not, the holding and its
reason (RATIO), the order of the present court (RPC), none of these. The scheme is that of Kalamkar et al.,
"Corpus for Automatic Structuring of Legal Documents", LREC 2022."""

ROLES: tuple[Role, ...] = get_args(Role)
"""All roles, in the order in which arrays have them."""

ROLE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(ROLES, ""),
        "FAC": "facts",
        "RLC": "ruling by lower court",
        "ISSUE": "issue",
        "ARG_PETITIONER": "argument",
        "ARG_RESPONDENT": "argument",
        "RATIO": "holding",
        "RPC": "order",
    }
)
"""What people call a role; "" where the words themselves show it (the head, a statute, a discussion) or a
wrong word would mislead (whether a precedent is followed). A passage is labelled only if that is certain, see
``lexls/library/speakers.py``."""


def find_roles(name: str) -> tuple[Role, ...]:
    """The roles of this name, whatever its case: one of ``ROLES``, or what people call some of them;
    none if nothing is called so."""
    return tuple(
        role for role in ROLES if name.upper() == role or (name and name.casefold() == ROLE_WORDS[role])
    )
