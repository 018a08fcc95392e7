"""The page of a draft's report as the command ``lexls.report`` gives it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from raw_client import RawClient
from weir_workspace import CITING, opened, place, told, workspace

Start = Callable[[], RawClient]
FINDING = re.compile(r'<article.*?data-finding="(\w+)">(.*?)</article>', re.DOTALL)


def test_findings_are_signed_by_what_they_say(start: Start, tmp_path: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root)
    page = told(client, "lexls.report", uri=uri)["page"]
    names = [name for name, _ in FINDING.findall(page)]
    assert len(names) == len(set(names)) == 2
    assert "☑" not in page
    signed = {names[0]: {"initials": "R<P", "day": "2026-11-24"}}
    boxes = [box for _, box in FINDING.findall(told(client, "lexls.report", uri=uri, signed=signed)["page"])]
    assert ["☑" in box for box in boxes] == [True, False]
    assert "Checked by R&lt;P, 24 November 2026" in boxes[0]
    # What is cited otherwise is to be checked anew; what was moved only is the same.
    text = (root / "draft.md").read_text(encoding="utf-8")
    for before, after, kept in (
        ("# Skeleton\n", "# Skeleton\n\nBy way of opening.\n", 2),
        ("at [2]", "at [3]", 1),
    ):
        text = text.replace(before, after)
        moved = client.open(root / f"{kept}.md", text)
        again = [name for name, _ in FINDING.findall(told(client, "lexls.report", uri=moved)["page"])]
        assert len(set(names) & set(again)) == kept


def test_its_links_are_places_that_show_evidence(start: Start, tmp_path: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root)
    page = told(client, "lexls.report", uri=uri)["page"]
    hale = (root / "library" / "hale.md").as_uri()
    [_, label] = re.findall(r'href="([^"]+)"', page)
    assert re.fullmatch(re.escape(hale) + r"#L10,1-L10,\d+", label)
    assert f'data-start="{cited_at(root)}"' in page
    whole = told(client, "lexls.report", uri=uri, folder=str(root))["page"]
    assert whole.startswith("<!doctype html>")
    assert 'href="./library/hale.md"' in whole
    assert told(client, "lexls.report", uri=(root / "closed.md").as_uri()) is None
    assert told(client, "lexls.evidence", uri=hale, range=place(CITING, 0)) is None


def cited_at(root: Path) -> int:
    return (root / "draft.md").read_text(encoding="utf-8").index("Hale v Ryle")


def test_the_page_reviews_the_brief_beside_an_opponents(start: Start, tmp_path: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root)
    reply = root / "reply.md"
    reply.write_text("We distinguish *Hale v Ryle* [2019] ASC 41 at [2].\n", encoding="utf-8")
    page = told(client, "lexls.report", uri=uri, against=[reply.as_uri()])["page"]
    assert "Beside reply.md" in page
    assert "Characterised differently" in page
    assert "Not cited, though the argument calls for it" in page
