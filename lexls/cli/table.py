"""``lexls table``: the table of authorities of a draft."""

from __future__ import annotations

import argparse

from lexls.cli.failure import FINE, CommandFailed
from lexls.cli.output import emit, note
from lexls.cli.snapshots import changeable, opened, write_back


def run(options: argparse.Namespace) -> int:
    """Print the table, or write it into the draft."""
    from lexls.citations.styles import TableForm
    from lexls.features.styled import style_of_settings
    from lexls.features.table_of_authorities import entries, table, table_edit, usual_place
    from lexls.text.cancel import CancelToken
    from lexls.text.generated import UnclosedTable

    path = changeable(options.file)
    with opened(options, path, options.style) as snapshot:
        token = CancelToken()
        draft = snapshot.draft
        style = style_of_settings(snapshot)
        form = style.table if style is not None else TableForm()
        found = entries(snapshot, token)
        if options.write:
            try:
                edit = table_edit(snapshot, usual_place(draft), token)
            except UnclosedTable as error:
                raise CommandFailed(f"{path}: {error}") from error
            if edit is not None:
                after = draft.source[: edit.span.start] + edit.text + draft.source[edit.span.end :]
                write_back(path, draft.source, after)
            note(f"{path}: {'the table was written' if edit is not None else 'the table is up to date'}")
        markup = draft.markup
    data = [{"group": each.group, "authority": each.text, "places": each.places} for each in found]
    emit(options, {"entries": data}, [] if options.write else table(found, markup, form).splitlines())
    return FINE
