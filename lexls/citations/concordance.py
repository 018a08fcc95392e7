"""Map the provisions of replaced codes to the new codes, and back.

The data are TOML files in the ``concordances`` folders of jurisdictions, one for each pair of codes. `old`
and `new` are the grammar's keys of the two Acts, `since` is the day of the change, and `last_old` and
`last_new` are their last sections.

    [successors]          "302" = ["103(1)"]           one provision, one successor
                          "376" = ["64", "65(1)"]      split
                          "428" = ["325"]
                          "429" = ["325"]              merged
    [omitted]             "497" = "what is known"      in force until that day, no successor
    [repealed]            "161" = "…"                  no longer in force before that day
    [uncertain]           "236" = "…"                  not reported to users
    [created]             "111" = "organised crime"    in the new code only

A label is a section with its letter and, if needed, sub-sections and clauses in brackets. A sub-section has
its own entry only if its successor is known to that depth.
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
    """An unusable concordance file; the message names the file and the entry."""


@dataclass(frozen=True)
class Table:
    """The concordance of an old code and the new code that replaced it on the day ``since``.

    ``old`` and ``new`` are the grammar's keys, ``old_name`` and ``new_name`` the names used in sentences.
    ``applies`` ends a sentence by saying to what the new code applies. ``successors`` maps labels of the old
    code to labels of the new one. Labels without a successor are in ``omitted`` if they were in force until
    that day, otherwise in ``repealed``, with a description. ``uncertain`` has the labels on which no source
    is clear, ``created`` those that only the new code has.
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
        """Map each label of the new code to its labels in the old one, in the order of the old code."""
        found: dict[str, list[str]] = {}
        for label, targets in self.successors.items():
            for target in targets:
                found.setdefault(target, []).append(label)
        return {label: tuple(sources) for label, sources in found.items()}


def read_table(text: str, file: str) -> Table:
    """Read a concordance table from a file's text; ``file`` is the file's name, for messages.

    Raises ConcordanceError if an entry is missing or malformed, names a section beyond the code's last one,
    or has the same provision in two lists.
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
"""How corresponding provisions relate.

``same``: one provision corresponds to one. ``split``: one to several. ``merged``: several to one.
``omitted``: no successor. ``repealed``: no successor, because it was no longer in force. ``new``: no
predecessor.
"""

_HYPHEN = re.compile(r"(?<=\d)[-‐‑–](?=[A-Za-z])")
_SECTION = re.compile(r"\s{0,9}(\d{1,4})\s{0,9}([A-Za-z]{0,3})((?:\s{0,9}\([0-9A-Za-z]{1,5}\))*)\s{0,9}")
_WORD = re.compile(r"[0-9A-Za-z]+")
_RANGE = re.compile(r"\s{0,9}(\d{1,4}[A-Za-z]{0,3})\s{0,9}[-–—]\s{0,9}(\d{1,4}[A-Za-z]{0,3})\s{0,9}")


@dataclass(frozen=True, slots=True)
class Correspondence:
    """The provisions of one code that correspond to a provision of the other.

    ``act`` is the key of the given Act and ``asked`` the requested label. ``found`` is the provision that has
    the entry: ``asked`` itself, or the section or sub-section that contains it. ``labels`` are the
    corresponding provisions of the Act ``other``, in order, empty if there are none. ``shared`` are other
    provisions of ``act`` with the same counterparts, because they were merged with it or are parts of one
    that was split. ``note`` describes any change besides the new number, else "". The new code has applied
    since the day ``since``, to the matters named in ``applies``. ``backward`` is true if ``act`` is the new
    code.
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
    """The concordances of all codes; each file is read on first use."""

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
        """Return the concordances included in lexls."""
        return cls()

    @property
    def acts(self) -> Sequence[str]:
        """The keys of all Acts that have a concordance, old and new."""
        return tuple(self._files)

    def table(self, key: str) -> Table | None:
        """Return the table for an Act, by the grammar's key, or None if there is none.

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
        """Return whether the Act with this key is a code that has been replaced."""
        table = self.table(key)
        return table is not None and table.old == key

    def successors(self, key: str, label: str) -> Correspondence | None:
        """Return the successors of a provision, or None if the Act was not replaced or nothing is known.

        ``key`` is the grammar's key of the Act, ``label`` a pinpoint's label: "302", "304B", "376(2)". If a
        sub-section has no entry of its own, its section's entry is used, and ``found`` is the section.
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
        """Return the predecessors of a provision of a new code, or None if there is no old code or no entry.

        If a section has no entry of its own, the entries of all its sub-sections are combined.
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
    """Normalise a label to the form used in the tables ("498-a (1)" → "498A(1)"). Return "" for a range, or
    for anything other than a section.
    """
    match = _SECTION.fullmatch(_HYPHEN.sub("", label))
    if match is None:
        return ""
    brackets = (each.upper() if each[0].isdigit() else each.lower() for each in _WORD.findall(match[3]))
    return str(int(match[1])) + match[2].upper() + "".join(f"({each})" for each in brackets)


def ends_of_range(label: str) -> tuple[str, str] | None:
    """Return the first and the last section of a label such as "56-60", or None if it is not a range."""
    if normalize_label(label):
        return None
    match = _RANGE.fullmatch(label)
    return None if match is None else (normalize_label(match[1]), normalize_label(match[2]))


def describe_correspondence(found: Correspondence) -> str:
    """Describe the correspondence in one sentence, without a full stop.

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
    """Write labels as text: "section 325", "sections 64 and 65(1)", "sections 26, 27 and 28"."""
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
    """Return the correspondence from the new code to the old: to several provisions that were merged, or to
    one that may have been split.
    """
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
    """Return the labels without duplicates, and without ``label`` itself, its parts and the provisions that
    contain it.
    """
    return tuple(
        dict.fromkeys(each for each in labels if each not in _upwards(label) and label not in _upwards(each))
    )


def _upwards(label: str) -> list[str]:
    """Return the label, then each provision that contains it: "376(2)(f)", "376(2)", "376"."""
    found = [label]
    while label.endswith(")"):
        label = label[: label.rindex("(")]
        found.append(label)
    return found


def _below(entries: Mapping[str, tuple[str, ...]], label: str) -> tuple[str, ...]:
    """Return the entries of a provision's parts as one list, in order and without duplicates."""
    found: dict[str, None] = {}
    for each, sources in entries.items():
        if each.startswith(label + "("):
            found.update(dict.fromkeys(sources))
    return tuple(found)


def _widest(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels that are not part of another label in the list."""
    return tuple(each for each in labels if not any(above in labels for above in _upwards(each)[1:]))


def _narrowest(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels that contain no other label in the list."""
    wider = {above for each in labels for above in _upwards(each)[1:]}
    return tuple(each for each in labels if each not in wider)
