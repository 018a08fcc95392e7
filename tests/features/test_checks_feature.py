import pytest

from lexls.assessing.rules.engine import check as run


def check(marked, token, *expected: str) -> None:  # type: ignore[no-untyped-def]
    """Each finding as "code | marked text | message"."""
    findings = run(marked.snapshot, token)
    assert [
        f"{each.code} | {each.span.of(marked.draft.source)} | {each.message}" for each in findings
    ] == list(expected)


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("*Carrow v Luff* [2014] ASC 12 at [3]–[5].|", ()),
        (
            "*Carrow v Luff* [2014] ASC 12 at [64].|",
            ("pinpoint-not-found | 64 | [2014] ASC 12 has paragraphs 1–5; there is no [64]",),
        ),
        (
            "*Carrow v Luff* [2014] ASC 12 at [4]–[9].|",
            ("pinpoint-not-found | 9 | [2014] ASC 12 has paragraphs 1–5; there is no [9]",),
        ),
        (
            "Nobody v Someone [2013] ACA 77 at [3].|",
            ("not-in-library | [2013] ACA 77 | Nobody v Someone [2013] ACA 77 is not in your library",),
        ),
        ("The Carriage of Goods Act 1994, s 12(1).|", ()),
        ("The Carriage of Goods Act 1994, s 13(2)(a).|", ()),
        (
            "The Carriage of Goods Act 1994, s 12(3).|",
            (
                "pinpoint-not-found | 12(3) | "
                "Carriage of Goods Act 1994 has s 12 with (1)–(2); there is no s 12(3)",
            ),
        ),
        (
            "The Carriage of Goods Act 1994, s 99.|",
            ("pinpoint-not-found | 99 | Carriage of Goods Act 1994 has sections 11–13; there is no s 99",),
        ),
        ("Thornby Estates Ltd v Registrar of Tides (1987) 4 AldLR 212, 900.|", ()),
    ],
)
def test_findings_say_what_the_library_lacks_and_no_more(read, token, draft: str, expected) -> None:
    check(read(draft), token, *expected)


def test_no_message_says_that_an_authority_does_not_exist(read, token) -> None:
    marked = read("Nobody v Someone [2013] ACA 77. *Carrow v Luff* [2014] ASC 12 at [64].|")
    messages = " ".join(each.message for each in run(marked.snapshot, token)).casefold()
    assert messages
    for word in ("exist", "fake", "invent", "hallucinat"):
        assert word not in messages


def test_a_missing_authority_is_reported_once_a_mention_and_not_for_its_short_forms(read, token) -> None:
    marked = read("Nobody v Someone [2013] ACA 77, (2013) 9 AldLR 3 at 5. *Ibid*.|")
    assert [each.code for each in run(marked.snapshot, token)] == ["not-in-library"]


def test_severities_come_from_the_settings_and_off_is_silent(read, token) -> None:
    draft = "Nobody v Someone [2013] ACA 77. *Carrow v Luff* [2014] ASC 12 at [64].|"
    loud = read(draft, severities={"not-in-library": "error"})
    assert [each.severity for each in run(loud.snapshot, token)] == ["error", "warning"]
    quiet = read(draft, severities={"not-in-library": "off", "pinpoint-not-found": "off"})
    assert run(quiet.snapshot, token) == []


def test_parallel_citations_in_a_string_are_of_one_authority(read, token) -> None:
    string = "*Pell v Stark* [2009] ACA 31; *Carrow v Luff* [2014] ASC 12, (2014) 31 AldLR 5."
    found = run(read(f"See {string} *Ibid* at [2].|").snapshot, token)
    assert [each.code for each in found] == ["ambiguous-ibid"]
    alone = string.partition("; ")[2]
    assert run(read(f"See {alone} *Ibid* at [2].|").snapshot, token) == []
