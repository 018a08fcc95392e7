"""Comments and changes at random places of Word documents: rejected, nothing of them is left."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from word_briefs import write_briefs
from word_changes import TEXT, find_comments, normal_form, read_parts, settle

from lexls.export.word_copy import WordCopy
from lexls.export.word_edits import Author
from lexls.library.readers.docx import extract
from lexls.text.spans import Span

BRIEFS = write_briefs()
GENUINE = sorted((Path(__file__).parents[3] / "shared" / "authority-formats" / "uk-docx").glob("*.docx"))
AUTHOR = Author("lexls", "2031-05-04T10:00:00Z")


def change_at_random(data: bytes, number: int, seed: int) -> int:
    """Put so many comments and changes into a document and look at what becomes of it; how many were made."""
    chosen = random.Random(seed)
    copy = WordCopy(data, AUTHOR)
    text = copy.extract.text
    words = list(re.finditer(r"\w+", text))
    made: list[tuple[Span, str]] = []
    for _ in range(number):
        word = chosen.choice(words)
        if chosen.random() < 0.5:
            copy.comment(
                Span(word.start(), min(len(text), word.start() + chosen.choice((3, 10, 60, 300)))), ["x"]
            )
        new = chosen.choice(("new", "", f"{word[0]}s", "two words", "& <less>"))
        old = Span(word.start(), chosen.choice((word.end(), word.start())))
        if copy.change(old, new):
            made.append((old, new))
    rejected, accepted = (settle(copy.written, accepted=each) for each in (False, True))
    assert extract(rejected).text == text
    before, after, back = read_parts(data), read_parts(copy.written), read_parts(rejected)
    for part, content in before.items():
        if TEXT.fullmatch(part):
            assert normal_form(back[part]) == normal_form(content)
        elif not part.endswith((".rels", "[Content_Types].xml", "comments.xml")):
            assert after[part] == content
    assert len(find_comments(copy.written)) == copy.comments
    for old, new in sorted(made, reverse=True):
        text = text[: old.start] + new + text[old.end :]
    # Where a paragraph begins or ends with white space now, a reader leaves it out.
    assert "".join(extract(accepted).text.split()) == "".join(text.split())
    return len(made)


@pytest.mark.parametrize("name", sorted(BRIEFS))
def test_of_a_brief(name: str) -> None:
    assert sum(change_at_random(BRIEFS[name], 12, seed) for seed in range(6)) > 0


@pytest.mark.slow
@pytest.mark.skipif(not GENUINE, reason="no ../shared/authority-formats/uk-docx")
def test_of_genuine_judgments() -> None:
    for path in GENUINE:
        assert change_at_random(path.read_bytes(), 60, len(path.name)) > 40, path.name
