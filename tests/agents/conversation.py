"""Ask a tool through the official client, and read its answer both ways."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from mcp import Client

Connect = Callable[..., AbstractAsyncContextManager[Client]]
MCP = (sys.executable, "-m", "lexls", "mcp")
AUTHORITIES = 33
"""How many the sample's library holds."""
ASKED: dict[str, dict[str, Any]] = {
    "library_status": {},
    "check_draft": {"path": "drafts/skeleton-argument.md", "support": True},
    "verify_citation": {
        "citation": "Carrow Shipping Ltd v Meridian Grain Traders Ltd [2014] ASC 12 at [23]",
        "proposition": "An unjustified deviation is a breach of the contract of carriage and no more.",
    },
    "verify_quotation": {
        "quotation": "an unjustified deviation is a breach of the contract of carriage and no more",
        "citation": "[2014] ASC 12 at [23]",
    },
    "find_support": {"proposition": "A deviation that serves the carrier alone is not reasonable."},
    "contrary_authority": {
        "proposition": "A deviation displaces the contract of carriage: Orrin Grain Co v Pell Line Ltd "
        "(1968) 1 AldLR 301."
    },
    "search": {"query": "deviation from the customary route", "passages": True},
    "read_passage": {"authority": "[2014] ASC 12", "place": "[23]"},
}
"""A call of each tool on the sample."""
_MARKED = re.compile(r"<<<(\w{16}) (\d+) begins>>>\n(.*?)\n<<<\1 \2 ends>>>", re.S)


@dataclass(frozen=True)
class Told:
    """An answer: as text and as data."""

    text: str
    data: dict[str, Any]

    @property
    def marked(self) -> list[str]:
        """What stands between marks."""
        return [each[2] for each in _MARKED.findall(self.text)]

    @property
    def unmarked(self) -> str:
        """What lexls says itself."""
        return _MARKED.sub("", self.text)

    def quoted(self, data: Any = None) -> Iterator[dict[str, Any]]:
        """All words of authorities in the data, with their places."""
        value = self.data if data is None else data
        if isinstance(value, dict):
            if "quotation" in value and "resource" in value:
                yield value
            for each in value.values():
                yield from self.quoted(each) if each is not None else ()
        elif isinstance(value, list):
            for each in value:
                yield from self.quoted(each)


async def ask(client: Client, tool: str, **arguments: Any) -> Told:
    """The answer of a tool."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return Told(result.content[0].text, result.structured_content)


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Why a tool does not answer."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return str(result.content[0].text)
