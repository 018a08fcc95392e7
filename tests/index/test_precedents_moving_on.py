"""Precedents moved on with each change are those that are found when the index is opened anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_precedents import embed, terms

from lexls.index.indexer import Indexer
from lexls.index.library import Library

FILES = 8
STEPS = 60
QUESTION = "who answers for the luggage of the ferry"
SENTENCES = (
    "The ferryman answers for luggage on the ferry{}.",
    "A carter who leaves the luggage in the rain has no lien{}.",
    "As Quenby Marine Ltd found, the lessee who burns a hedge pays for the ferry{}.",
)
CITATIONS = (
    ": Ostler v Harbour Board (No 1) [2015] UKSC 1",
    ": Ostler v Harbour Board (No 2) [2015] UKSC 2 at [1]",
    ": Ostler v Harbour Board (No 2) [2015] UKSC 2 at [2]; [2015] UKSC 3",
    ": Tarn v Moss [1990] 1 WLR 5",  # told by its name alone while no file claims the report
    ": Tarn v Moss [1990] 1 WLR 5, [1990] 2 All ER 7",
    ": Quenby v State of N.W. [2001] 1 WLR 9",  # by its name shortened
    "",
)
HEADS = (
    'title: "Ostler v Harbour Board (No 1)"\ncitation: "[2015] UKSC 1"\ndate: 2015-01-02',
    'title: "Ostler v Harbour Board (No 2)"\ncitation: "[2015] UKSC 2"\ndate: 2015-01-02',
    'title: "Ostler v Harbour Board (No 3)"\ncitation: "[2015] UKSC 3"\ndate: 2015-01-02',
    'title: "Tarn v Moss"\ndate: 1990-05-06',
    'title: "Tarn v Moss"\ncitation: "[1990] 2 All ER 7"\ndate: 1990-05-06',
    'title: "Quenby Alias Quen v State of North Wold"\ndate: 2001-02-03',
    'title: "Quenby Alias Marsh v State of North Wold"\ndate: 2000-02-03',
)


@pytest.mark.parametrize("open_library", ["memory"], indirect=True)
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_precedents_moved_on_are_those_of_an_index_opened_anew(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library], seed: int
) -> None:
    chance = random.Random(seed)
    for number in range(0, FILES, 2):
        (folder / f"{number}.md").write_text(_compose(chance))
    indexer.reconcile()
    library = open_library()
    seen = set()
    for _ in range(STEPS):
        for _ in range(chance.choice((1, 1, 1, 3))):
            _change(folder, chance)
        indexer.reconcile()
        if chance.random() < 0.4:
            embed(indexer)
        library.refresh()
        if chance.random() < 0.3:
            continue  # nobody asks: the next question finds two changes
        anew = Library(library.path)
        found = _tell(library)
        assert found == _tell(anew)
        anew.close()
        seen.add(str(found["pairs"]))
    assert len(seen) > STEPS // 3


def _compose(chance: random.Random) -> str:
    said = [chance.choice(SENTENCES).format(chance.choice(CITATIONS)) for _ in range(chance.randint(1, 4))]
    if chance.random() < 0.3:
        said.append("But see Ostler v Harbour Board (No 1) [2015] UKSC 1 on the luggage of a ferry.")
    body = "\n\n".join(f"[{number}] {each}" for number, each in enumerate(said, start=1))
    return f"---\n{chance.choice(HEADS)}\nkind: case\njurisdiction: UK\n---\n\n{body}\n"


def _change(folder: Path, chance: random.Random) -> None:
    name = f"{chance.randrange(FILES)}.md"
    path = next(folder.rglob(name), folder / name)
    what = chance.choice(("another", "more", "more", "gone", "moved")) if path.exists() else "another"
    if what == "another":
        path.write_text(_compose(chance))
    elif what == "more":
        path.write_text(f"{path.read_text()}\n[9] The ferry sank.\n")
    elif what == "gone":
        path.unlink()
    else:
        moved = folder / chance.choice(("", "moved")) / name  # keeps its id
        moved.parent.mkdir(exist_ok=True)
        path.rename(moved)


def _tell(library: Library) -> dict[str, Any]:
    """All that the library says of precedents; what is held beside it must agree."""
    state = library.precedents._now(None)
    ids = np.unique(state.precedents).tolist()
    found, scores = library.precedents.lexical(terms(QUESTION), 100)
    vector = np.ones(8, np.float32) / np.sqrt(np.float32(8))
    near, cosines = library.precedents.nearest(vector, 100)
    held = sorted(each for precedents in state.held.values() for each in precedents)
    assert held == ids
    assert set(state.pinpoints) <= set(
        zip(state.precedents.tolist(), state.authorities.tolist(), strict=True)
    )
    return {
        "keys": {each: library.catalogue.find_folded(each) for each in library.catalogue.all_keys()},
        "of": {each.id: library.catalogue.keys_of(each.id) for each in library.catalogue.all()},
        "but for a number": library.catalogue.find_but_for_a_number("[2015] UKSC 4"),
        "pairs": list(zip(state.precedents.tolist(), state.authorities.tolist(), strict=True)),
        "records": library.precedents.records(ids),
        "citations": library.precedents.find_citations(ids),
        # Equal ones come in an order that rounding decides.
        "by words": dict(zip(found.tolist(), scores.round(9).tolist(), strict=True)),
        "holding": library.precedents.holding(terms(QUESTION), np.array(ids, np.int64)).tolist(),
        "near": dict(zip(near.tolist(), cosines.round(5).tolist(), strict=True)),
        "entities": np.nan_to_num(library.precedents.compare_entities(vector, ids), nan=9).round(5).tolist(),
    }
