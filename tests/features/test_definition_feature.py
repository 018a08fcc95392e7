import pytest

from lexls.features.navigation import find_definitions


def check(marked, token, expected: list[tuple[str, str]]) -> None:  # type: ignore[no-untyped-def]
    """Files and the beginning of the place, for the definitions at the cursor."""
    found = find_definitions(marked.snapshot, marked.start, token)
    seen = [(each.location.file.name, each.location.text[each.location.start :][:24]) for each in found]
    assert [name for name, _ in seen] == [name for name, _ in expected]
    for (_, text), (_, begins) in zip(seen, expected, strict=True):
        assert text.startswith(begins)


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("So it is: *Carrow v Luff* [2014] ASC 12 at [4|].", [("carrow.md", "[4] Necessity is judged")]),
        ("So it is: *Carr|ow v Luff* [2014] ASC 12 at [4].", [("carrow.md", "[4] Necessity is judged")]),
        ("So it is: *Carrow v Luff* [2014] A|SC 12.", [("carrow.md", "---")]),
        ("So it is: *Carrow v Luff* [2014] A|SC 12 at [99].", [("carrow.md", "---")]),
        ("The Carriage of Goods Act 1994, s 12(2|) applies.", [("carriage.md", "(2) Subsection")]),
        ("So it is: Nobody v Someone [2013] A|CA 77.", []),
        ("No citation he|re at all.", []),
    ],
)
def test_definition_opens_the_authority_at_the_pinpoint(read, token, draft: str, expected) -> None:
    check(read(draft), token, expected)
