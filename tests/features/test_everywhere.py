"""Every feature answers at every place of odd drafts."""

from pathlib import Path

import pytest

from lexls.features.call_hierarchy import incoming, outgoing, prepare
from lexls.features.checks.engine import check
from lexls.features.completion import complete
from lexls.features.definition import definition
from lexls.features.explain import explain_at
from lexls.features.find_support import edit_for, support
from lexls.features.hover import hover
from lexls.features.links import links
from lexls.features.references import references
from lexls.features.symbols import document_symbols
from lexls.text.spans import Span

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


@pytest.mark.parametrize("name", ODD)
def test_no_feature_fails_anywhere(read, token, name: str) -> None:
    markup, source = ODD[name]
    snapshot = read(source.replace("|", "¦") + "|", markup).snapshot
    length = len(snapshot.draft.source)
    check(snapshot, token)
    links(snapshot, token)
    document_symbols(snapshot, token)
    authority = snapshot.library.authorities()[0]
    for offset in range(length + 1):
        shown = hover(snapshot, offset, token)
        assert shown is None or (shown.span.touches(offset) and shown.span.end <= length)
        definition(snapshot, offset, token)
        references(snapshot, offset, [], token)
        for item in prepare(snapshot, offset, Path("/draft")):
            assert incoming(snapshot.library, item.authority, token) is not None
            assert outgoing(snapshot.library, item.authority, token) is not None
        explain_at(snapshot, offset, token)
        for item in complete(snapshot, offset, token):
            assert item.replace.touches(offset)
            assert item.replace.end <= length
        for end in (offset, min(length, offset + 9)):
            support(snapshot, Span(offset, end), 3, token)
            for edit in edit_for(snapshot, Span(offset, end), authority, None):
                assert 0 <= edit.span.start <= edit.span.end <= length
                assert edit.text
