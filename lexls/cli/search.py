"""``lexls search``: the authorities that fit a query best."""

from __future__ import annotations

import argparse

from lexls.cli.context import filters, open_for_search, searcher, workspace
from lexls.cli.failure import FINE
from lexls.cli.hits import hit_data, hit_lines
from lexls.cli.output import emit
from lexls.text.cancel import CancelToken

DEFAULT_HITS = 10


def run(options: argparse.Namespace) -> int:
    """Search, best passage a document; with ``--passages`` the best passages, several of a document."""
    place = workspace(options)
    chosen = filters(options, place)
    library = open_for_search(place, lexical=options.lexical)
    found = searcher(library, place, lexical=options.lexical)
    search = found.search_passages if options.passages else found.search
    hits = search(options.query, options.k or DEFAULT_HITS, chosen, CancelToken())
    emit(options, {"hits": [hit_data(hit) for hit in hits]}, hit_lines(hits))
    return FINE
