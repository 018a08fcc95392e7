"""The kinds of semantic tokens, each declared once: for the server, VS Code's manifest and Neovim's table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TokenType:
    """A kind of token of lexls' own.

    ``standard`` is the type of the protocol that comes nearest: editors that do not know ours are told that
    one, and those that do colour ours like it where a theme says nothing. ``scope`` is what a TextMate theme
    would call it.
    """

    id: str
    standard: str
    scope: str
    help: str


@dataclass(frozen=True, slots=True)
class TokenModifier:
    """What a token of any kind can be besides; ``own`` says that the protocol has no such modifier."""

    id: str
    help: str
    own: bool = True


TOKEN_TYPES: tuple[TokenType, ...] = (
    TokenType("caseName", "class", "entity.name.class", "The name of a case before its citation."),
    TokenType(
        "citation", "enumMember", "variable.other.enummember", "The citation of a case, a journal or a book."
    ),
    TokenType("statute", "type", "entity.name.type", "The title of an Act or anything else enacted."),
    TokenType("pinpoint", "number", "constant.numeric", "The place in an authority that is cited."),
    TokenType("shortForm", "variable", "variable.other", "What stands for an authority cited before."),
)
TOKEN_MODIFIERS: tuple[TokenModifier, ...] = (
    TokenModifier("definition", "A term is defined here.", own=False),
    TokenModifier("missing", "Your library does not hold what is cited."),
)
