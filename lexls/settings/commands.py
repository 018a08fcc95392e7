"""The editor commands and semantic tokens of lexls, as declared in TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Command:
    """An editor command.

    ``on_server`` is true if the server executes it (``workspace/executeCommand``); the editor's client
    executes the others. ``in_palette`` is true if a user can run it directly, ``in_menu`` if a menu runs it
    on the item clicked. All other commands need arguments; ``arguments`` and ``result`` describe these for
    authors of clients. ``key`` is its default key in drafts in VS Code, with "ctrl" for "cmd" on a Mac.
    ``writes`` is true if it changes the draft.
    """

    id: str
    title: str
    help: str
    on_server: bool = False
    in_palette: bool = False
    in_menu: bool = False
    arguments: str = ""
    result: str = ""
    key: str = ""
    writes: bool = False


_DECLARED = Path(__file__).with_name("commands.toml").read_text(encoding="utf-8")
COMMANDS: tuple[Command, ...] = tuple(Command(id, **table) for id, table in tomllib.loads(_DECLARED).items())
SERVER_COMMANDS: tuple[str, ...] = tuple(command.id for command in COMMANDS if command.on_server)


@dataclass(frozen=True, slots=True)
class TokenType:
    """A semantic token type defined by lexls.

    ``standard`` is the nearest type in the protocol, sent to editors that do not know ours. Other editors
    colour our type like the standard one unless their theme has its own colour for it. ``scope`` is the
    corresponding TextMate scope.
    """

    id: str
    standard: str
    scope: str
    help: str


@dataclass(frozen=True, slots=True)
class TokenModifier:
    """A modifier that tokens of any type can have; ``own`` is true if lexls defines it, not the protocol."""

    id: str
    help: str
    own: bool = True


_DECLARED_TOKENS = tomllib.loads(Path(__file__).with_name("tokens.toml").read_text(encoding="utf-8"))
TOKEN_TYPES = tuple(TokenType(id, **table) for id, table in _DECLARED_TOKENS["types"].items())
TOKEN_MODIFIERS = tuple(TokenModifier(id, **table) for id, table in _DECLARED_TOKENS["modifiers"].items())
