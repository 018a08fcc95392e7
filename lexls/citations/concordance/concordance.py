"""Asking what became of a provision of a replaced code, and what a provision of a new one was before.

The data are the TOML files beside this module, one for each pair of codes: `old` and `new` are the grammar's
keys of the two Acts, `since` is the day of the change, `last_old` and `last_new` are their last sections.

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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import resources
from typing import Literal

from lexls.citations.concordance.table import ConcordanceError, Table, read_table

Relation = Literal["same", "split", "merged", "omitted", "repealed", "new"]
"""``same``: one provision for one; ``split``: several for one; ``merged``: one for several; ``omitted``:
none; ``repealed``: none, since it was not in force any more; ``new``: no predecessor."""

_FILES = {
    "Indian Penal Code 1860": "ipc-bns.toml",
    "Bharatiya Nyaya Sanhita 2023": "ipc-bns.toml",
    "Code of Criminal Procedure 1973": "crpc-bnss.toml",
    "Bharatiya Nagarik Suraksha Sanhita 2023": "crpc-bnss.toml",
    "Indian Evidence Act 1872": "evidence-bsa.toml",
    "Bharatiya Sakshya Adhiniyam 2023": "evidence-bsa.toml",
}
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
        self._tables: dict[str, Table] = {}

    @classmethod
    def load(cls) -> Concordance:
        """The concordances that lexls brings."""
        return cls()

    @property
    def acts(self) -> Sequence[str]:
        """The keys of all Acts that have a concordance, old and new."""
        return tuple(_FILES)

    def table(self, key: str) -> Table | None:
        """The table that an Act is part of, by the grammar's key; None if there is none.

        Raises ConcordanceError, naming the file, if the file is broken.
        """
        file = _FILES.get(key)
        if file is None:
            return None
        if file not in self._tables:
            folder = resources.files("lexls.citations.concordance")
            try:
                text = (folder / file).read_text(encoding="utf-8")
            except OSError as error:
                raise ConcordanceError(f"{file}: cannot be read: {error.strerror or error}") from error
            self._tables[file] = read_table(text, file)
        return self._tables[file]

    def is_replaced(self, key: str) -> bool:
        """Whether the Act of a key is a code that another one replaced."""
        table = self.table(key)
        return table is not None and table.old == key

    def successors(self, key: str, label: str) -> Correspondence | None:
        """What took the place of a provision; None if the Act was not replaced or nothing is known.

        ``key`` is the grammar's key of the Act, ``label`` a pinpoint's label: "302", "304B", "376(2)". A
        sub-section without an entry of its own is answered by its section's, which ``found`` then names.
        """
        table = self.table(key)
        wanted = normal_label(label)
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
        """What a provision of a new code was in the old one; None if the Act replaced none or it is unknown.

        A section whose sub-sections alone have entries is answered by all of theirs.
        """
        table = self.table(key)
        wanted = normal_label(label)
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


def normal_label(label: str) -> str:
    """The label as the tables write it ("498-a (1)" → "498A(1)"); "" for a range or what is no section."""
    match = _SECTION.fullmatch(_HYPHEN.sub("", label))
    if match is None:
        return ""
    brackets = (each.upper() if each[0].isdigit() else each.lower() for each in _WORD.findall(match[3]))
    return str(int(match[1])) + match[2].upper() + "".join(f"({each})" for each in brackets)


def ends_of_range(label: str) -> tuple[str, str] | None:
    """The first and the last section of a label such as "56-60"; None if it is no range of sections."""
    if normal_label(label):
        return None
    match = _RANGE.fullmatch(label)
    return None if match is None else (normal_label(match[1]), normal_label(match[2]))


def words(found: Correspondence) -> str:
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
    there = f"{sections(found.labels)} of the {found.other_name}"
    if found.backward:
        said = f"{this} was {there}"
        return f"{said} ({found.note})" if found.shared else said
    if found.relation == "split":
        said = f"{this} was split into {there}"
    elif found.relation == "merged":
        said = f"{this} is, merged with {sections(found.shared)}, {there}"
    else:
        said = f"{this} is {there}"
    return f"{said}{',' if said[-1].isdigit() else ''} {found.applies}"


def sections(labels: Sequence[str]) -> str:
    """ "section 325", "sections 64 and 65(1)", "sections 26, 27 and 28"."""
    if len(labels) == 1:
        return f"section {labels[0]}"
    return f"sections {', '.join(labels[:-1])} and {labels[-1]}"


def _forward(table: Table, asked: str, found: str) -> Correspondence:
    targets = table.successors[found]
    sources = (source for target in targets for source in table.predecessors[target])
    shared = _others(sources, found)
    merged = f"merged with {sections(shared)}" if shared else ""
    if len(targets) > 1:
        split = f"split into {sections(targets)}"
        note = f"{split}, {merged}" if merged else split
        return _entry(table, asked, found, targets, "split", note, shared)
    return _entry(table, asked, found, targets, "merged" if shared else "same", merged, shared)


def _backward(table: Table, asked: str, found: str, sources: tuple[str, ...]) -> Correspondence:
    """The same seen from the new code: it merges several provisions, or is one part of one that was split."""
    targets = (target for source in sources for target in table.successors[source])
    shared = _others(targets, found)
    parts = f"section {sources[0]} was split; another part of it is {sections(shared)}" if shared else ""
    if len(sources) > 1:
        return _entry(table, asked, found, sources, "merged", f"merged from {sections(sources)}", (), True)
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
    """What the entries of a provision's parts say together, in order and once each."""
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
