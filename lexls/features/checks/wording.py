"""How checks name what they speak of."""

from __future__ import annotations

from lexls.citations.model import Citation
from lexls.features.checks.problem import Related
from lexls.features.draft import Draft
from lexls.features.snapshot import Snapshot
from lexls.index.records import Authority
from lexls.text.spans import Span


def as_cited(snapshot: Snapshot, citation: Citation) -> str:
    """What identifies the authority, as the draft writes it, on one line; its citation for a mere key."""
    if snapshot.draft.key_of(citation) is not None:
        return citation.key
    return " ".join(citation.core.of(snapshot.draft.masked).split())


def as_named(snapshot: Snapshot, citation: Citation) -> str:
    """The draft's name of the authority and its citation, on one line."""
    cited, name = as_cited(snapshot, citation), " ".join(citation.name.split())
    return cited if not name or name in cited else f"{name} {cited}"


def quoted_there(draft: Draft, offset: int) -> bool:
    """Whether what stands at an offset is somebody else's: between quotation marks or in a quoted block."""
    line = draft.source.rfind("\n", 0, offset) + 1
    if draft.markup == "markdown" and draft.source[line : line + 4].lstrip().startswith(">"):
        return True
    paragraph = draft.paragraph_at(offset)
    before = draft.masked[paragraph.start if paragraph is not None else line : offset]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def title_of(authority: Authority) -> str:
    """The authority's title, what it is cited as if it has none."""
    return authority.title or authority.citation or authority.relative


def its_beginning(snapshot: Snapshot, authority: Authority) -> tuple[Related, ...]:
    """Opens an authority at its first line; nothing if its text is gone."""
    text = snapshot.library.text(authority.id)
    first = next((line for line in text[:400].split("\n") if line.strip()), "")
    if not first:
        return ()
    start = text.index(first)
    words = title_of(authority)
    if authority.citation and authority.citation not in words:
        words = f"{words} {authority.citation}"
    return (Related(words, Span(start, start + len(first)), authority.id),)
