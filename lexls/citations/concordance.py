"""Say what became of a provision of a replaced code, and what a provision of a new one was before.

The data are the TOML files in the folders ``concordances`` of jurisdictions, one for each pair of codes:
`old` and `new` are the grammar's keys of the two Acts, `since` is the day of the change, `last_old` and
`last_new` are their last sections.

    [successors]          "302" = ["103(1)"]           one provision, one successor
                          "376" = ["64", "65(1)"]      split
                          "428" = ["325"]
                          "429" = ["325"]              merged
    [omitted]             "497" = "what is known"      in force until that day, no successor
    [repealed]            "161" = "…"                  no longer in force before that day
    [uncertain]           "236" = "…"                  not told to anybody
    [created]             "111" = "organised crime"    in the new code only

A label is a section with its letter and, as far as it is needed, sub-sections and clauses in brackets. A
sub-section has an entry of its own only where its successor is known to that depth.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Literal

from lexls.citations.jurisdiction import load_jurisdictions

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


Relation = Literal["same", "split", "merged", "omitted", "repealed", "new"]
"""``same``: one provision for one; ``split``: several for one; ``merged``: one for several; ``omitted``:
none; ``repealed``: none, since it was not in force any more; ``new``: no predecessor."""

_HYPHEN = re.compile(r"(?<=\d)[-‐‑–](?=[A-Za-z])")
_SECTION = re.compile(r"\s{0,9}(\d{1,4})\s{0,9}([A-Za-z]{0,3})((?:\s{0,9}\([0-9A-Za-z]{1,5}\))*)\s{0,9}")
_WORD = re.compile(r"[0-9A-Za-z]+")
_RANGE = re.compile(r"\s{0,9}(\d{1,4}[A-Za-z]{0,3})\s{0,9}[-–—]\s{0,9}(\d{1,4}[A-Za-z]{0,3})\s{0,9}")


@dataclass(frozen=True, slots=True)
class Correspondence:
    """What stands in one code for a provision of the other.

    ``act`` is the key of the Act asked about and ``asked`` the label; ``found`` is the provision that has the
    entry: ``asked`` itself or the section or sub-section it belongs to. ``labels`` are the corresponding
    provisions of the Act ``other``, in order, empty if there are none. ``shared`` are other provisions of
    ``act`` that have the same ones: they were merged, or are parts of one that was split. ``note`` says in
    words what is more than a new number, "" if nothing. The new code stands since the day ``since`` and for
    what ``applies`` says. ``backward`` tells that ``act`` is the new code.
    """

    act: str
    act_name: str
    asked: str
    found: str
    other: str
    other_name: str
    labels: tuple[str, ...]
    relation: Relation
    shared: tuple[str, ...]
    note: str
    since: date
    applies: str
    backward: bool


class Concordance:
    """The concordances of all codes, each read from its file when it is first asked for."""

    def __init__(self) -> None:
        self._files = {
            key: place.folder / "concordances" / file
            for place in load_jurisdictions().values()
            for file, keys in place.concordances.items()
            for key in keys
        }
        self._tables: dict[str, Table] = {}

    @classmethod
    def load(cls) -> Concordance:
        """The concordances that lexls brings."""
        return cls()

    @property
    def acts(self) -> Sequence[str]:
        """The keys of all Acts that have a concordance, old and new."""
        return tuple(self._files)

    def table(self, key: str) -> Table | None:
        """The table that an Act is part of, by the grammar's key; None if there is none.

        Raises ConcordanceError, naming the file, if the file is broken.
        """
        file = self._files.get(key)
        if file is None:
            return None
        if file.name not in self._tables:
            try:
                text = file.read_text(encoding="utf-8")
            except OSError as error:
                raise ConcordanceError(f"{file.name}: cannot be read: {error.strerror or error}") from error
            self._tables[file.name] = read_table(text, file.name)
        return self._tables[file.name]

    def is_replaced(self, key: str) -> bool:
        """Return whether the Act of a key is a code that another one replaced."""
        table = self.table(key)
        return table is not None and table.old == key

    def successors(self, key: str, label: str) -> Correspondence | None:
        """Return what took the place of a provision; None if the Act was not replaced or nothing is known.

        ``key`` is the grammar's key of the Act, ``label`` a pinpoint's label: "302", "304B", "376(2)". A
        sub-section without an entry of its own is answered by its section's, which ``found`` then names.
        """
        table = self.table(key)
        wanted = normalize_label(label)
        if table is None or table.old != key or not wanted:
            return None
        for found in _upwards(wanted):
            if found in table.uncertain:
                return None
            if found in table.successors:
                return _forward(table, wanted, found)
            if found in table.omitted:
                return _entry(table, wanted, found, (), "omitted", table.omitted[found])
            if found in table.repealed:
                return _entry(table, wanted, found, (), "repealed", table.repealed[found])
        return None

    def predecessors(self, key: str, label: str) -> Correspondence | None:
        """Return what a provision of a new code was in the old one; None if the Act replaced none or it is
        unknown.

        A section whose sub-sections alone have entries is answered by all of theirs.
        """
        table = self.table(key)
        wanted = normalize_label(label)
        if table is None or table.new != key or not wanted:
            return None
        for found in _upwards(wanted):
            if found in table.predecessors:
                return _backward(table, wanted, found, _narrowest(table.predecessors[found]))
            if found in table.created:
                return _entry(table, wanted, found, (), "new", table.created[found], backward=True)
            below = _widest(_below(table.predecessors, found))
            if below:
                return _backward(table, wanted, found, below)
        return None


def normalize_label(label: str) -> str:
    """The label as the tables write it ("498-a (1)" → "498A(1)"); "" for a range or what is no section."""
    match = _SECTION.fullmatch(_HYPHEN.sub("", label))
    if match is None:
        return ""
    brackets = (each.upper() if each[0].isdigit() else each.lower() for each in _WORD.findall(match[3]))
    return str(int(match[1])) + match[2].upper() + "".join(f"({each})" for each in brackets)


def ends_of_range(label: str) -> tuple[str, str] | None:
    """The first and the last section of a label such as "56-60"; None if it is no range of sections."""
    if normalize_label(label):
        return None
    match = _RANGE.fullmatch(label)
    return None if match is None else (normalize_label(match[1]), normalize_label(match[2]))


def describe_correspondence(found: Correspondence) -> str:
    """The correspondence as one sentence, without its full stop.

    "section 302 of the Indian Penal Code is section 103(1) of the Bharatiya Nyaya Sanhita, 2023, for offences
    committed on or after 1 July 2024".
    """
    this = f"section {found.found} of the {found.act_name}"
    if found.asked != found.found:
        this += f", to which section {found.asked} belongs,"
    elif found.act_name[-1].isdigit():
        this += ","
    if not found.labels:
        said = {
            "new": f"{this} is new",
            "omitted": f"{this} has no successor in the {found.other_name}",
        }.get(found.relation, f"{this} was no longer in force when the {found.other_name}, began")
        return f"{said} ({found.note})" if found.note else said
    there = f"{write_sections(found.labels)} of the {found.other_name}"
    if found.backward:
        said = f"{this} was {there}"
        return f"{said} ({found.note})" if found.shared else said
    if found.relation == "split":
        said = f"{this} was split into {there}"
    elif found.relation == "merged":
        said = f"{this} is, merged with {write_sections(found.shared)}, {there}"
    else:
        said = f"{this} is {there}"
    return f"{said}{',' if said[-1].isdigit() else ''} {found.applies}"


def write_sections(labels: Sequence[str]) -> str:
    """ "section 325", "sections 64 and 65(1)", "sections 26, 27 and 28"."""
    if len(labels) == 1:
        return f"section {labels[0]}"
    return f"sections {', '.join(labels[:-1])} and {labels[-1]}"


def _forward(table: Table, asked: str, found: str) -> Correspondence:
    targets = table.successors[found]
    sources = (source for target in targets for source in table.predecessors[target])
    shared = _others(sources, found)
    merged = f"merged with {write_sections(shared)}" if shared else ""
    if len(targets) > 1:
        split = f"split into {write_sections(targets)}"
        note = f"{split}, {merged}" if merged else split
        return _entry(table, asked, found, targets, "split", note, shared)
    return _entry(table, asked, found, targets, "merged" if shared else "same", merged, shared)


def _backward(table: Table, asked: str, found: str, sources: tuple[str, ...]) -> Correspondence:
    """The same seen from the new code: it merges several provisions, or is one part of one that was split."""
    targets = (target for source in sources for target in table.successors[source])
    shared = _others(targets, found)
    parts = (
        f"section {sources[0]} was split; another part of it is {write_sections(shared)}" if shared else ""
    )
    if len(sources) > 1:
        return _entry(
            table, asked, found, sources, "merged", f"merged from {write_sections(sources)}", (), True
        )
    return _entry(table, asked, found, sources, "split" if shared else "same", parts, shared, True)


def _entry(
    table: Table,
    asked: str,
    found: str,
    labels: tuple[str, ...],
    relation: Relation,
    note: str,
    shared: tuple[str, ...] = (),
    backward: bool = False,
) -> Correspondence:
    here, there = (table.old, table.old_name), (table.new, table.new_name)
    if backward:
        here, there = there, here
    return Correspondence(
        act=here[0],
        act_name=here[1],
        asked=asked,
        found=found,
        other=there[0],
        other_name=there[1],
        labels=labels,
        relation=relation,
        shared=shared,
        note=note,
        since=table.since,
        applies=table.applies,
        backward=backward,
    )


def _others(labels: Iterable[str], label: str) -> tuple[str, ...]:
    """The labels, once each, without ``label`` and what belongs to it or it belongs to."""
    return tuple(
        dict.fromkeys(each for each in labels if each not in _upwards(label) and label not in _upwards(each))
    )


def _upwards(label: str) -> list[str]:
    """The label, then each provision it belongs to: "376(2)(f)", "376(2)", "376"."""
    found = [label]
    while label.endswith(")"):
        label = label[: label.rindex("(")]
        found.append(label)
    return found


def _below(entries: Mapping[str, tuple[str, ...]], label: str) -> tuple[str, ...]:
    """Return what the entries of a provision's parts say together, in order and once each."""
    found: dict[str, None] = {}
    for each, sources in entries.items():
        if each.startswith(label + "("):
            found.update(dict.fromkeys(sources))
    return tuple(found)


def _widest(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels without those that belong to another one among them."""
    return tuple(each for each in labels if not any(above in labels for above in _upwards(each)[1:]))


def _narrowest(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels without those that another one among them belongs to."""
    wider = {above for each in labels for above in _upwards(each)[1:]}
    return tuple(each for each in labels if each not in wider)
