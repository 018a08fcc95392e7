"""A reason or message about a short form names the authority it stands for."""

from __future__ import annotations

import pytest

from lexls.assessing.check import as_named
from lexls.assessing.rules.engine import check_at_once

WORDS = "the keeper of the weir counts every eel that passes at night"
CASE, ACT = "Reed v Osier", "Eel Weirs Act 1961"
NAMED = {
    "Aldmoor": "Reed v Osier [2012] ASC 77",
    "UK": "Reed v Osier [2012] UKSC 77",
    "AU": "Reed v Osier (2012) 88 CLR 77",
    "US": "Reed v. Osier, 688 F.3d 77",
    "CA": "Reed v Osier 2012 SCC 77",
    "IN": "Reed v. Osier (2012) 8 SCC 77",
}
IN_TEXT = (
    *("{c}. The court said that “{w}”. *Ibid*.", "{c}. The court said that “{w}”. *Id.*"),
    *(
        "{c}. “{w}”: *Reed* at {p}.",
        "{c}. In *Reed*, at {p}, the court said: “{w}”.",
        "{c}. “{w}” (*Reed*, supra, at {p}).",
    ),
    "{c} (“the *Weir* case”). The court in the *Weir* case said: “{w}”.",
)
IN_NOTES = (
    "Eels.[^1] “{w}”.[^2]\n\n[^1]: {c}.\n\n[^2]: {short}.",
    "Eels.[^1] The court said: “{w}”.[^2]\n\n[^1]: {c}.\n\n[^2]: {short}.",
)
NOTED = {
    "UK": ("ibid", "ibid [9]", "*Reed* (n 1) [9]"),
    "AU": ("Ibid", "Ibid 79", "*Reed* (n 1) 79"),
    "US": ("*Id.*", "*Id.* at 79", "*Reed*, 688 F.3d at 79", "*Reed*, *supra* note 1, at 79"),
    "CA": ("*Ibid*", "*Ibid* at para 9", "*Reed*, *supra* note 1 at para 9"),
    "Aldmoor": ("*Ibid*", "*Ibid* at [9]", "*Reed*, above n 1, at [9]"),
}
OF_AN_ACT = (
    "The {a} applies. The Act says: “{w}”.",
    "Section 3 of the {a} applies. “{w}”: section 4.",
    "The {a}, s 3. “{w}”: ibid, s 4.",
    "The {a} applies. The 1961 Act provides that “{w}”.",
)


@pytest.fixture
def reasons(read, token):  # type: ignore[no-untyped-def]
    """What is said of the quotations of a draft that are not compared."""

    def find(draft: str, jurisdiction: str) -> list[str]:
        settings = {"jurisdiction": jurisdiction, "severities": {"unverified": "warning"}}
        snapshot = read(draft + "|", **settings).snapshot
        short = [each for each in snapshot.draft.citations if each.antecedent is not None]
        assert short, draft
        assert {as_named(snapshot, each) for each in short} <= {*NAMED.values(), ACT}
        found = check_at_once(snapshot, token, support=True).findings
        said = "Quotation not compared: "
        return [each.message.removeprefix(said) for each in found if each.message.startswith(said)]

    return find


@pytest.mark.parametrize("draft", IN_TEXT)
@pytest.mark.parametrize("jurisdiction", NAMED)
def test_a_short_form_in_the_text(reasons, jurisdiction: str, draft: str) -> None:
    named = NAMED[jurisdiction]
    page = "[9]" if jurisdiction in ("Aldmoor", "UK") else "para 9" if jurisdiction in ("CA", "IN") else "79"
    cited = draft.format(c=named, w=WORDS, p=page)
    assert reasons(cited, jurisdiction) == [f"{named} is not in your library"]


@pytest.mark.parametrize(
    ("jurisdiction", "short"), [(place, each) for place in NOTED for each in NOTED[place]]
)
@pytest.mark.parametrize("draft", IN_NOTES)
def test_a_short_form_in_a_note(reasons, jurisdiction: str, short: str, draft: str) -> None:
    named = NAMED[jurisdiction]
    assert reasons(draft.format(c=named, w=WORDS, short=short), jurisdiction) == [
        f"{named} is not in your library"
    ]


@pytest.mark.parametrize("draft", OF_AN_ACT)
def test_a_short_form_of_an_act(reasons, draft: str) -> None:
    assert reasons(draft.format(a=ACT, w=WORDS), "UK") == [f"{ACT} is not in your library"]
