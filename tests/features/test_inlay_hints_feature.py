"""What inlay hints say, and where they keep silent. A hint is drawn in ⟨…⟩ where it is shown."""

from __future__ import annotations

import pytest

from lexls.citations.case_names.shorten import choose_short_name
from lexls.features.inlays import explain_hint, find_hints
from lexls.text.spans import Span


def drawn(marked, token, span: Span | None = None) -> str:  # type: ignore[no-untyped-def]
    text = marked.draft.source
    whole = Span(0, len(text))
    for hint in reversed(find_hints(marked.snapshot, span or whole, token)):
        label = f"⟨ {hint.label}⟩" if hint.behind else f"⟨{hint.label} ⟩"
        text = text[: hint.offset] + label + text[hint.offset :]
    return text


@pytest.mark.parametrize(
    "expected",
    [
        "Carrow v Luff [2014] ASC 12 at [3].\n\n*Ibid*⟨ = Carrow [2014] ASC 12⟩ at [4].",
        "Carrow v Luff [2014] ASC 12 at [3].\n\nId.⟨ = Carrow [2014] ASC 12⟩ at 5.",
        "Carrow v Luff (2014) 31 AldLR 5.\n\nIbid.⟨ = Carrow (2014) 31 AldLR 5⟩",
        "Carrow v Luff [2014] ASC 12.\n\nCarrow v Luff⟨ = [2014] ASC 12⟩, supra, at [4].",
        "Nobody v Someone [2013] ACA 77.\n\nIbid⟨ = Nobody [2013] ACA 77⟩ at [4].",
        "Carriage of Goods Act 1994, s 12.\n\nSee section 13⟨ = Carriage of Goods Act 1994⟩.",
        "Carriage of Goods Act 1994, s 12.\n\nIbid.⟨ = Carriage of Goods Act 1994⟩",
        "Carriage of Goods Act 1994, s 12.\n\nThe said Act⟨ = Carriage of Goods Act 1994⟩ binds.",
        "As was held in ⟨Carrow ⟩[2014] ASC 12 at [3].",
        "⟨Thornby Estates ⟩(1987) 4 AldLR 212. Nothing else.",
    ],
)
def test_what_is_not_said_is_shown(read, token, expected: str) -> None:
    draft = "".join(part.rpartition("⟩")[2] for part in expected.split("⟨"))
    assert draft != expected
    assert drawn(read(draft + "|"), token) == expected


@pytest.mark.parametrize(
    "draft",
    [
        # What is written beside it needs no hint.
        "Carrow v Luff [2014] ASC 12 at [3]. Carrow at [4].",
        "Carrow v Luff [2014] ASC 12 at [3]. *Ibid* at [4]. *Ibid* at [5].",
        "Carriage of Goods Act 1994, s 12. The said Act binds.",
        "Carriage of Goods Act 1994, s 12(1), and section 13.",
        "Carriage of Goods Act 1994 (“the Act”). The Act is plain. Section 13 of the Act.",
        "In *Carrow v Luff* the court refused ([2014] ASC 12 at [3]).",
        "Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 5.",
        # What lexls does not know it does not name.
        "Ibid at [3]. Section 12 is plain.",
        "As was held in [2013] ACA 77.",
        "Plain words.",
    ],
)
def test_what_is_said_or_not_known_is_left_alone(read, token, draft: str) -> None:
    assert drawn(read(draft + "|"), token) == draft


def test_a_run_of_sections_is_named_once_a_paragraph_and_again_when_the_act_changes(read, token) -> None:
    marked = read(
        "Carriage of Goods Act 1994, s 12.\n\nSection 11 and then section 12. Limitation Act 1979, s 4. "
        "Section 4 too.\n\nSection 5.|"
    )
    assert drawn(marked, token) == (
        "Carriage of Goods Act 1994, s 12.\n\nSection 11⟨ = Carriage of Goods Act 1994⟩ and then section 12. "
        "Limitation Act 1979, s 4. Section 4 too.\n\nSection 5⟨ = Limitation Act 1979⟩."
    )


def test_only_the_range_is_answered(read, token) -> None:
    marked = read("Carrow v Luff [2014] ASC 12. Ibid at [1].\n\n|Ibid at [2].\n\n|Ibid at [3].")
    (hint,) = find_hints(marked.snapshot, Span(marked.start, marked.end), token)
    assert marked.start < hint.offset < marked.end


def test_hints_stand_behind_the_marks_of_emphasis(read, token) -> None:
    marked = read("\\textit{Carrow v Luff} [2014] ASC~12.\n\n\\textit{Ibid.} at~[3].|", "latex")
    assert r"\textit{Ibid.}⟨ = Carrow [2014] ASC 12⟩ at~[3]." in drawn(marked, token)


def test_settings_silence_either_kind(read, token) -> None:
    draft = "In [2014] ASC 12 at [3].\n\nIbid at [4].|"
    assert "⟨Carrow ⟩" in drawn(read(draft, inlay_hints_short_forms=False), token)
    assert "Ibid at" in drawn(read(draft, inlay_hints_short_forms=False), token)
    assert "⟨Carrow ⟩" not in drawn(read(draft, inlay_hints_names=False), token)
    assert "Ibid⟨" in drawn(read(draft, inlay_hints_names=False), token)


def test_a_hint_is_explained_by_its_authority(read, token) -> None:
    marked = read("Carrow v Luff [2014] ASC 12.\n\nIbid at [1]. Nobody v Someone [2013] ACA 77.\n\nIbid.|")
    known, unknown = find_hints(marked.snapshot, Span(0, len(marked.draft.source)), token)
    found = explain_hint(marked.snapshot, known.core.start, token)
    assert found is not None
    assert "Supreme Court of Aldmoor" in found[0]
    assert found[1] is not None
    assert found[1].file.name == "carrow.md"
    found = explain_hint(marked.snapshot, unknown.core.start, token)
    assert found is not None
    assert "is not in your library" in found[0]
    assert found[1] is None
    assert explain_hint(marked.snapshot, 0, token) is not None
    assert explain_hint(marked.snapshot, len(marked.draft.source), token) is None


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Carrow Shipping Ltd v Meridian Grain Traders Ltd", "Carrow Shipping"),
        ("State of Kerala v Menon", "Menon"),
        ("Carriage of Goods Act 1994", "Carriage of Goods Act"),
        ("Quay", "Quay"),
    ],
)
def test_short_names(title: str, name: str) -> None:
    assert choose_short_name(title) == name


@pytest.mark.parametrize(
    ("draft", "label"),
    [
        ("*Pell v Stark* [2009] ACA 31.\n\nIbid at [2].", "= Pell [2009] ACA 31"),
        ("*Carrow v Luff* [2014] ASC 12.\n\nIbid at [52].", "≈ Carrow [2014] ASC 12"),
        ("*Pell v Luff* [2014] ASC 12.\n\nIbid at [2].", "≈ Carrow [2014] ASC 12"),
        ("*Carrow v Luff* [2014] 1 WLR 33.\n\nIbid.", "≈ Carrow [2014] ASC 12"),
        ("So held in [2014] ASC 12 at [52].", "≈ Carrow"),
        ("So held in [2014] ASC 12 at [3].", "Carrow"),
        ("*Nobody v Known* [2013] ACA 77.\n\nIbid at [2].", "= Nobody [2013] ACA 77"),
    ],
)
def test_a_doubtful_authority_is_not_named_as_if_it_were_certain(read, token, draft: str, label: str) -> None:
    marked = read(draft)
    (hint,) = find_hints(marked.snapshot, Span(0, len(draft)), token)
    assert hint.label == label
