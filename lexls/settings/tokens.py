"""The kinds of semantic tokens, as ``tokens.toml`` declares them: for the server, VS Code and Neovim."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


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


_DECLARED = tomllib.loads(Path(__file__).with_name("tokens.toml").read_text(encoding="utf-8"))
TOKEN_TYPES = tuple(TokenType(id, **table) for id, table in _DECLARED["types"].items())
TOKEN_MODIFIERS = tuple(TokenModifier(id, **table) for id, table in _DECLARED["modifiers"].items())
