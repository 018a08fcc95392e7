"""Run the command on the command line. ``options.toml`` declares all commands with their options."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from lexls import __version__
from lexls.cli.output import FAILURE, USAGE, CommandFailed, read_tables
from lexls.text.terminal import note, say, write_json

_NEW_OBJECTS = 50_000
"""Number of new containers that trigger a garbage collection in a command."""
EPILOG = "Exit codes: 0 fine, 1 findings, 2 usage, 3 failure. Settings: lexls.toml, see docs/settings.md."

_GONE = "--tcp and connect are gone: editors on other machines start `ssh HOST lexls serve --client NAME`"
"""Error message for options and commands that have been removed. It is kept until the next version."""

_DATE = "[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?"


class Parser(argparse.ArgumentParser):
    """Reports an error on one line, with the command that prints help."""

    def error(self, message: str) -> NoReturn:
        """Exit with the usage code and a message."""
        self.exit(USAGE, f"lexls: {message}\nTry '{self.prog} --help'.\n")


def build_parser() -> Parser:
    """Return the parser of ``lexls``.

    In the parsed options, ``command`` is the name of the command, ``action`` that of its subcommand, and
    ``module`` the module in this folder that runs it (``run_COMMAND``).
    """
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
    """Add the ``declared`` commands to ``parser``. In the parsed options, ``dest`` is the name of the chosen
    command.
    """
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
    """Return a function that reads a value if it matches ``pattern``. For any other value it raises an error
    with the message ``wrong``, in which "«»" is replaced by the value in quotes.
    """

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
"""Functions that read option values, by the type's name in ``options.toml``."""


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line; exit with code 2 if it is invalid."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    A failure is reported on one line on standard error and, with ``--json``, also as ``{"error": …}`` on
    standard output.
    """
    if arguments is None:
        # Keep child processes, such as those of multiprocessing, from importing code from the
        # current folder, which contains the user's documents.
        os.environ["PYTHONSAFEPATH"] = "1"
        # Set before NumPy is loaded. Searches are too short for a second thread: waiting until the system
        # runs it may take milliseconds.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Imported modules stay in memory, but Python would check them for garbage every 700 objects.
        gc.set_threshold(_NEW_OBJECTS, 20, 100)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Paths may contain bytes that are not text; JSON is UTF-8 whatever the terminal's encoding.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parse(arguments)
    try:
        # Only the requested command is imported, so that `lexls serve` starts at once.
        module = importlib.import_module(f"lexls.cli.{options.module}")
        code = getattr(module, f"run_{options.command}")(options)
        if not sys.stdout.closed:  # the server closes it when its client has left
            sys.stdout.flush()
        if arguments is None:
            gc.freeze()  # skip garbage collection at exit
        return int(code)
    except CommandFailed as error:
        return _fail(str(error), error.code, as_json=getattr(options, "json", False))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough (`lexls search … | head`); nothing may be written any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("LEXLS_DEBUG"):
            raise
        from lexls.index.milvus import MilvusUnavailable

        if isinstance(error, MilvusUnavailable):
            return _fail(str(error), FAILURE, as_json=getattr(options, "json", False))
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        hint = "this is a fault of lexls; LEXLS_DEBUG=1 shows where"
        return _fail(f"{reason} ({hint})", FAILURE, as_json=getattr(options, "json", False))


def _fail(message: str, code: int, *, as_json: bool) -> int:
    if as_json:
        say(write_json({"error": message}))
    note(message)
    return code


def run_serve(options: argparse.Namespace) -> int:
    """Serve one client until it disconnects."""
    from lexls.server.main import find_client, serve

    try:
        client = find_client(options.client, options.shared) if options.client else None
    except OSError as error:
        raise CommandFailed(f"{error.filename}: {error.strerror or error}") from error
    code = serve(client)
    # Exit at once: Python would wait for threads whose results are no longer needed.
    sys.stderr.flush()
    os._exit(code)
