"""The thirteen rhetorical roles of a judgment's sentences."""

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
"""The function of a sentence in a judgment: the caption and other preliminary matter (PREAMBLE), facts (FAC),
the ruling of a lower court (RLC), the issue (ISSUE), the arguments of the moving or the responding party,
the court's discussion (ANALYSIS), a statute's words (STA), a precedent that is relied on or not, the
holding and its reason (RATIO), the order of the present court (RPC), or none of these. The scheme is from
Kalamkar et al., "Corpus for Automatic Structuring of Legal Documents", LREC 2022.
"""

ROLES: tuple[Role, ...] = get_args(Role)
"""All roles, in the order of the arrays' columns."""

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
"""The usual name of each role. It is "" if the words themselves show the role (the caption, a statute, a
discussion), or if a wrong name would mislead (whether a precedent is followed). A passage is labelled only
if its role is certain; see ``lexls/library/speakers.py``.
"""


def find_roles(name: str) -> tuple[Role, ...]:
    """Return the roles with this name, ignoring case: one of ``ROLES``, or all roles with that usual name;
    empty if there are none.
    """
    return tuple(
        role for role in ROLES if name.upper() == role or (name and name.casefold() == ROLE_WORDS[role])
    )
