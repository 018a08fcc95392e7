"""``lexls convert``: a draft with its citations in the style of a guide."""

from __future__ import annotations

import argparse
import sys

from lexls.cli.failure import FINE, USAGE, CommandFailed
from lexls.cli.output import emit, note
from lexls.cli.snapshots import changeable, opened, write_back


def run(options: argparse.Namespace) -> int:
    """Write the converted draft to standard output, or back to its file."""
    from lexls.citations.styles import Style
    from lexls.features.convert import convert_in
    from lexls.text.cancel import CancelToken
    from lexls.text.spans import Span

    path = changeable(options.file)
    with opened(options, path, options.style) as snapshot:
        name = snapshot.settings.citations_style
        if not name:
            raise CommandFailed("no style: give one with --style, or set citations.style", USAGE)
        style = Style.load(name)
        draft = snapshot.draft
        everything = Span(0, len(draft.source))
        found = convert_in(snapshot, everything, style, CancelToken(), shorten=True)
        cited = len(draft.citations)
        source = draft.source
    after = source
    for each in reversed(found):
        after = after[: each.span.start] + each.text + after[each.span.end :]
    if options.write and after != source:
        write_back(path, source, after)
    changes = [
        {"start": each.span.start, "end": each.span.end, "before": each.span.of(source), "after": each.text}
        for each in found
    ]
    if options.json:
        emit(options, {"style": name, "citations": cited, "changes": changes}, ())
    elif not options.write:
        sys.stdout.write(after)
    note(f"{len(found)} of {cited} citations rewritten as {style.title} has them")
    return FINE
