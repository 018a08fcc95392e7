"""The command line's grammar: every command with its options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from lexls import __version__
from lexls.cli.evaluation_options import add_evaluation_options, add_tuning_options
from lexls.cli.failure import USAGE
from lexls.cli.generators import add_generator_option
from lexls.cli.model_options import add_model_file_actions
from lexls.cli.prompt_options import add_prompt_options

EPILOG = "Exit codes: 0 fine, 1 findings, 2 usage, 3 failure. Settings: lexls.toml, see docs/settings.md."


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where help is."""

    def error(self, message: str) -> NoReturn:
        """Exit with the code for a wrong command line."""
        self.exit(USAGE, f"lexls: {message}\nTry '{self.prog} --help'.\n")


def build_parser() -> Parser:
    """The parser of ``lexls``; ``command`` of its result names the module that runs the command."""
    parser = Parser(
        prog="lexls",
        description="A language server for people who draft with legal citations.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"lexls {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    json_only = _json_option()
    library = _library_options()
    ranking = _ranking_options()

    serve = commands.add_parser("serve", help="run the language server (editors start it)", epilog=EPILOG)
    serve.add_argument("--stdio", action="store_true", help="speak over standard input and output (default)")
    serve.add_argument("--tcp", metavar="HOST:PORT", type=_address, help="listen here instead, for debugging")

    index = commands.add_parser(
        "index", parents=[json_only, library], help="make the index of a library, or bring it up to date"
    )
    index.add_argument("folders", nargs="*", metavar="FOLDER", type=Path, help="folders of authorities")
    index.add_argument(
        "--lexical", action="store_true", help="return when text and words are in, without making vectors"
    )

    search = commands.add_parser(
        "search", parents=[json_only, library, ranking], help="the authorities that fit a query best"
    )
    search.add_argument("query", metavar="QUERY", type=_not_blank)
    search.add_argument(
        "--passages",
        action="store_true",
        help="passages, several of an authority; of the one that the query names, if it names one",
    )

    support = commands.add_parser(
        "support",
        parents=[json_only, library, ranking],
        help="the authorities that support a proposition best",
    )
    support.add_argument("text", metavar="TEXT", nargs="?", type=_not_blank, help="the proposition")
    support.add_argument("--file", metavar="F", type=Path, help="take the proposition from this draft")
    support.add_argument("--line", metavar="N", type=_count, help="the line its sentence begins on, from 1")
    support.add_argument("--character", metavar="C", type=_count, help="the character in the line, from 1")

    cite = commands.add_parser("cite", parents=[json_only, library], help="list the citations of a file")
    cite.add_argument("file", metavar="FILE", type=Path)
    _style_option(cite, "also tell how this style writes each citation")

    convert = commands.add_parser(
        "convert", parents=[json_only, library], help="write a draft's citations in a style"
    )
    convert.add_argument("file", metavar="DRAFT", type=Path)
    _style_option(convert, "the style (otherwise that of the settings)")
    convert.add_argument("--write", action="store_true", help="change the draft instead of printing it")

    table = commands.add_parser(
        "table", parents=[json_only, library], help="the table of authorities of a draft"
    )
    table.add_argument("file", metavar="DRAFT", type=Path)
    _style_option(table, "the style of its entries (otherwise that of the settings)")
    table.add_argument(
        "--write", action="store_true", help="insert it into the draft, or bring the one there up to date"
    )

    check = commands.add_parser("check", parents=[json_only, library], help="report what is wrong in drafts")
    check.add_argument(
        "files", metavar="DRAFT", type=Path, nargs="+", help="a draft, or a folder with drafts below it"
    )
    _check_options(check)

    explain = commands.add_parser(
        "explain",
        parents=[json_only, library],
        help="why the authorities cited on a line support it, in their own words",
    )
    explain.add_argument("file", metavar="FILE", type=Path)
    explain.add_argument("--line", metavar="N", type=_count, required=True, help="the line, from 1")
    explain.add_argument("--character", metavar="C", type=_count, help="only the citation there, from 1")
    add_generator_option(explain)

    ask = commands.add_parser(
        "ask", parents=[json_only, library], help="a question, answered from the library alone"
    )
    ask.add_argument("question", metavar="QUESTION", type=_not_blank)
    add_generator_option(ask)

    evaluate = commands.add_parser(
        "eval", parents=[json_only, library, ranking], help="measure retrieval on a benchmark"
    )
    add_evaluation_options(evaluate)

    tune = commands.add_parser(
        "tune", parents=[json_only, library, ranking], help="search for better settings of retrieval"
    )
    add_tuning_options(tune)

    doctor = commands.add_parser(
        "doctor", parents=[json_only, library], help="what lexls works with, and what is wrong with it"
    )
    doctor.add_argument("folders", nargs="*", metavar="FOLDER", type=Path, help="folders of authorities")

    prompts = commands.add_parser("prompts", help="the prompts of models, and your own in their place")
    add_prompt_options(prompts, json_only)

    models = commands.add_parser("models", help="the models that rank, and those that explain")
    actions = models.add_subparsers(dest="action", metavar="ACTION", required=True)
    get = actions.add_parser("get", parents=[json_only], help="fetch and prepare a model")
    get.add_argument("name", metavar="NAME", nargs="?", help="the model (otherwise that of the settings)")
    get.add_argument(
        "--from", dest="source", metavar="FOLDER", type=Path, help="a folder that holds the weights"
    )
    add_model_file_actions(actions, json_only)
    return parser


def _json_option() -> Parser:
    options = Parser(add_help=False)
    options.add_argument(
        "--json", action="store_true", help="print one JSON object instead of text for people"
    )
    return options


def _library_options() -> Parser:
    options = Parser(add_help=False)
    group = options.add_argument_group("library")
    group.add_argument(
        "--library",
        metavar="FOLDER",
        type=Path,
        action="append",
        default=[],
        help="a folder of authorities (repeatable; otherwise those of the settings)",
    )
    group.add_argument(
        "--index",
        metavar="PATH",
        type=Path,
        help="where the index lies; made and brought up to date if need be",
    )
    group.add_argument(
        "--exclude",
        metavar="PATH",
        action="append",
        default=[],
        help="leave this file or folder out (repeatable)",
    )
    group.add_argument(
        "--jurisdiction", metavar="CODE", help="whose citation forms are read, such as UK or IN"
    )
    return options


def _style_option(parser: argparse.ArgumentParser, help: str) -> None:
    from lexls.settings.declaration import CITATION_STYLES

    parser.add_argument("--style", metavar="STYLE", choices=CITATION_STYLES, help=help)


def _check_options(parser: argparse.ArgumentParser) -> None:
    levels = ("error", "warning", "information", "hint")
    parser.add_argument(
        "--format", choices=("text", "json", "github", "sarif"), help="how findings are told (text)"
    )
    parser.add_argument("--sarif", action="store_true", help="the same as --format sarif")
    parser.add_argument(
        "--severity", metavar="LEVEL", choices=levels, default="hint", help="tell nothing below this (hint)"
    )
    parser.add_argument(
        "--fail-on",
        metavar="LEVEL",
        choices=(*levels, "never"),
        default="warning",
        help="exit with 1 if something of this level or worse is told (warning; never: always with 0)",
    )
    parser.add_argument("--output", metavar="FILE", type=Path, help="write there what would be printed")
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        help="also write an HTML page with every citation and its verdict, for reading and printing",
    )


def _ranking_options() -> Parser:
    options = Parser(add_help=False)
    group = options.add_argument_group("ranking")
    group.add_argument("-k", metavar="N", type=_count, help="how many hits")
    group.add_argument(
        "--kind",
        metavar="KIND",
        action="append",
        default=[],
        type=_kind,
        help="only authorities of this kind: case, statute, … (repeatable)",
    )
    group.add_argument(
        "--role",
        metavar="ROLE",
        action="extend",
        default=[],
        type=_roles,
        help="only passages of this role in a judgment: holding, facts, issue, argument, … (repeatable)",
    )
    group.add_argument("--court", action="append", default=[], help="only of courts with this in their name")
    group.add_argument(
        "--from", dest="date_from", metavar="DATE", type=_date, help="not before, as in 1998-03"
    )
    group.add_argument("--to", dest="date_to", metavar="DATE", type=_date, help="not after, as in 2014")
    group.add_argument("--lexical", action="store_true", help="rank by words alone, without vectors")
    return options


def _kind(text: str) -> str:
    from lexls.settings.declaration import AUTHORITY_KINDS

    if text not in AUTHORITY_KINDS:
        raise argparse.ArgumentTypeError(f'"{text}" is none of {", ".join(AUTHORITY_KINDS)}')
    return text


def _roles(text: str) -> tuple[str, ...]:
    from lexls.library.roles.role import ROLE_WORDS, roles_called

    found = tuple(role for role in roles_called(text) if role != "NONE")
    if not found:
        named = ", ".join(
            f"{role} ({words})" if words else role for role, words in ROLE_WORDS.items() if role != "NONE"
        )
        raise argparse.ArgumentTypeError(f'"{text}" is none of {named}')
    return found


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 10**9:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number above 0')
    return int(text)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the text is empty")
    return text


def _date(text: str) -> str:
    import re

    if not re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f'"{text}" is not a date as in 1998, 1998-03 or 1998-03-09')
    return text


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f'"{text}" is not HOST:PORT')
    return host.strip("[]") or "127.0.0.1", int(port)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of one call; exits with code 2 when they are wrong."""
    parser = build_parser()
    options = parser.parse_args(arguments)
    if options.command == "support":
        if options.text is None and (options.file is None or options.line is None):
            parser.error("support: give the proposition, or --file and --line")
        if options.text is not None and (options.file or options.line or options.character):
            parser.error("support: give either the proposition or --file and --line, not both")
    if options.command == "serve" and options.stdio and options.tcp:
        parser.error("serve: --stdio and --tcp exclude each other")
    return options
