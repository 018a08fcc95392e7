"""The options of ``lexls prompts``."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_prompt_options(parser: argparse.ArgumentParser, json_only: argparse.ArgumentParser) -> None:
    """Give ``lexls prompts`` its actions; each takes the options of ``json_only`` too."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", parents=[json_only], help="print the prompt of a task")
    show.add_argument("name", metavar="NAME", help="explain, ask, draft, contrary or keywords")
    write = actions.add_parser("write", parents=[json_only], help="write all prompts out for editing")
    write.add_argument(
        "--to", metavar="FOLDER", type=Path, required=True, help="where; files that are there are left alone"
    )
    check = actions.add_parser("check", parents=[json_only], help="tell what is wrong with your own prompts")
    check.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, help="where (otherwise that of the settings)"
    )
