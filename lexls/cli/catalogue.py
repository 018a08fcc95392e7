"""``lexls catalogue``: add, show and remove lists of known cases."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from lexls.cli.context import load_settings
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, show_progress
from lexls.index.case_catalogue import CatalogueUnusable, ListedSource, find_catalogue_path, use_catalogue
from lexls.index.court_listener import BULK_KINDS, find_bulk_tables
from lexls.library.case_lists import BrokenList, CaseList, find_list
from lexls.library.case_rows import parse_columns


def run_catalogue(options: argparse.Namespace) -> int:
    """Run the action named on the command line: "add", "list" or "remove"."""
    actions = {"add": _add, "list": _list, "remove": _remove}
    try:
        actions[options.action](options)
    except (BrokenList, CatalogueUnusable) as error:
        raise CommandFailed(str(error)) from error
    return FINE


def _add(options: argparse.Namespace) -> None:
    try:
        columns = parse_columns(options.columns)
    except ValueError as error:
        raise CommandFailed(f"--columns: {error}", USAGE) from None
    files = [Path(os.path.abspath(each.expanduser())) for each in options.files]
    path = _find_path()
    added = list(_add_lists(path, [find_list(each, columns) for each in files], options.jurisdiction))
    emit(options, {"catalogue": str(path), "added": [asdict(each) for each in added]}, map(_describe, added))


def _add_lists(path: Path, lists: Sequence[CaseList], jurisdiction: str | None) -> Iterator[ListedSource]:
    """Add the lists and yield a description of each. CourtListener's tables are added together in one
    transaction, any other list in its own.
    """
    from lexls.citations.courts import find_country_of_courts_db
    from lexls.citations.grammar import Grammar
    from lexls.citations.report_places import PlaceReader
    from lexls.index.case_catalogue_update import add_list
    from lexls.index.court_listener import add_bulk_tables

    settings = load_settings()
    grammar = Grammar.load(settings.citations_forms)
    places = PlaceReader(grammar, jurisdiction or settings.jurisdiction)
    tables = find_bulk_tables(lists)
    with show_progress("reading", "rows") as show:
        if tables is not None:
            american = PlaceReader(grammar, find_country_of_courts_db())
            yield add_bulk_tables(path, tables, american, lambda count: show(count, 0))
        for each in lists:
            if each.kind not in BULK_KINDS:
                yield add_list(path, each, places, lambda count: show(count, 0))


def _list(options: argparse.Namespace) -> None:
    path = _find_path()
    with use_catalogue(path) as catalogue:
        sources = catalogue.list_sources() if catalogue is not None else []
    size = path.stat().st_size if path.exists() else 0
    data = {"catalogue": str(path), "bytes": size, "lists": [asdict(each) for each in sources]}
    emit(options, data, _describe_all(path, size, sources))


def _remove(options: argparse.Namespace) -> None:
    from lexls.index.case_catalogue_update import remove_lists

    path = _find_path()
    with use_catalogue(path) as catalogue:
        known = [each.path for each in catalogue.list_sources()] if catalogue is not None else []
    wanted: list[str] = []
    for name in options.lists:
        full = os.path.abspath(Path(name).expanduser())
        found = [each for each in known if {name, full} & {each, *each.split("; ")}]
        if not found:
            raise CommandFailed(
                f"{name}: no list of the catalogue is called so; see `lexls catalogue list`", USAGE
            )
        wanted += found
    removed = remove_lists(path, list(dict.fromkeys(wanted)))
    data = {"catalogue": str(path), "removed": removed}
    emit(options, data, (f"Removed {each}" for each in removed))


def _find_path() -> Path:
    return find_catalogue_path(load_settings().library_catalogue)


def _describe_all(path: Path, size: int, sources: Sequence[ListedSource]) -> Iterator[str]:
    if not sources:
        yield "The catalogue has no lists; `lexls catalogue add FILE` adds one."
        return
    yield f"{path}: {sum(each.cases for each in sources):,} cases, {size / 2**20:,.1f} MB"
    yield from map(_describe, sources)


def _describe(source: ListedSource) -> str:
    unread = f"; {source.unread:,} citations were not read" if source.unread else ""
    return f"{source.path}: {source.cases:,} cases at {source.places:,} places{unread}"
