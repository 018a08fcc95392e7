"""A draft for benchmarks: invented prose that cites authorities of whatever library is there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.index.library import Library
from lexls.index.records import Authority

SUBJECTS = (
    "A tenant who has paid the rent into court",
    "The officer who made the arrest",
    "A landowner whose field was acquired",
    "The heir of a deceased partner",
    "An employer who holds an enquiry",
    "The bank that honoured the draft",
    "A witness who turned hostile",
    "The licensing authority",
    "A creditor with a charge over the crop",
    "The managing member of the family",
    "A workman dismissed for misconduct",
    "The arbitrator named in the contract",
)
DUTIES = (
    "must give reasons that can be tested on appeal",
    "cannot rely on a document that was never put to the other side",
    "is entitled to be heard before the order is made",
    "bears the burden of proving the date of the transaction",
    "may not take advantage of a wrong of his own making",
    "is bound by the admission recorded in the pleadings",
    "acts without jurisdiction when the notice is defective",
    "is presumed to have intended the natural consequences",
    "can recover only what was lost in the ordinary course",
    "has no lien on goods that were delivered under protest",
)
CONDITIONS = (
    "where the limitation period had begun to run",
    "unless the statute plainly provides otherwise",
    "although the first information report names nobody",
    "when the delay has been explained by affidavit",
    "even if the conveyance was registered later",
    "so long as the assessment remains open",
    "if the confession was retracted before the magistrate",
    "once the company has gone into liquidation",
    "whatever the custom of the village may be",
    "because the detention order rests on stale grounds",
)
PARAGRAPHS = 48
SENTENCES = 5
CITATIONS = 2


@dataclass(frozen=True, slots=True)
class InventedDraft:
    """The text, and where in it something can be asked; all offsets are code points of the text.

    ``citations`` and ``prose`` are offsets inside citations and inside sentences without one; ``ends`` are
    the ends of the paragraphs; ``titles`` are names of authorities to type.
    """

    text: str
    citations: tuple[int, ...]
    prose: tuple[int, ...]
    ends: tuple[int, ...]
    titles: tuple[str, ...]


def compose(library: Library, seed: int = 1) -> InventedDraft:
    """A draft about this library. Every sentence of prose is another one."""
    chance = random.Random(seed)
    citable = _citable(library, chance)
    combinations = [(s, d, c) for s in SUBJECTS for d in DUTIES for c in CONDITIONS]
    sentences = [f"{s} {d} {c}." for s, d, c in chance.sample(combinations, PARAGRAPHS * SENTENCES)]
    text = "# Written submissions\n\n"
    citations, prose, ends = [], [], []
    for number in range(PARAGRAPHS):
        for sentence in sentences[number * SENTENCES : (number + 1) * SENTENCES]:
            prose.append(len(text) + len(sentence) // 2)
            text += sentence + " "
        for each in range(CITATIONS):
            text += "See " if each == 0 else "and "
            written, inside = _cite(
                library, citable[(number * CITATIONS + each) % len(citable)], number, chance
            )
            citations.append(len(text) + inside)
            text += written + (" " if each < CITATIONS - 1 else ".")
        ends.append(len(text))
        text += "\n\n"
    titles = [each.title for each in chance.sample(citable, len(citable)) if len(each.title) > 8]
    return InventedDraft(text, tuple(citations), tuple(prose), tuple(ends), tuple(titles))


def _citable(library: Library, chance: random.Random) -> list[Authority]:
    """Authorities with a citation or with a name that no other one has, in a random order."""
    found: Sequence[Authority] = [
        each
        for each in library.catalogue.all()
        if each.title
        and each.year
        and (each.citation or library.catalogue.find_name(each.title) == (each.id,))
    ]
    return chance.sample(list(found), min(len(found), 4 * PARAGRAPHS * CITATIONS))


def _cite(library: Library, authority: Authority, number: int, chance: random.Random) -> tuple[str, int]:
    """A citation of ``authority`` at a place that it has, and an offset inside it."""
    if authority.kind in ("statute", "regulation"):
        labels = library.contents.list_labels(authority.id, "section")
        written = f"{authority.title}, s {chance.choice(labels)}" if labels else authority.title
        return written, len(authority.title) // 2
    # A library of judgments without citations knows them by name and year.
    citation = authority.citation or f"AIR {authority.year} SC {100 + number}"
    labels = library.contents.list_labels(authority.id, "paragraph")
    pinpoint = f" at [{chance.choice(labels)}]" if labels else ""
    written = f"*{authority.title}*, {citation}{pinpoint}"
    return written, len(authority.title) + 4 + len(citation) // 2
