"""The page for those who set clients up says what there is, and its blocks start it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lexls.agents.main import TOOLS
from lexls.cli.main import build_parser

PAGE = (Path(__file__).parents[2] / "docs/agents.md").read_text(encoding="utf-8")
CLIENTS = {
    "Claude Desktop": "mcpServers",
    "Claude Code": "mcpServers",
    "VS Code (agent mode)": "servers",
    "Cursor": "mcpServers",
    "Zed": "context_servers",
}


def test_each_client_has_a_block_whose_command_line_is_right() -> None:
    sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M))
    for client, key in CLIENTS.items():
        (block,) = re.findall(r"```json\n(.*?)```", sections[client], re.S)
        server = json.loads(block)[key]["lexls"]
        assert server["command"] == "lexls"
        assert build_parser().parse_args(server["args"]).command == "mcp"


def test_the_page_lists_the_tools() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.M)
    assert rows == [*TOOLS]
