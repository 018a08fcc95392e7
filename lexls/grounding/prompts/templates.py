"""Prompts as files: lexls' own, and those of the user that stand in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from lexls.library.frontmatter import front_matter

TemplateName = Literal["explain", "ask", "draft", "contrary", "keywords"]
"""A task of ``Request``, or ``keywords``: the words by which a question is looked up."""
TEMPLATE_NAMES: tuple[TemplateName, ...] = ("explain", "ask", "draft", "contrary", "keywords")
LONGEST = 65_536
"""Bytes that a template may have."""

_ANSWERING = frozenset({"evidence", "question", "history", "delimiter", "sentences"})
_NEEDED: Mapping[TemplateName, frozenset[str]] = MappingProxyType(
    {
        "explain": _ANSWERING | {"pinpoint"},
        "ask": _ANSWERING,
        "draft": _ANSWERING,
        "contrary": _ANSWERING,
        "keywords": frozenset({"question", "most"}),
    }
)
_PLACEHOLDER = re.compile(r"\{\{([^{}\n]{0,60})\}\}")
_SECTION = re.compile(r"^#[ \t]{1,8}(System|User)[ \t]{0,8}$", re.MULTILINE | re.IGNORECASE)


class TemplateError(Exception):
    """A template cannot be used; the message names its file and says why."""


@dataclass(frozen=True, slots=True)
class Template:
    """What a model is told, with ``{{placeholders}}`` for what changes.

    ``system`` are the rules, ``user`` is what they are applied to. ``own`` says that it is the user's file.
    """

    name: TemplateName
    version: int
    system: str
    user: str
    own: bool = False

    @property
    def label(self) -> str:
        """Its name and version for the user: "ask 1", and "ask 3 (your own)" for one of the user's."""
        return f"{self.name} {self.version}" + (" (your own)" if self.own else "")


def load_template(task: TemplateName, folder: Path | None = None) -> Template:
    """The template of ``task``: ``<task>.md`` in ``folder`` if it is there, otherwise lexls' own.

    Raises ``TemplateError``.
    """
    if folder is not None:
        path = folder / f"{task}.md"
        if path.is_file():
            return parse_template(task, _read(path), str(path), own=True)
        if not folder.is_dir():
            raise TemplateError(f"{folder}: the folder of explain.promptFolder does not exist")
    return parse_template(task, template_text(task), f"{task}.md")


def template_text(task: TemplateName) -> str:
    """The file of lexls' own template as it is written."""
    return resources.files(__package__).joinpath(f"{task}.md").read_text(encoding="utf-8")


def parse_template(task: TemplateName, text: str, file: str, *, own: bool = False) -> Template:
    """The template that ``text`` writes; ``file`` is what messages call it. Raises ``TemplateError``."""
    version, body = _head(task, text.replace("\r\n", "\n"), file)
    sections = _sections(body, file)
    named: list[str] = _PLACEHOLDER.findall(sections["system"] + sections["user"])
    unknown = [each for each in named if each not in _NEEDED[task]]
    if unknown:
        raise TemplateError(
            f"{file}: unknown placeholder {{{{{unknown[0]}}}}}; there are {_listed(_NEEDED[task])}"
        )
    missing = _NEEDED[task] - set(named)
    if missing:
        raise TemplateError(f"{file}: missing placeholder {_listed(missing)}")
    return Template(task, version, sections["system"], sections["user"], own)


def substituted(text: str, values: Mapping[str, str]) -> str:
    """``text`` with the value of each placeholder in its place; what a value holds is not read again.

    Blank lines that an empty value leaves behind are taken away.
    """
    pieces: list[str] = []
    position = 0
    for match in _PLACEHOLDER.finditer(text):
        if match[1] not in values:
            continue
        piece = text[position : match.start()]
        if not values[match[1]] and piece.endswith("\n\n") and text.startswith("\n", match.end()):
            piece = piece.rstrip("\n")
        pieces += [piece, values[match[1]]]
        position = match.end()
    return "".join([*pieces, text[position:]]).strip()


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST + 1)
    except OSError as error:
        raise TemplateError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(data) > LONGEST:
        raise TemplateError(f"{path}: longer than {LONGEST} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TemplateError(f"{path}: not UTF-8 (byte {error.start})") from error


def _head(task: TemplateName, text: str, file: str) -> tuple[int, str]:
    """The version that the front matter gives, and what follows it."""
    values, end, warnings = front_matter(text)
    if warnings:
        raise TemplateError(f"{file}: {warnings[0].partition(';')[0]}")
    if not end:
        raise TemplateError(f'{file}: it must begin with front matter: "task: {task}" and "version: 1"')
    unknown = sorted(set(values) - {"task", "version"})
    if unknown:
        raise TemplateError(f'{file}: front matter has "{unknown[0]}"; only task and version belong there')
    if values.get("task") != task:
        raise TemplateError(f'{file}: "task" of the front matter must be "{task}", as the file is named')
    version = values.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise TemplateError(f'{file}: "version" of the front matter must be a whole number above 0')
    return version, text[end:]


def _sections(body: str, file: str) -> dict[str, str]:
    parts = _SECTION.split(body)
    if parts[0].strip():
        raise TemplateError(f'{file}: there is text before the heading "# System"')
    names = [each.lower() for each in parts[1::2]]
    if names != ["system", "user"]:
        raise TemplateError(f'{file}: it must have the headings "# System" and "# User", once, in this order')
    found = dict(zip(names, (each.strip() for each in parts[2::2]), strict=True))
    for name, text in found.items():
        if not text:
            raise TemplateError(f'{file}: nothing stands under "# {name.title()}"')
    return found


def _listed(names: Sequence[str] | frozenset[str]) -> str:
    return ", ".join(f"{{{{{each}}}}}" for each in sorted(names))
