"""The command line's grammar: every command with its options, as ``options.toml`` declares them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from lexls import __version__
from lexls.cli.output import USAGE, read_tables

EPILOG = "Exit codes: 0 fine, 1 findings, 2 usage, 3 failure. Settings: lexls.toml, see docs/settings.md."

_GONE = "--tcp and connect are gone: editors on other machines start `ssh HOST lexls serve --client NAME`"
"""What is said of them until the next version."""

_DATE = "[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?"


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where help is."""

    def error(self, message: str) -> NoReturn:
        """Exit with the code for a wrong command line."""
        self.exit(USAGE, f"lexls: {message}\nTry '{self.prog} --help'.\n")


def build_parser() -> Parser:
    """The parser of ``lexls``; ``command`` of its result names the command, ``action`` its second
    word, and ``module`` the module of this folder that runs it, as ``run_COMMAND``."""
    declared = read_tables("options.toml")
    parser = Parser(
        prog="lexls",
        description="A language server for people who draft with legal citations.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"lexls {__version__}")
    shared = {}
    for name, options in declared["shared"].items():
        shared[name] = Parser(add_help=False)
        _add_options(shared[name], options)
    _add_commands(parser, "command", declared["commands"], shared)
    return parser


def _add_commands(
    parser: argparse.ArgumentParser,
    dest: str,
    declared: Mapping[str, Mapping[str, Any]],
    shared: Mapping[str, Parser],
) -> None:
    """Let ``parser`` take one of the ``declared`` commands; ``dest`` of the result is its name."""
    commands = parser.add_subparsers(dest=dest, metavar=dest.upper(), required=True)
    for name, command in declared.items():
        parents = [shared[each] for each in command.get("shares", ())]
        epilog = EPILOG if name == "serve" else None
        each = commands.add_parser(name, parents=parents, help=command["help"], epilog=epilog)
        _add_options(each, command.get("options", ()))
        if dest == "command":
            each.set_defaults(module=command.get("module", name))
        if "actions" in command:
            _add_commands(each, "action", command["actions"], shared)


def _add_options(parser: argparse.ArgumentParser, declared: Iterable[dict[str, Any]]) -> None:
    from lexls.settings.declaration import CITATION_STYLES, SETTINGS

    groups: dict[str, argparse._ArgumentGroup] = {}
    for fields in declared:
        title = fields.pop("group", "")
        if title and title not in groups:
            groups[title] = parser.add_argument_group(title)
        if "type" in fields:
            fields["type"] = _TYPES[fields["type"]]
        if fields.get("choices") == "styles":
            fields["choices"] = CITATION_STYLES
        if isinstance(fields.get("metavar"), list):
            fields["metavar"] = tuple(fields["metavar"])
        if "help" in fields:
            known = ", ".join(SETTINGS["jurisdiction"].known)
            fields["help"] = fields["help"].replace("{jurisdictions}", known)
        (groups[title] if title else parser).add_argument(*fields.pop("names"), **fields)


def _kind(text: str) -> str:
    from lexls.settings.declaration import AUTHORITY_KINDS

    if text not in AUTHORITY_KINDS:
        raise argparse.ArgumentTypeError(f'"{text}" is none of {", ".join(AUTHORITY_KINDS)}')
    return text


def _roles(text: str) -> tuple[str, ...]:
    from lexls.library.roles.role import ROLE_WORDS, find_roles

    found = tuple(role for role in find_roles(text) if role != "NONE")
    if not found:
        named = ", ".join(
            f"{role} ({words})" if words else role for role, words in ROLE_WORDS.items() if role != "NONE"
        )
        raise argparse.ArgumentTypeError(f'"{text}" is none of {named}')
    return found


def _matching(pattern: str, read: Callable[[str], Any], wrong: str) -> Callable[[str], Any]:
    """Reads what is written as ``pattern`` says; ``wrong`` is what is said of anything else, «» in quotes."""

    def check(text: str) -> Any:
        if not re.fullmatch(pattern, text, re.DOTALL):
            raise argparse.ArgumentTypeError(wrong.replace("«»", f'"{text}"'))
        return read(text)

    return check


_NAME = "[A-Za-z0-9_][A-Za-z0-9._-]*"


_TYPES: Mapping[str, Callable[[str], Any]] = {
    "count": _matching("0*[1-9][0-9]{0,8}", int, "«» is not a whole number above 0"),
    "date": _matching(_DATE, str, "«» is not a date as in 1998, 1998-03 or 1998-03-09"),
    "kind": _kind,
    "name": _matching(_NAME, str, "«» is not a name of letters, digits, dots and hyphens"),
    "path": Path,
    "roles": _roles,
    "text": _matching(r".*\S.*", str, "the text is empty"),
}
"""What ``options.toml`` calls the readers of values."""


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of one call; exits with code 2 when they are wrong."""
    parser = build_parser()
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["connect"] or (
        words[:1] == ["serve"] and any(each.startswith("--tcp") for each in words)
    ):
        parser.error(_GONE)
    options = parser.parse_args(words)
    if options.command == "support":
        if options.output is not None and options.file is None:
            parser.error("support: --output needs --file")
        if options.text is None and (options.file is None or (options.line is None and not options.output)):
            parser.error("support: give the proposition, or --file and --line")
        if options.text is not None and (options.file or options.line or options.character):
            parser.error("support: give either the proposition or --file and --line, not both")
    return options
