"""``lexls ask``: a question to the library, answered from it alone."""

from __future__ import annotations

import argparse

from lexls.cli.answers import answer_data, print_growing, warnings_of
from lexls.cli.context import excluded, open_embedder_if_ready, open_for_search, searcher, workspace
from lexls.cli.drafts import load_grammar
from lexls.cli.failure import FINE
from lexls.cli.generators import open_writer
from lexls.cli.output import emit


def run(options: argparse.Namespace) -> int:
    """Answer one question; text grows sentence by sentence as they are verified, JSON comes at the end."""
    from lexls.features.draft_parser import DraftParser
    from lexls.features.gathering import gather_answer
    from lexls.features.generator_choice import keywords_of
    from lexls.features.snapshot import Snapshot
    from lexls.text.cancel import CancelToken

    place = workspace(options)
    settings = place.settings
    library = open_for_search(place)
    embedder = open_embedder_if_ready(settings)
    encode = embedder.encode if embedder is not None else None
    draft = DraftParser(load_grammar(settings), settings.jurisdiction).parse("", "", "plain")
    snapshot = Snapshot(draft, library, searcher(library, place, embedder=embedder), settings)
    token = CancelToken()
    with open_writer(settings, options.generator, snapshot.tokenizer, encode) as writer:
        gathered = gather_answer(
            snapshot,
            options.question,
            (),
            writer.generator.room,
            token,
            excluded(options, place),
            keywords_of(settings, writer.generator),
        )
        growing = writer.answers(gathered, token)
        if not options.json:
            print_growing(growing, library)
            return FINE
        *_, last = growing
        data = answer_data(last, warnings_of(library, last))
        emit(options, {"question": last.question, **data}, ())
    return FINE
