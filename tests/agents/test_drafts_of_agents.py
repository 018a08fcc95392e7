"""Which drafts agents may have read."""

from __future__ import annotations

import os
from pathlib import Path

import docx
from conversation import Connect, ask, refused


async def test_only_drafts_in_the_workspace_are_read(connect: Connect, sample: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("Told in confidence: [2014] ASC 12 at [23].\n")
    (sample / "drafts/linked.md").symlink_to(secret)
    (sample / "drafts/folder").symlink_to(tmp_path)
    (sample / "drafts/.env").write_text("TOKEN=1\n")
    (sample / "drafts/key.pem").write_text("no draft\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo(sample / "drafts/pipe.md")
    (sample / "drafts/inside.md").symlink_to(sample / "drafts/skeleton-argument.md")
    (sample / "exhibits").mkdir()
    (sample / "exhibits/Ex. 4.txt").write_text("Minutes of the berth committee.")
    async with connect(sample) as client:
        for path in (
            str(secret),
            f"../{secret.name}",
            "drafts/linked.md",
            "drafts/folder/secret.md",
            "/etc/passwd",
        ):
            said = await refused(client, "check_draft", path=path)
            assert "lies outside the workspace" in said
            assert "confidence" not in said
        for path in ("drafts/.env", "drafts/key.pem", "lexls.toml"):
            assert "only drafts are read" in await refused(client, "check_draft", path=path)
        for path in ("drafts/pipe.md", "drafts/gone.md", "drafts"):
            assert path in await refused(client, "check_draft", path=path)
        for path in ("library/cases/2014-ASC-12-carrow-v-meridian.md", "exhibits/Ex. 4.txt"):
            assert "of the library or the record, and no draft" in await refused(
                client, "check_draft", path=path
            )
        assert "none that this system can have" in await refused(client, "check_draft", path="a\0b.md")
        told = await ask(client, "check_draft", path=str(sample / "drafts/inside.md"))
        assert told.data["draft"] == "drafts/skeleton-argument.md"


async def test_each_format_of_drafts_is_read(connect: Connect, sample: Path) -> None:
    brief = docx.Document()
    brief.add_paragraph("The carrier must show it: Carrow v Meridian [2014] ASC 12 at [23].")
    brief.save(str(sample / "drafts/brief.docx"))
    async with connect(sample) as client:
        for path in ("drafts/memorandum.tex", "drafts/advice.typ", "drafts/brief.docx"):
            told = await ask(client, "check_draft", path=path, everything=True)
            assert told.data["citations"]
            assert all(each["at"]["place"] for each in told.data["citations"])
        typst = (sample / "drafts/advice.typ").read_text(encoding="utf-8")
        by_text = await ask(client, "check_draft", text=typst, language="typst", everything=True)
        by_path = await ask(client, "check_draft", path="drafts/advice.typ", everything=True)
        assert by_text.data | {"draft": ""} == by_path.data | {"draft": ""}
