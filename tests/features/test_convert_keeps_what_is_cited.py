"""Whatever a draft cites, and however it is put together: a conversion cites the same at the same places."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexls.citations.grammar import Grammar
from lexls.citations.styles import STYLES, Style
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import apply_edits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.writing.convert import convert_in

PIECES = {
    "US": [
        "*Bush v. Gore*, 531 U.S. 98, 99-100 (2000)",
        "*Roe v. Wade*, 410 U.S. 113, 93 S. Ct. 705 (1973)",
        "*A&M Records, Inc. v. Napster, Inc.*, 239 F.3d 1004, 1013 (9th Cir. 2001)",
        "239 F.3d 1004 (2001)",
        "42 U.S.C. §§ 1981, 1983",
        "*Id.* at 101",
        "*Gore*, 531 U.S. at 104",
        "Fed. R. Civ. P. 12(b)(6)",
        "U.S. Const. amend. XIV, § 1",
    ],
    "UK": [
        "*Donoghue v Stevenson* [1932] AC 562 (HL)",
        "*Hale v. Ryle*, [2019] UKSC 41, [2020] AC 100 at [3]-[5], [9]",
        "*R (Miller) v Prime Minister* [2019] UKSC 41",
        "the Human Rights Act 1998, ss 6(1) and 8",
        "section 6 of that Act",
        "*ibid* at [7]",
        "*Donoghue* (n 1)",
        "Hale at [4] per Lord X",
    ],
    "IN": [
        "*Kesavananda Bharati v. State of Kerala*, (1973) 4 SCC 225, AIR 1973 SC 1461, para 12",
        "A. K. Gopalan vs State of Madras, AIR 1950 SC 27",
        "S. 302 r/w s. 34 IPC",
        "Section 9 of the Code of Civil Procedure, 1908",
        "Article 21 of the Constitution of India",
    ],
    "AU": [
        "*Mabo v Queensland (No 2)* [1992] HCA 23; (1992) 175 CLR 1 at 42-47",
        "s 180(1) of the Corporations Act 2001 (Cth)",
        "*Corporations Act 2001* (Cth) ss 181-182",
        "Mabo at 50",
    ],
    "CA": [
        "*R v Jordan*, 2016 SCC 27 at paras 10-12",
        "*R. v. Oakes*, [1986] 1 S.C.R. 103 at 105",
        "*Criminal Code*, RSC 1985, c C-46, s 718.2(e)",
        "*Jordan*, *supra* note 1 at para 5",
    ],
}
JOINTS = [". ", "; ", ", and ", " (see ", ".\n\n", ", quoting ", ". In "]


@pytest.fixture(scope="module")
def everything() -> Grammar:
    return Grammar.load()


def cited(draft: Draft) -> list[tuple[frozenset[str], str]]:
    """What each full mention cites and where it points, in order; the state of an Act may be added."""
    found = []
    groups: set[int] = set()
    for citation in draft.citations:
        if citation.form != "full" or not citation.key or (citation.group and citation.group in groups):
            continue
        groups.add(citation.group)
        group = draft.group_of(citation)
        keys = frozenset(re.sub(r" \((?:UK|India)\)$", "", each.key) for each in group)
        labels = [
            label.removeprefix("art ") for each in group if each.pinpoint for label in each.pinpoint.labels
        ]
        found.append((keys, "; ".join(re.sub(r"-\d+$", "", label) for label in labels)))
    return found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_conversion_cites_the_same_at_the_same_places(
    everything: Grammar, library: Any, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(sorted(PIECES)))
    pieces = data.draw(st.lists(st.sampled_from(PIECES[place]), min_size=1, max_size=5))
    joints = data.draw(st.lists(st.sampled_from(JOINTS), min_size=len(pieces), max_size=len(pieces)))
    markup: str = data.draw(st.sampled_from(sorted(FORMATS)))
    source = "See " + "".join(piece + joint for piece, joint in zip(pieces, joints, strict=True))
    if markup == "latex":
        source = re.sub(r"\*([^*]+)\*", r"\\emph{\1}", source).replace("&", r"\&").replace("§", r"\S")
    elif markup == "typst":
        source = source.replace("*", "_")
    elif markup == "plain":
        source = source.replace("*", "")
    style = data.draw(st.sampled_from(STYLES))
    if markup == "markdown" and data.draw(st.booleans()):
        notes = "\n".join(f"[^{number}]: {piece}." for number, piece in enumerate(pieces, start=1))
        source = " ".join(f"Held.[^{number + 1}]" for number in range(len(pieces))) + "\n\n" + notes + "\n"

    def snapshot(text: str) -> Snapshot:
        draft = DraftParser(everything, place).parse("file:///draft", text, FORMATS[markup])
        return Snapshot(draft, library, Searcher(library, grammar=everything), Settings(jurisdiction=place))

    before = snapshot(source)
    found = convert_in(before, Span(0, len(source)), Style.load(style), CancelToken())
    assert all(each.span.of(source) != each.text for each in found)
    after = apply_edits(source, found)
    was, now = cited(before.draft), cited(snapshot(after).draft)
    assert len(was) == len(now), (source, after)
    for (keys, labels), (new_keys, new_labels) in zip(was, now, strict=True):
        assert new_keys <= keys if style == "aglc4" else new_keys == keys, (source, after)
        assert new_labels == labels, (source, after)
