import pytest

from lexls.wording.prose import find_statements


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        (
            "3\nII. THE STANDARD FOR AN INJUNCTION\nTo obtain one, a claimant must show harm to come.",
            ["To obtain one, a claimant must show harm to come."],
        ),
        (
            "ANALYSIS\nA. Standard of Review\nThis court reviews a denial anew.",
            ["This court reviews a denial anew."],
        ),
        # Lines that a sentence runs over are no headings.
        (
            "He relied on the case of\nCarrow v Luff and lost all of it.",
            ["He relied on the case of\nCarrow v Luff and lost all of it."],
        ),
        ("The Act\nof 1990 binds the Crown and others.", ["The Act\nof 1990 binds the Crown and others."]),
        # The rest of a quotation says nothing by itself.
        ("”); see also the notes to chapter nine of the book.", []),
        ("THE LAW OF THE SEA", []),
        ("2. CONSIDERATION OF TOLLS AS INCOME FOR COMPUTING THE RENT OF A MILL.", []),
        ("THE HIRER SHALL RETURN THE BARGE BY NOON.", ["THE HIRER SHALL RETURN THE BARGE BY NOON."]),
    ],
)
def test_a_statement_has_no_heading_before_it(text: str, statements: list[str]) -> None:
    assert [span.of(text) for span in find_statements(text)] == statements
