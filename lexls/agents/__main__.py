"""Write the tools' declarations to ``settings/agent_tools.json``, as ``make docs`` does."""

from __future__ import annotations

from pathlib import Path

from lexls.agents.main import write_tools
from lexls.settings import commands

if __name__ == "__main__":
    path = Path(commands.__file__).with_name("agent_tools.json")
    path.write_text(write_tools(), encoding="utf-8", newline="\n")
