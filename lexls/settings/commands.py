"""The editor commands and semantic tokens of lexls, as declared in TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Command:
    """An editor command.

    ``on_server`` says that the server executes it (``workspace/executeCommand``); the others live in the
    editor's client. ``in_palette`` says that a person can run it as it is, ``in_menu`` that a menu runs it
    on what was clicked: the others take arguments, which ``arguments`` and ``result`` describe for whoever
    writes a client. ``key`` is its default key in drafts in VS Code, with "ctrl" for "cmd" on a Mac;
    ``writes`` says that it changes the draft.
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

    ``standard`` is the nearest type in the protocol. Editors that do not know our type get that one; the
    others colour ours like it unless their theme says otherwise. ``scope`` is the corresponding TextMate
    scope.
    """

    id: str
    standard: str
    scope: str
    help: str


@dataclass(frozen=True, slots=True)
class TokenModifier:
    """A modifier that tokens of any type can have; ``own`` is true if the protocol does not define it."""

    id: str
    help: str
    own: bool = True


_DECLARED_TOKENS = tomllib.loads(Path(__file__).with_name("tokens.toml").read_text(encoding="utf-8"))
TOKEN_TYPES = tuple(TokenType(id, **table) for id, table in _DECLARED_TOKENS["types"].items())
TOKEN_MODIFIERS = tuple(TokenModifier(id, **table) for id, table in _DECLARED_TOKENS["modifiers"].items())
