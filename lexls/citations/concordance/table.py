"""One concordance of two codes, as read from its file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

_LABEL = re.compile(r"\d{1,4}[A-Z]{0,3}(?:\((?:\d{1,3}[A-Z]{0,2}|[a-z]{1,5})\))*")
_TEXTS = ("old", "new", "old_name", "new_name", "applies")


class ConcordanceError(ValueError):
    """A concordance file that cannot be used; the message names the file and the entry."""


@dataclass(frozen=True)
class Table:
    """The concordance of an old code and the new one that replaced it on the day ``since``.

    ``old`` and ``new`` are the grammar's keys of the two, ``old_name`` and ``new_name`` how a sentence names
    them; ``applies`` ends a sentence with what the new one applies to. ``successors`` gives for a label of
    the old code those of the new one. A label that has none stands in ``omitted``, if it was in force until
    that day, or in ``repealed``, if it was not; the values say what it was. What no source settles stands
    in ``uncertain``; ``created`` holds what only the new code has.
    """

    old: str
    new: str
    old_name: str
    new_name: str
    applies: str
    since: date
    last_old: int
    last_new: int
    successors: Mapping[str, tuple[str, ...]]
    omitted: Mapping[str, str]
    repealed: Mapping[str, str]
    uncertain: Mapping[str, str]
    created: Mapping[str, str]

    @cached_property
    def predecessors(self) -> Mapping[str, tuple[str, ...]]:
        """For a label of the new code those of the old one, in the order of the old code."""
        found: dict[str, list[str]] = {}
        for label, targets in self.successors.items():
            for target in targets:
                found.setdefault(target, []).append(label)
        return {label: tuple(sources) for label, sources in found.items()}


def read_table(text: str, file: str) -> Table:
    """The table in the text of a concordance file; ``file`` is its name, for messages.

    Raises ConcordanceError if an entry is missing or malformed, names a section that the code has not, or
    says two things about one provision.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConcordanceError(f"{file}: not a TOML file: {error}") from error
    old, new, old_name, new_name, applies = (_text(data, name, file) for name in _TEXTS)
    since = data.get("since")
    if not isinstance(since, date):
        raise ConcordanceError(f"{file}: `since` must be a day, such as 2024-07-01")
    last_old, last_new = (_number(data, name, file) for name in ("last_old", "last_new"))
    successors = {}
    for label, targets in _section(data, "successors", file).items():
        _check_label(label, last_old, f"{file}: successors")
        if not isinstance(targets, list) or not targets or len(set(targets)) != len(targets):
            raise ConcordanceError(f"{file}: successors of {label!r} must be a list of different labels")
        for target in targets:
            _check_label(target, last_new, f"{file}: successors of {label!r}")
        successors[label] = tuple(targets)
    notes: dict[str, dict[str, str]] = {}
    for name in ("omitted", "repealed", "uncertain", "created"):
        last = last_new if name == "created" else last_old
        notes[name] = {}
        for label, note in _section(data, name, file).items():
            _check_label(label, last, f"{file}: {name}")
            if not isinstance(note, str):
                raise ConcordanceError(f"{file}: {name}: the note on {label!r} must be a string")
            notes[name][label] = note
    _check_apart(
        file, {"successors": successors, **{name: notes[name] for name in notes if name != "created"}}
    )
    return Table(
        old=old,
        new=new,
        old_name=old_name,
        new_name=new_name,
        applies=applies,
        since=since,
        last_old=last_old,
        last_new=last_new,
        successors=successors,
        omitted=notes["omitted"],
        repealed=notes["repealed"],
        uncertain=notes["uncertain"],
        created=notes["created"],
    )


def _check_apart(file: str, lists: Mapping[str, Mapping[str, object]]) -> None:
    seen: dict[str, str] = {}
    for name, labels in lists.items():
        for label in labels:
            if label in seen:
                raise ConcordanceError(f"{file}: {label!r} stands both in {seen[label]} and in {name}")
            seen[label] = name


def _check_label(label: object, last: int, where: str) -> None:
    if not isinstance(label, str) or _LABEL.fullmatch(label) is None:
        raise ConcordanceError(f"{where}: {label!r} is not a label such as '302', '304B' or '376(2)'")
    number = re.match(r"\d+", label)
    if number is None or not 1 <= int(number[0]) <= last:
        raise ConcordanceError(f"{where}: {label!r} lies beyond the code's last section, {last}")


def _text(data: Mapping[str, Any], name: str, file: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value:
        raise ConcordanceError(f"{file}: `{name}` must be a string")
    return value


def _number(data: Mapping[str, Any], name: str, file: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or value < 1:
        raise ConcordanceError(f"{file}: `{name}` must be the number of the code's last section")
    return value


def _section(data: Mapping[str, Any], name: str, file: str) -> Mapping[str, Any]:
    value = data.get(name, {})
    if not isinstance(value, dict):
        raise ConcordanceError(f"{file}: `{name}` must be a table")
    return value
