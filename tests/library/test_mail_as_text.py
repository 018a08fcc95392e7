"""E-mails that were saved as text: their heads are read as such, and never as the title of a case."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.index.session import open_library
from lexls.library.mail_heads import read_mail_head
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS

HEADS = {
    "Outlook": "From:\tAlice\nSent:\t12 March 2021 10:15\nTo:\tBob Elm\nCc:\tCarol v Rye\nSubject:\t{}\n",
    "Outlook in America": (
        "From: Thorn, Alice <alice@thorn.example>\nSent: Friday, March 12, 2021 10:15 AM\nTo: Elm, Bob\n"
        "Subject: {}\nAttachments: order.pdf\n"
    ),
    "Apple": "From: Alice <a@thorn.example>\nSubject: {}\nDate: 12 March 2021 at 10:15:00 GMT\nTo: B\n",
    "Thunderbird": "Subject: {}\nDate: Fri, 12 Mar 2021 10:15:00 +0000\nFrom: <a@thorn.example>\nTo: Bob\n",
    "as it was sent": (
        "Received: from mail.example (1.2.3.4)\n\tby mx.example; Sat, 13 Mar 2021 10:15:00 +0000\n"
        "Message-ID: <1@thorn.example>\nTo: Bob Elm <b@elm.example>\nFrom: Alice <a@thorn.example>\n"
        "Subject: {}\nDate: Fri, 12 Mar 2021 10:15:00 +0000\n"
    ),
    "mailbox": (
        "From alice@thorn.example Fri Mar 12 10:15:00 2021\nFrom: Alice\nTo: Bob\nSubject: {}\n"
        "Date: Fri, 12 Mar 2021 10:15:00 +0000\n"
    ),
    "forwarded": (
        "---------- Forwarded message ---------\nFrom: Alice\nDate: Fri, 12 Mar 2021 at 10:15\n"
        "Subject: {}\nTo: Bob\n"
    ),
    "in Markdown": "**From:** Alice Thorn\n**Sent:** 12 March 2021\n**To:** Bob Elm\n**Subject:** {}\n",
    "with blank lines": "\n\nFrom: Alice Thorn\n\nSent: 12 March 2021\n\nTo: Bob Elm\n\nSubject: {}\n",
}
SUBJECTS = ("Thorn v Elm", "RE: Thorn v Elm [2020] UKSC 9", "Hearing in the High Court", "v")
BODIES = (
    "Dear Bob,\n\nThe price was due.\n",
    "IN THE HIGH COURT OF JUSTICE\n\nThorn v Elm [2020] UKSC 9\n\n1. The price was due.\n",
)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_head_of_a_mail_is_no_title(read_as, head: str, subject: str, body: str, encoding: str) -> None:  # type: ignore[no-untyped-def]
    text = f"{HEADS[head].format(subject)}\n{body}"
    for name, ends in (("a.txt", "\n"), ("thorn-v-elm.txt", "\r\n"), ("a.md", "\n")):
        found = read_as(name, text.replace("\n", ends).encode(encoding))
        facts = found.metadata
        assert (facts.title, facts.date) == (f"E-mail: {subject}", "2021-03-12")
        assert (facts.kind, facts.court, facts.citation) == ("other", "", "")
        assert "The price was due." in found.text


def test_words_that_are_encoded_in_a_mail_saved_as_text_are_read(read_as) -> None:  # type: ignore[no-untyped-def]
    head = (
        "MIME-Version: 1.0\nFrom: =?utf-8?q?Al=C3=AFce?= <a@thorn.example>\nSubject: =?utf-8?q?Caf=C3=A9?=\n"
    )
    sent = f"{head}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    for start in ("", "\ufeff", "Received: from x\n\tby y\n"):
        found = read_as("a.txt", (start + sent + "The caf=C3=A9 of Vane was lo=\nng.\n").encode())
        assert (found.metadata.title, found.format) == ("E-mail: Café", "e-mail")
        assert "The café of Vane was long." in found.text


@pytest.mark.parametrize(
    "text",
    [
        "MEMORANDUM\n\nTO: Bob\nFROM: Alice\nDATE: 12 March 2021\nRE: Thorn v Elm\n\nThe price.",
        "TO: Bob\nFROM: Alice\nDATE: 12 March 2021\nSUBJECT: Thorn v Elm\n\nThe price.",
        "From: Alice\nTo: Bob\n\nDear Bob",
        "Date: 12 March 2021\nSubject: Thorn v Elm\n\nThe price",
        "Thorn v Elm\n\nFrom: Alice\nTo: Bob\nSubject: Oats\n",
        "Before: Lord Rye\nBetween: Thorn and Elm\nDate: 12 March 2021\n",
        "",
    ],
)
def test_what_only_looks_like_the_head_of_a_mail_is_none(text: str) -> None:
    assert read_mail_head(text) is None


def test_what_its_user_says_of_a_mail_stands(read_as) -> None:  # type: ignore[no-untyped-def]
    stated = "---\ntitle: Advice on oats\n---\n\n" + HEADS["Outlook"].format("Thorn v Elm") + "\nDear Bob\n"
    facts = read_as("a.txt", stated).metadata
    assert (facts.title, facts.date) == ("Advice on oats", "2021-03-12")


@pytest.mark.parametrize("name", ["a.txt", "a.eml"])
def test_no_case_is_bound_to_a_mail(tmp_path: Path, grammar: Grammar, name: str) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    written = HEADS["Apple"].format("Thorn v Elm") + "\nThe price was due.\n"
    (folder / name).write_text(written, encoding="utf-8")
    settings = Settings(jurisdiction="UK", embeddings_model="")
    library, report = open_library([folder], tmp_path / "index.sqlite", settings, lexical_only=True)
    try:
        assert not report.failed
        draft = DraftParser(grammar, "UK").parse(
            "file:///draft.md", "In Thorn v Elm [2021] EWHC 5 (Ch) it was so.", FORMATS["markdown"]
        )
        (citation,) = draft.citations
        assert not resolve(library, draft, citation).authorities
    finally:
        library.close()
