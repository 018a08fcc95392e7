"""Every feature answers at every place of odd drafts."""

from pathlib import Path

import pytest

from lexls.assessing.rules.engine import check
from lexls.features.completion import complete
from lexls.features.drafting import draft_sentence
from lexls.features.find_support import find_support
from lexls.features.gathering import gather_contrary, gather_draft, gather_explanation
from lexls.features.hover import hover
from lexls.features.navigation import (
    find_definitions,
    find_graph_items,
    find_incoming,
    find_links,
    find_outgoing,
    find_references,
)
from lexls.features.structure import find_document_symbols
from lexls.grounding.answer import Answer
from lexls.grounding.answering import write_answer
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from tests.features.proposition_edits import find_edits

ODD = {
    "empty": ("markdown", ""),
    "blank": ("markdown", " \r\n\t\n\r"),
    "crlf": ("markdown", "# Head\r\n\r\nSee *Carrow v Luff*\r\n[2014] ASC 12 at [3].\r\n\r\nHe pays.\r\n"),
    "unbalanced": (
        "latex",
        "\\begin{document}\n\\textit{Carrow v Luff [2014] ASC 12 \\footnote{at [3\n\\section{O",
    ),
    "astral": ("markdown", "𝕃𝕒𝕨 “§ 12” – Carrow v Luff [2014] ASC 12 at [3]–[4]…\u2028 \ufeffé́ “see *Carr"),
    "form feeds": (
        "plain",
        "Pell v Stark [2009] ACA 31\x0c\x0bat [2], and the Carriage of Goods Act 1994, ss 12, 13.",
    ),
    "typst": (
        "typst",
        "= Head <a>\n#emph[Carrow v Luff] [2014] ASC 12#footnote[see _Pell v Stark_ [2009] ACA 31.]",
    ),
    "mathematics": ("typst", "The sum $x_1$ of #strong[_Carrow v Luff_] [2014] ASC 12 `code` // a remark"),
    "notes": ("markdown", "It pays.[^1][^2] So[^3].\n\n[^1]:\n[^2]: Carrow v Luff [2014] ASC 12\n[^4]: [^4]"),
    "marks": ("markdown", "*_**`[](){}<>![^]: s s. § [ ( * _ ~~ id. ibid supra at [] v v. [2014] ("),
    "table": ("markdown", "Case\t| Cited\n---|---\n*Carrow v Luff* | [2014] ASC 12 at [3]\n"),
}


def answered(snapshot, gathered) -> Answer:  # type: ignore[no-untyped-def]
    """What the generator without a model makes of a request; an answer of nothing where there is none."""
    answer = Answer("explain", "")
    if gathered is not None:
        generator, verifier = (
            ExtractiveGenerator(snapshot.tokens),
            EvidenceVerifier(snapshot.tokens, 0.6),
        )
        *_, answer = write_answer(gathered, generator, verifier, CancelToken())
    return answer


@pytest.mark.parametrize("name", ODD)
def test_no_feature_fails_anywhere(read, token, name: str) -> None:
    markup, source = ODD[name]
    snapshot = read(source.replace("|", "¦") + "|", markup).snapshot
    length = len(snapshot.draft.source)
    check(snapshot, token)
    find_links(snapshot, token)
    find_document_symbols(snapshot, token)
    authority = snapshot.library.catalogue.all()[0]
    for offset in range(length + 1):
        shown = hover(snapshot, offset, token)
        assert shown is None or (shown.span.touches(offset) and shown.span.end <= length)
        find_definitions(snapshot, offset, token)
        find_references(snapshot, offset, [], token)
        for item in find_graph_items(snapshot, offset, Path("/draft")):
            assert find_incoming(snapshot.library, item.authority, token) is not None
            assert find_outgoing(snapshot.library, item.authority, token) is not None
        answered(snapshot, gather_explanation(snapshot, offset, token))
        for item in complete(snapshot, offset, token):
            assert item.replace.touches(offset)
            assert item.replace.end <= length
        for end in (offset, min(length, offset + 9)):
            find_support(snapshot, Span(offset, end), 3, token)
            for edit in find_edits(snapshot, Span(offset, end), authority, None):
                assert 0 <= edit.span.start <= edit.span.end <= length
                assert edit.text
        drafts = answered(snapshot, gather_draft(snapshot, Span(offset, end), token))
        for edit in draft_sentence(snapshot, Span(offset, end), drafts):
            assert 0 <= edit.span.start <= edit.span.end <= length
            assert edit.text
        answered(snapshot, gather_contrary(snapshot, Span(offset, end), token))
