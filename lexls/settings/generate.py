"""Write the documents and manifests that follow from the declarations.

``python -m lexls.settings.generate`` writes them; with ``--check`` it only says which ones differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from lexls.settings.documents import commands_page, default_toml, diagnostics_page, settings_page
from lexls.settings.manifests import neovim_table, vscode_manifest

GENERATED: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "docs/settings.md": lambda _: settings_page(),
        "docs/diagnostics.md": lambda _: diagnostics_page(),
        "docs/commands.md": lambda _: commands_page(),
        "docs/lexls.default.toml": lambda _: default_toml(),
        "editors/vscode/package.json": vscode_manifest,
        "editors/neovim/lua/lexls/declared.lua": lambda _: neovim_table(),
    }
)
"""For each file, relative to the repository: its new text from its present text."""


def drifted(root: Path) -> list[str]:
    """The generated files of a checkout that are missing or differ from the declarations."""
    found = []
    for name, make in GENERATED.items():
        path = root / name
        current = path.read_text(encoding="utf-8") if path.is_file() else ""
        if not current or make(current) != current:
            found.append(name)
    return found


def write(root: Path) -> list[str]:
    """Write the generated files that differ into a checkout; those written. The manifest must exist."""
    changed = drifted(root)
    for name in changed:
        path = root / name
        current = path.read_text(encoding="utf-8") if path.is_file() else ""
        if not current and name.endswith(".json"):
            raise FileNotFoundError(f"{path}: the manifest to be completed is missing")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(GENERATED[name](current), encoding="utf-8", newline="\n")
    return changed


def main(arguments: list[str] | None = None) -> int:
    """Run the generators; 1 if ``--check`` finds a file that differs."""
    parser = argparse.ArgumentParser(prog="python -m lexls.settings.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which files differ")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2], help="the checkout")
    options = parser.parse_args(arguments)
    names = drifted(options.root) if options.check else write(options.root)
    for name in names:
        print(f"{name}: {'differs from the declarations; run make docs' if options.check else 'written'}")
    return 1 if names and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
