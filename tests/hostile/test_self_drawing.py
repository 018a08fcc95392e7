"""PDFs whose drawings draw themselves are refused with the reason; honest ones built alike are read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mutants import judge_apart
from self_drawing import DISGUISED, HOSTILE, KINDS, PLACES, WORDS, make_drawings

from lexls.index.config import PrepareOptions
from lexls.index.prepare import Preparer
from lexls.library.document import UnreadableFile
from lexls.library.readers.pdf import extract
from lexls.library.readers.pdf_drawings import check_drawings

REFUSED = "damaged PDF (a drawing in it draws itself or others more than 100,000 times)"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("times", [2, 300])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_ring_of_drawings_is_refused(kind: str, place: str, length: int, times: int, packed: bool) -> None:
    with pytest.raises(UnreadableFile, match=re.escape(REFUSED)):
        check_drawings(make_drawings(kind, place, length, times, packed=packed))


@pytest.mark.parametrize("place", PLACES)
def test_an_annotation_that_draws_itself_is_refused(place: str) -> None:
    with pytest.raises(UnreadableFile, match=re.escape(REFUSED)):
        check_drawings(make_drawings("form", place, 2, 9, annotated=True))


@pytest.mark.parametrize("how", DISGUISED)
def test_a_form_that_draws_itself_otherwise_is_refused(how: str) -> None:
    with pytest.raises(UnreadableFile, match=re.escape(REFUSED)):
        check_drawings(DISGUISED[how]())


@pytest.mark.parametrize("how", HOSTILE)
def test_a_file_made_to_keep_a_reader_busy_is_refused(how: str) -> None:
    with pytest.raises(UnreadableFile, match="damaged PDF"):
        check_drawings(HOSTILE[how]())


@pytest.fixture(scope="module")
def preparer() -> Preparer:
    return Preparer(PrepareOptions(jurisdiction="UK"))


@pytest.mark.parametrize("place", PLACES)
def test_the_index_says_why_it_has_no_such_file(preparer: Preparer, tmp_path: Path, place: str) -> None:
    path = tmp_path / "ring.pdf"
    path.write_bytes(make_drawings("form", place, 1, 300))
    assert judge_apart(preparer, path) == REFUSED


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_drawings_that_share_their_resources_are_read(
    kind: str, place: str, length: int, packed: bool
) -> None:
    found = extract(make_drawings(kind, place, length, 2, honest=True, packed=packed))
    assert f"{WORDS} in the spring." in found.text
    if kind == "form" and place in ("page", "tree", "shared", "indirect", "compressed"):
        assert found.text.count(WORDS) > 1
