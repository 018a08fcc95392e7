"""Run the server's general commands: find support, list the library and its facets, reindex, status."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.code_action import offer
from lexls.server.convert import to_uri
from lexls.server.protocol import read_place, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.server.status import describe

if TYPE_CHECKING:
    from lexls.features.find_support import SupportOption
    from lexls.retrieval.model import Filters
    from lexls.server.session import Session


def register(server: LexlsServer) -> None:
    """Register the server's general commands, as declared in ``lexls.settings.commands``."""

    @server.command("lexls.findSupport")
    async def find_support(ls: LexlsServer, argument: Any = None) -> list[dict[str, Any]] | None:
        uri, range_ = read_place(argument)
        only = argument.get("filter")

        def work(asked: DocumentRequest) -> list[dict[str, Any]]:
            from lexls.features.find_support import describe_distance, find_support

            most = asked.snapshot.settings.support_max_results
            chosen = _read_filters(only)
            found = find_support(asked.snapshot, asked.span(range_), most, asked.token, chosen)
            distance = describe_distance(asked.snapshot, found)
            return [{**as_hit(asked, option), "distance": distance} for option in found]

        hits = await ls.answer(uri, work, None)
        if hits:
            named = [t.CodeAction(f"{hit['title']} {hit['cited']}".strip(), edit=hit["edit"]) for hit in hits]
            distance = hits[0]["distance"]
            offer(
                ls,
                argument,
                f"{distance} Cite one all the same?" if distance else "Cite which authority?",
                named,
            )
        return hits

    @server.command("lexls.facets")
    async def facets(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri = argument.get("uri", "") if isinstance(argument, dict) else ""

        def work() -> dict[str, Any] | None:
            from lexls.features.library_tree import list_facets

            service = ls.session_of(uri).service
            library = service.library if service is not None else None
            return asdict(list_facets(library)) if library is not None else None

        return await ls.run_behind(work)

    @server.command("lexls.reindex")
    async def reindex(ls: LexlsServer) -> None:
        for service in ls.opened:
            await ls.run_behind(service.reindex)

    @server.command("lexls.pauseIndexing")
    async def pause(ls: LexlsServer) -> None:
        for service in ls.opened:
            await ls.run_behind(partial(service.pause, True))

    @server.command("lexls.resumeIndexing")
    async def resume(ls: LexlsServer) -> None:
        for service in ls.opened:
            await ls.run_behind(partial(service.pause, False))

    @server.command("lexls.listLibrary")
    async def list_library(ls: LexlsServer, argument: Any = None) -> dict[str, Any]:
        folder = argument.get("folder") if isinstance(argument, dict) else None
        return await ls.run_behind(lambda: _list_library(ls, Path(folder) if folder else None))

    @server.command("lexls.addFolders")
    async def add_folders(ls: LexlsServer, argument: Any) -> dict[str, Any]:
        folders = [Path(each) for each in argument["folders"]]
        session = ls.session_of(argument.get("uri") or "")
        return await ls.run_behind(lambda: _add_folders(session, folders))

    @server.command("lexls.status")
    async def status(ls: LexlsServer) -> dict[str, Any]:
        return await ls.run_behind(lambda: describe(ls))


def _add_folders(session: Session, folders: Sequence[Path]) -> dict[str, Any]:
    """Add library folders to the session's ``lexls.toml`` if all of them are below its folder. If not, or if
    the file cannot be changed, return all folders for the client to store. Runs on a worker thread.
    """
    from lexls.settings.edit import change_settings
    from lexls.settings.load import find_workspace_settings

    whole = [*dict.fromkeys([*session.settings.library_folders, *folders])]
    file = find_workspace_settings(session.root)
    if file is not None and all(each.is_relative_to(file.parent) for each in whole):
        names = [each.relative_to(file.parent).as_posix() for each in whole]
        with contextlib.suppress(OSError, ValueError):
            if change_settings(file, {"library.folders": names}):
                return {"written": str(file), "folders": []}
    return {"written": None, "folders": [str(each) for each in whole]}


def _read_filters(only: Any) -> Filters:
    """Return the filter in a command's argument. Fields that are missing do not restrict the search."""
    from lexls.retrieval.model import EVERYTHING, Filters

    if only is None:
        return EVERYTHING
    try:
        return Filters(
            kinds=frozenset(map(str, only.get("kinds", ()))),
            courts=tuple(map(str, only.get("courts", ()))),
            jurisdictions=frozenset(map(str, only.get("jurisdictions", ()))),
            date_from=str(only.get("from", "")),
            date_to=str(only.get("to", "")),
        )
    except (AttributeError, TypeError) as error:
        raise refuse_argument(
            '"filter" must be {"kinds", "courts", "jurisdictions", "from", "to"}'
        ) from error


def _list_library(ls: LexlsServer, folder: Path | None) -> dict[str, Any]:
    """List a folder's subfolders, authorities and unreadable files, or the folders of all libraries if
    ``folder`` is None. Runs on a worker thread.
    """
    from lexls.features.library_tree import count_unread, list_folder
    from lexls.index.unclear import list_missing
    from lexls.wording.descriptions import describe_sources, write_title

    listed: dict[str, Any] = {"folders": [], "authorities": [], "unread": []}
    for service in ls.services:
        library = service.library
        if library is None:
            continue
        if folder is None:
            known = library.catalogue.all()
            counts = Counter(each.library for each in known)
            listed["folders"] += [
                _folder(path, counts[path], count_unread(library, path)) for path in service.config.folders
            ]
            continue
        found = list_folder(library, folder)
        listed["folders"] += [_folder(*each) for each in found.folders]
        listed["authorities"] += [
            {
                "authority": each.id,
                "uri": to_uri(each.path),
                "title": each.name,
                "citation": each.citation,
                "kind": each.kind,
                "notes": notes,
                "unclear": bool(list_missing(each)),
                "about": "\n\n".join(filter(None, (write_title(each), describe_sources(each), *notes))),
            }
            for each, notes in found.authorities
        ]
        listed["unread"] += [
            {"path": str(path), "name": path.name, "reason": reason} for path, reason in found.unread
        ]
    return listed


def _folder(path: Path, count: int, unread: int) -> dict[str, Any]:
    return {"path": str(path), "name": path.name, "count": count, "unread": unread}


def as_hit(asked: DocumentRequest, option: SupportOption) -> dict[str, Any]:
    """Return a hit as a JSON object, in the form that ``lexls.findSupport`` returns."""
    from lexls.features.support_edits import write_support
    from lexls.wording.descriptions import name_file
    from lexls.wording.place_words import cite_behind_title

    authority, passage, pin = option.hit.authority, option.hit.passage, option.pin
    written = write_support(asked.snapshot, option)
    return {
        "rank": option.hit.rank,
        "authority": authority.id,
        "title": authority.name,
        "citation": authority.citation,
        "cited": cite_behind_title(authority, option.place),
        "court": authority.court,
        "date": authority.date,
        "kind": authority.kind,
        "jurisdiction": authority.jurisdiction,
        "paragraph": passage.paragraph,
        "page": passage.page,
        "place": option.place,
        "role": option.role,
        "warning": option.warning,
        **name_file(authority),
        "score": option.hit.score,
        "quote": option.quote,
        "text": passage.text,
        "citedFor": _cited_for(asked, option),
        "written": written.citation,
        "edit": asked.edit(written.full),
        "quotationEdit": asked.edit(written.quotation),
        "shortEdit": asked.edit(written.short) if written.short else None,
        "target": asked.location(asked.snapshot.library.locate(authority.id, pin.start, pin.end)),
    }


def _cited_for(asked: DocumentRequest, option: SupportOption) -> dict[str, Any] | None:
    """Return how many documents cite the authority for the same proposition, and the best of the sentences
    that cite it. Returns None if there are none.
    """
    from lexls.features.cited_for import count_in_words

    found, library = option.cited_for, asked.snapshot.library
    if found is None:
        return None
    named = [
        {
            "title": citing.name,
            "proposition": each.proposition,
            "target": asked.location(library.locate(each.citing, each.start, each.end)),
        }
        for each in found.precedents[: asked.snapshot.settings.precedents_count]
        if (citing := library.catalogue.get(each.citing)) is not None
    ]
    return {"count": found.count, "label": count_in_words(library, found), "precedents": named}
