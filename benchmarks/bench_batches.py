"""What embedding costs as lexls does it, by the graph alone, and by batches of passages sorted by length.

    python benchmarks/bench_batches.py in.sqlite3 --passages 2048

The passages are those of an index, 64 that follow each other at a time, as the indexer takes them, on
one thread; the ways take turns, batch by batch. *Equal lengths* puts those together that have as many pieces,
which needs no padding; *padded* those that are near in length, up to the longest, which costs what is printed
and would need a mask in the graph besides. Printed is processor time, which other work on the machine changes
little, and the least cosine to the vectors of the graph alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from measuring import Spread, load, machine, table
from numpy.typing import NDArray

from lexls.index.connection import open_reader, select
from lexls.index.embedding import MINILM, open_embedder
from lexls.index.embedding.minilm import MiniLMEmbedder
from lexls.index.indexer import BATCH

Pieces = list[NDArray[np.int32]]
Vectors = NDArray[np.float32]


def read_passages(index: Path, count: int) -> list[list[str]]:
    """Batches of consecutive passages, spread evenly over an index."""
    connection = open_reader(index)
    rows = list(select(connection, 'SELECT document, "start", "end" FROM passages ORDER BY id'))
    starts = range(0, len(rows) - BATCH, len(rows) * BATCH // count)
    batches = []
    for first in list(starts)[: count // BATCH]:
        texts = {}
        for document in {row[0] for row in rows[first : first + BATCH]}:
            texts[document] = str(
                next(select(connection, "SELECT text FROM texts WHERE document = ?", (document,)))[0]
            )
        batches.append([texts[document][start:end] for document, start, end in rows[first : first + BATCH]])
    return batches


def group(pieces: Pieces, size: int, *, padded: bool) -> Iterator[list[int]]:
    """The places of texts that are run together, the longest first: at most ``size``, and, unless they are
    ``padded``, of one length.
    """
    order = sorted(range(len(pieces)), key=lambda place: -pieces[place].size)
    while order:
        first = pieces[order[0]].size
        together = [place for place in order[:size] if padded or pieces[place].size == first]
        yield together
        order = order[len(together) :]


def run_graph(embedder: MiniLMEmbedder, pieces: Pieces, size: int = 1, *, padded: bool = False) -> Vectors:
    """The vectors of texts that were cut into word pieces."""
    found = np.zeros((len(pieces), embedder.dimension), np.float32)
    for places in group(pieces, size, padded=padded):
        asked = np.zeros((len(places), max(pieces[place].size for place in places)), np.int32)
        for row, place in enumerate(places):
            asked[row, : pieces[place].size] = pieces[place][0]
        found[places] = embedder._session.run(["embedding"], {"input_ids": asked})[0]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("index", type=Path)
    parser.add_argument("--passages", type=int, default=2048)
    options = parser.parse_args()
    embedder = open_embedder(MINILM, threads=1)
    assert isinstance(embedder, MiniLMEmbedder)
    before = load()
    batches = read_passages(options.index, options.passages)
    cut = [[np.array([each.ids], np.int32) for each in embedder._tokenizer.encode_batch(texts)]
           for texts in batches]  # fmt: skip
    graph = partial(run_graph, embedder)
    ways: dict[str, Callable[[list[str], Pieces], Vectors]] = {
        "as lexls does": lambda texts, pieces: embedder.encode(texts),
        "the graph alone": lambda texts, pieces: graph(pieces),
        **{f"equal lengths, at most {n}": lambda texts, pieces, n=n: graph(pieces, n) for n in (2, 4, 16)},  # type: ignore[misc]
        **{f"padded, {n}": lambda texts, pieces, n=n: graph(pieces, n, padded=True) for n in (4, 16)},  # type: ignore[misc]
    }
    spent: dict[str, list[float]] = {name: [] for name in ways}
    least = dict.fromkeys(ways, 1.0)
    embedder.encode(batches[0][:8])
    for turn, (texts, pieces) in enumerate(zip(batches, cut, strict=True)):
        exact = graph(pieces)
        names = [*list(ways)[turn % len(ways) :], *list(ways)[: turn % len(ways)]]
        for name in names:
            began = time.process_time()
            found = ways[name](texts, pieces)
            spent[name].append((time.process_time() - began) / len(texts) * 1000)
            least[name] = min(least[name], float((found * exact).sum(axis=1).min()))
    lengths = Spread.of([float(each.size) for pieces in cut for each in pieces]).data(0)
    print(machine(), f"Load average: {before:.1f} and {load():.1f}.", sep="\n")
    print(f"{lengths['n']:,} passages of {lengths['p50']:g} word pieces (median).\n")
    rows = [
        (name, f"{np.mean(each):.2f}", f"{1000 / np.mean(each):.0f}",
         f"{least[name]:.7f}" if "padded" not in name else "needs a mask")
        for name, each in spent.items()
    ]  # fmt: skip
    head = ("", "processor ms a passage", "passages a second and processor", "least cosine")
    print(table(head, rows))


if __name__ == "__main__":
    main()
