"""What clients that show no Markdown are sent."""

from lexls.server.convert import to_plain


def test_quotations_are_indented_and_signs_are_gone() -> None:
    said = "**Carrow v Luff** \\[2014\\]\n\n> The carrier _pays_.\n>\n> — [12](<file:///a.md#L3>)\n\nCited."
    assert to_plain(said) == "Carrow v Luff [2014]\n\n  The carrier pays.\n\n  — 12\n\nCited."
