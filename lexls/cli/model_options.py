"""The options of ``lexls models add``, ``list`` and ``remove``."""

from __future__ import annotations

import argparse
from typing import Any


def add_model_file_actions(actions: Any, json_only: argparse.ArgumentParser) -> None:
    """Add the actions to those of ``lexls models``."""
    add = actions.add_parser(
        "add", parents=[json_only], help="add a model file (GGUF) that writes explanations"
    )
    add.add_argument(
        "source", metavar="FILE|URL|NAME", help="a file, an address, or a name of `lexls models list`"
    )
    add.add_argument("--name", metavar="NAME", help="what to call it (otherwise as its file)")
    add.add_argument("--sha256", metavar="DIGEST", help="refuse a file with another checksum")
    add.add_argument(
        "--copy", action="store_true", help="copy a FILE into lexls' folder (otherwise used where it lies)"
    )
    add.add_argument(
        "--unverified", action="store_true", help="take a file whose server announces no checksum as it comes"
    )
    add.add_argument("--use", action="store_true", help="also set explain.generator and llama.model to it")
    actions.add_parser("list", parents=[json_only], help="the model files added, and known ones that can be")
    remove = actions.add_parser(
        "remove", parents=[json_only], help="forget a model file; delete it if fetched"
    )
    remove.add_argument("name", metavar="NAME")
