"""``lexls convert`` and ``lexls table``: convert a draft's citations to a style, and write its table of
authorities.
"""

from __future__ import annotations

import argparse
import sys

from lexls.citations.styles import Style
from lexls.cli.drafts import check_changeable, open_snapshot, write_back
from lexls.cli.output import FINE, USAGE, CommandFailed, emit
from lexls.cli.word_copies import check_copy, open_copy, save_copy
from lexls.export.table_of_authorities import (
    choose_form,
    edit_draft,
    find_usual_place,
    list_entries,
    write_table,
)
from lexls.export.word_copy import UnwritableCopy
from lexls.export.word_review import put_table
from lexls.library.document import UnreadableFile
from lexls.reading.edit import apply_edits
from lexls.text.cancel import CancelToken
from lexls.text.format import UnclosedTable
from lexls.text.spans import Span
from lexls.text.terminal import note, say
from lexls.writing.convert import convert_in


def run_convert(options: argparse.Namespace) -> int:
    """Write the converted draft to standard output, to its own file, or to a copy of a Word document."""
    path = options.file
    if options.output is None:
        check_changeable(path)
    else:
        check_copy(path, options.output)
    with open_snapshot(options, path, options.style) as snapshot:
        name = snapshot.settings.citations_style
        if not name:
            raise CommandFailed("no style: give one with --style, or set citations.style", USAGE)
        style = Style.load(name)
        draft = snapshot.draft
        everything = Span(0, len(draft.source))
        found = convert_in(snapshot, everything, style, CancelToken(), shorten=True)
        cited = len(draft.citations)
        source = draft.source
        if options.output is not None:
            copy = open_copy(path, snapshot)
            found = [each for each in found if copy.change(each.span, each.text)]
            note(save_copy(path, copy, options.output))
    after = apply_edits(source, found)
    if options.write and after != source:
        write_back(path, source, after)
    changes = [
        {"start": each.span.start, "end": each.span.end, "before": each.span.of(source), "after": each.text}
        for each in found
    ]
    if options.json:
        emit(options, {"style": name, "citations": cited, "changes": changes}, ())
    elif not options.write and options.output is None:
        say(after, end="") if sys.stdout.isatty() else sys.stdout.write(after)
    note(f"{len(found)} of {cited} citations rewritten as {style.title} has them")
    return FINE


def run_table(options: argparse.Namespace) -> int:
    """Print the table, or write it into the draft or into a copy of a Word document."""
    path = options.file
    if options.output is None:
        check_changeable(path)
    else:
        check_copy(path, options.output)
    with open_snapshot(options, path, options.style) as snapshot:
        token = CancelToken()
        draft = snapshot.draft
        form = choose_form(snapshot)
        found = list_entries(snapshot, token)
        if options.output is not None:
            copy = open_copy(path, snapshot)
            try:
                put_table(copy, found, form, find_usual_place(draft))
            except (UnreadableFile, UnwritableCopy) as error:
                raise CommandFailed(f"{path}: {error}") from error
            save_copy(path, copy, options.output)
            note(f"{options.output}: the table was written; Word fills in the pages when it opens the file")
        elif options.write:
            try:
                edits = edit_draft(snapshot, find_usual_place(draft), token, pages=options.pages)
            except UnclosedTable as error:
                raise CommandFailed(f"{path}: {error}") from error
            after = apply_edits(draft.source, edits)
            if edits:
                write_back(path, draft.source, after)
            note(f"{path}: {'the table was written' if edits else 'the table is up to date'}")
        format = draft.format
    data = [
        {"group": each.group, "authority": each.text, "places": each.places, "doubt": each.doubt}
        for each in found
    ]
    for each in found:
        if each.doubt:
            note(f"check before filing: {each.text}: {each.doubt}")
    written = options.write or options.output is not None
    emit(options, {"entries": data}, [] if written else write_table(found, format, form).splitlines())
    return FINE
