"""Make the PDF of a brief with the program for its format: LibreOffice, LaTeX or Typst, if installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

_SECONDS = 180.0
_TOOLS = {
    ".docx": ("soffice", "libreoffice"),
    ".tex": ("pdflatex",),
    ".latex": ("pdflatex",),
    ".typ": ("typst",),
}
"""Programs that convert a brief to PDF, by the brief's file suffix; the first one installed is used."""


def make_own_pdf(brief: Path, folder: Path) -> tuple[Path | None, str]:
    """Return the PDF of a brief, made in ``folder`` by the program for its format. Otherwise return None and
    the reason.

    The reason is "" if no program for the format is known or installed.
    """
    names = _TOOLS.get(brief.suffix.lower(), ())
    tool = next(filter(None, map(shutil.which, names)), None)
    if tool is None:
        return None, ""
    made = folder / f"{brief.stem}.pdf"
    name = Path(tool).stem
    for command in _list_commands(tool, brief.resolve(), made):
        try:
            done = subprocess.run(
                command,
                cwd=brief.resolve().parent,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, f"{name} took longer than {_SECONDS:.0f} seconds"
        except OSError as error:
            return None, f"{name} could not be started ({error.strerror})"
        if done.returncode:
            return None, f"{name} failed"
    return (made, "") if made.is_file() else (None, f"{name} made no PDF")


def _list_commands(tool: str, brief: Path, made: Path) -> Sequence[list[str]]:
    """Return the commands that make the PDF. LaTeX runs twice to resolve its references, and may not start
    other programs.
    """
    if brief.suffix.lower() == ".typ":
        return [[tool, "compile", str(brief), str(made)]]
    if brief.suffix.lower() == ".docx":
        profile = (made.parent / "profile").as_uri()
        convert = ["--headless", "--norestore", "--convert-to", "pdf", "--outdir", str(made.parent)]
        return [[tool, f"-env:UserInstallation={profile}", *convert, str(brief)]]
    quietly = ["-interaction=batchmode", "-halt-on-error", "-no-shell-escape"]
    return [[tool, *quietly, f"-output-directory={made.parent}", str(brief)]] * 2
