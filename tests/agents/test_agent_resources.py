"""Resources and prompts, as the official client lists and reads them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conversation import AUTHORITIES, Connect, Told, ask
from mcp import MCPError


async def test_authorities_and_passages_are_resources(connect: Connect, sample: Path) -> None:
    async with connect(sample) as client:
        listed = (await client.list_resources()).resources
        assert len(listed) == AUTHORITIES
        carrow = next(each for each in listed if (each.title or "").startswith("Carrow"))
        (whole,) = (await client.read_resource(carrow.uri)).contents
        told = Told(whole.text, {})  # type: ignore[union-attr]
        text = (sample / "library" / str(carrow.description)).read_text(encoding="utf-8")
        assert text.strip()[-80:] in told.marked[0]
        read = await ask(client, "read_passage", authority="[2014] ASC 12", place="[23]")
        words = read.data["words"]
        (passage,) = (await client.read_resource(words["resource"])).contents
        assert words["quotation"] in Told(passage.text, {}).marked[0]  # type: ignore[union-attr]
        templates = (await client.list_resource_templates()).resource_templates
        assert {each.name for each in templates} == {*("authority", "passage", "paper", "paper-passage")}
        for gone in ("lexls://authority/999999", "lexls://authority/x", "file:///etc/passwd"):
            with pytest.raises(MCPError, match="no authority of the library has this address"):
                await client.read_resource(gone)


async def test_a_long_authority_is_read_to_its_end(connect: Connect, sample: Path) -> None:
    said = "The quay is long and the tide is late. " * 22_000
    (sample / "library" / "long.md").write_text(f"# Quay Register\n\n{said}\nHere the register ends.\n")
    async with connect(sample) as client:
        while len(listed := (await client.list_resources()).resources) == AUTHORITIES:
            await asyncio.sleep(0.1)
        following = next(each.uri for each in listed if each.description == "long.md")
        read = 0
        while following:
            (piece,) = (await client.read_resource(following)).contents
            text = piece.text  # type: ignore[union-attr]
            read += 1
            _, _, following = text.partition("The text goes on at ")
            following = following.partition(": ")[2]
        assert read == 3
        assert "Here the register ends." in Told(text, {}).marked[0]


async def test_prompts_say_what_to_do_and_what_never_to_say(connect: Connect, sample: Path) -> None:
    async with connect(sample) as client:
        prompts = {each.name: each for each in (await client.list_prompts()).prompts}
        assert set(prompts) == {"cite-check", "support-this"}
        check = await client.get_prompt("cite-check", {"path": "drafts/skeleton-argument.md"})
        text = check.messages[0].content.text  # type: ignore[union-attr]
        assert "with `path` drafts/skeleton-argument.md" in text
        assert "never say that it does not exist" in text
        support = await client.get_prompt("support-this", {"proposition": "Crew {how} matter."})
        assert "Crew {how} matter." in support.messages[0].content.text  # type: ignore[union-attr]
        tools = {each.name for each in (await client.list_tools()).tools}
        for each in (check, support):
            told = each.messages[0].content.text.split("`")[1::2]  # type: ignore[union-attr]
            assert {name for name in told if "_" in name} <= tools
        with pytest.raises(MCPError, match="needs proposition"):
            await client.get_prompt("support-this")
        with pytest.raises(MCPError, match="there is no such prompt"):
            await client.get_prompt("sing")
