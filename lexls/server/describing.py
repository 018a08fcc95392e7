"""Write beside a file of the library which case it is: what the user says, and what lexls guesses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.convert import to_path, to_uri
from lexls.server.protocol import refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.index.records import Authority
    from lexls.reading.edit import Fix

_WRITES_OF_ITSELF = (".md", ".markdown", ".txt", ".text")
"""Suffixes of files that can have front matter."""


def register(server: LexlsServer) -> None:
    """Offer the command that writes beside a file which case it is."""

    @server.command("lexls.describeFile")
    async def describe_file(ls: LexlsServer, argument: Any = None) -> dict[str, Any]:
        if not isinstance(argument, dict) or not isinstance(argument.get("file"), str):
            raise refuse_argument('the argument must be {"file": …}')
        citations = [str(each) for each in argument.get("citations") or ()]
        path = to_path(argument["file"])
        libraries = (service.library for service in ls.services)
        held = (library.catalogue.find_path(path) for library in libraries if library is not None)
        authority = next(filter(None, held), None)
        if authority is None:
            raise refuse_argument('"file" must be one of the library')
        written = await ls.run_behind(lambda: _describe(authority, citations))
        if written is None:
            ls.show(t.MessageType.Warning, f"nothing could be written beside {authority.relative}")
        elif citations:
            ls.show(
                t.MessageType.Info, f"{written.name} says now that {authority.relative} is {citations[0]}"
            )
        return {"file": to_uri(written) if written is not None else None}


def offer_describing(asked: DocumentRequest, fix: Fix) -> t.Command | None:
    """The command that writes what a fix says of a file; None for other fixes."""
    number, citations = fix.describes or (0, ())
    authority = asked.snapshot.library.catalogue.get(number)
    if authority is None:
        return None
    argument = {"file": to_uri(authority.path), "citations": list(citations)}
    return t.Command(title=fix.title, command="lexls.describeFile", arguments=[argument])


def _describe(authority: Authority, citations: Sequence[str]) -> Path | None:
    """Write the citations of a case into the file, else into the table beside it.

    Without citations, write a form: what lexls guesses, and empty fields for what is unknown. A guess is not
    written unseen, as what a file says of itself is certain.

    Returns the file written to, None if that would lose something. Runs on a worker thread.
    """
    from lexls.index.unclear import is_guessed, list_missing
    from lexls.library.catalogue_names import find_table
    from lexls.library.written_facts import add_front_matter, add_row
    from lexls.text.lexicon import BETWEEN_PARTIES

    lacking: dict[str, str] = {}
    if not citations:
        named = BETWEEN_PARTIES.search(authority.title)
        guessed = {"title": authority.title if named else ""} if is_guessed(authority, "title") else {}
        lacking = guessed | {each: "" for each in ("court", "date") if each in list_missing(authority)}
    known = list(dict.fromkeys([*authority.citations, *citations]))
    own = {"citation": known[0] if known else "", **({"parallel_citations": known[1:]} if known[1:] else {})}
    if authority.path.suffix.lower() in _WRITES_OF_ITSELF and _change(
        authority.path, lambda text: add_front_matter(text, {**lacking, **own})
    ):
        return authority.path
    table = find_table(authority.path.parent)
    said = {**lacking, "citation": list(citations)}
    return table if _change(table, lambda text: add_row(text, authority.path.name, said)) else None


def _change(path: Path, change: Callable[[str], str | None]) -> bool:
    """Change a file of text in its own encoding; whether it says now what it should."""
    from lexls.library.document import UnreadableFile
    from lexls.library.readers import find_format
    from lexls.library.readers.decoding import decode
    from lexls.library.written_facts import change_bytes
    from lexls.settings.edit import replace_file

    try:
        data = path.read_bytes() if path.exists() else b""
        text = decode(data)
        if data and find_format(path, data) not in ("text", "markdown", "table"):
            return False
        changed = change(text)
        written = change_bytes(data, text, changed) if changed is not None else None
        if written is None:
            return False
        if written != data:
            replace_file(path, written)
    except (OSError, UnreadableFile):
        return False
    return True
