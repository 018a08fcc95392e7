"""Inlay hints: what a short form stands for, and the name behind a citation that has none."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.case_names.shorten import list_short_names
from lexls.citations.model import Citation
from lexls.features.resolve import find_authority_cited
from lexls.features.snapshot import Draft, Snapshot
from lexls.features.wording import not_in_library, title_block
from lexls.index.records import OpenLocation
from lexls.text.cancel import CancelToken
from lexls.text.formats.markdown import as_markdown
from lexls.text.spans import Span

LONGEST = 60
"""Code points of a hint; it stands between the words of a sentence."""
_LOOKED_BACK = 300
"""Code points before a bare citation in which its case may be named already."""
_NAMED_BY_CASES = frozenset({"case", "journal", "book"})


@dataclass(frozen=True, slots=True)
class InlayHint:
    """Words shown at ``offset`` of the draft, between its own; ``behind`` says that they belong to what
    stands before them. ``core`` is the citation's: it tells the citation apart for `explain_hint`."""

    offset: int
    label: str
    core: Span
    behind: bool = True


def inlay_hints(snapshot: Snapshot, span: Span, token: CancelToken) -> list[InlayHint]:
    """The hints inside ``span`` of the draft, in order.

    *Ibid.*, *id.*, *supra* and the like are followed by what they stand for. A bare section is so only where
    the words before it in its paragraph do not make plain which Act is meant. A citation that stands without
    a name gets the short name of its authority, unless the sentence says it.
    """
    settings, found = snapshot.settings, []
    for citation in snapshot.draft.citations_in(span):
        token.raise_if_cancelled()
        if citation.form == "full":
            hint = _name(snapshot, citation) if settings.inlay_hints_names else None
        else:
            hint = _antecedent(snapshot, citation) if settings.inlay_hints_short_forms else None
        if hint is not None and span.touches(hint.offset):
            found.append(hint)
    return found


def explain_hint(snapshot: Snapshot, offset: int) -> tuple[str, OpenLocation | None] | None:
    """What the hint for the citation whose core begins at ``offset`` tells when pointed at.

    Markdown, and where the authority opens; None if no citation stands there any more.
    """
    for citation in snapshot.draft.citations_in(Span(offset, offset + 1)):
        authority = find_authority_cited(snapshot, citation)
        if authority is not None:
            return title_block(authority), snapshot.library.locate(authority.id, 0, 0)
        if citation.key:
            return f"{as_markdown(citation.key)} {not_in_library(snapshot.library.complete)}", None
    return None


def short_name(title: str) -> str:
    """What people call a case of this title: its first party without company suffix; an Act as it is."""
    names = list_short_names(title)
    if not names:
        return " ".join(title.split())
    name = names[0]
    for shorter in names[1:]:
        if name.startswith(shorter):
            name = shorter
    return name


def _antecedent(snapshot: Snapshot, citation: Citation) -> InlayHint | None:
    if not citation.key or not _is_opaque(snapshot.draft, citation):
        return None
    words = _called(snapshot, citation, with_name=citation.form != "supra")
    place = snapshot.draft.skip_marks(citation.core.end)
    return InlayHint(place, shortened(f"= {words}"), citation.core) if words else None


def _is_opaque(draft: Draft, citation: Citation) -> bool:
    """Whether a short form does not itself say what it stands for."""
    if citation.form in ("id", "supra"):
        return True
    if citation.form == "section":
        before = _provision_before(draft, citation)
        return before is None or before.key != citation.key
    return citation.form == "short" and not citation.name


def _provision_before(draft: Draft, citation: Citation) -> Citation | None:
    """What is cited last before ``citation`` in its paragraph, cases left out: they have no sections."""
    paragraph = draft.paragraph_at(citation.span.start)
    if paragraph is None:
        return None
    before = draft.citations_in(Span(paragraph.start, max(paragraph.start, citation.span.start)))
    provisions = (each for each in reversed(before) if each.kind not in _NAMED_BY_CASES)
    return next((each for each in provisions if each is not citation), None)


def _called(snapshot: Snapshot, citation: Citation, *, with_name: bool) -> str:
    """Name and citation of what a short form stands for, as the library has them, else as the draft does."""
    authority = find_authority_cited(snapshot, citation)
    full = snapshot.draft.antecedent_of(citation)
    if authority is not None and authority.title:
        name, cited = authority.title, authority.citation
        # The citation that the draft uses, if it is one of the authority's.
        if full is not None and full.key in authority.citations:
            cited = full.key
    else:
        name, cited = full.name if full is not None else "", citation.key
    if citation.kind not in _NAMED_BY_CASES:
        return name if authority is not None else cited
    name = short_name(name) if with_name else ""
    return " ".join(each for each in (name, cited) if each)


def _name(snapshot: Snapshot, citation: Citation) -> InlayHint | None:
    draft = snapshot.draft
    if citation.kind not in _NAMED_BY_CASES:
        return None
    group = draft.group_of(citation)
    keyed = draft.key_of(citation) is not None
    if citation is not group[0] or (any(each.name for each in group) and not keyed):
        return None
    authority = find_authority_cited(snapshot, citation)
    if authority is None or not authority.title:
        return None
    name = short_name(authority.title)
    start = citation.core.start
    before = draft.masked[max(0, start - _LOOKED_BACK) : start].rpartition("\n\n")[2]
    parties = list_short_names(authority.title) or (authority.title,)
    if any(_first_word(each) in before for each in parties):
        return None
    if keyed:
        words = f"= {name} {authority.citation}".rstrip()
        return InlayHint(citation.core.end, shortened(words), citation.core)
    return InlayHint(start, shortened(name), citation.core, behind=False)


def _first_word(name: str) -> str:
    words = [word for word in name.split() if word[:1].isupper() and word not in ("The", "In", "Re")]
    return words[0] if words else name


def shortened(text: str) -> str:
    """``text`` cut to `LONGEST` at a space."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 1].rpartition(" ")[0].rstrip(" ,") + " …"
