"""Refuse a PDF whose form XObjects or other nested content refer to themselves or to each other so often that
PDFium would exhaust memory or time.

In this module, a drawing is any nested content stream: a form XObject, a tiling pattern, the group of a soft
mask, a glyph of a Type 3 font, the appearance of an annotation. Its resources define the names used in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from lexls.library.readers.opening import GrowthLimit, UnpackingLimit
from lexls.library.readers.pdf_objects import (
    PdfObject,
    PdfReference,
    decode,
    get_entry,
    list_objects,
    unescape,
)

PDF_DRAWINGS = GrowthLimit(
    100_000, "damaged PDF (a drawing in it draws itself or others more than {most:,} times)"
)
_STEPS = GrowthLimit(2_000_000, "damaged PDF (its resources are listed again and again)")
_DRAWN_BY = UnpackingLimit(64 * 2**20, 100)
"""Limit for the unpacked size of all nested content streams together."""
Names = Counter[tuple[bytes, bytes | None]]
"""How often each operator is used with each name. The name is None if the operator shows a string."""
_LEVELS = 40
"""Maximum depth to which PDFium follows nested content streams."""
_KINDS: Mapping[bytes, bytes] = {
    b"Do": b"XObject",
    b"gs": b"ExtGState",
    b"scn": b"Pattern",
    b"SCN": b"Pattern",
    b"Tf": b"Font",
}
"""The operators that use a nested content stream by name, and the key of the resources under which the name
is defined.
"""
_TWICE = 2
"""Minimum count for a stream selected by an operator for all later painting, since it may be used more than
once.
"""

_DRAWN = re.compile(
    rb"(?:/(?P<name>[^\s\0/<>()\[\]{}%]{0,127})|[)>])[\s\0]{0,99}(?:[-+.\d]{1,30}[\s\0]{1,99}(?=Tf))?"
    rb"(?P<operator>Do|gs|scn|SCN|Tf)\b"
)
_COMMENT = re.compile(rb"%[^\r\n]*")


def check_drawings(data: bytes) -> None:
    """Raise ``UnreadableFile`` if a nested content stream of a PDF, with all the streams that it uses,
    exceeds ``PDF_DRAWINGS``.

    Encrypted content is not checked.
    """
    drawn = _Drawings(data).count()
    nested = {number: found for number, found in drawn.items() if found}
    counts = dict.fromkeys(nested, 1)
    for _ in range(_LEVELS if nested else 0):
        before, counts = counts, {
            number: 1 + sum(times * counts.get(each, 1) for each, times in found.items())
            for number, found in nested.items()
        }  # fmt: skip
        PDF_DRAWINGS.check(max(counts.values()))
        if counts == before:
            break


class _Drawings:
    """The nested content streams of a PDF, such as form XObjects, by object number. If two objects have the
    same number, both are counted, since either may be used.
    """

    def __init__(self, data: bytes) -> None:
        self._objects: dict[int, list[PdfObject]] = {}
        self._names: dict[PdfObject, Names | None] = {}
        self._steps = self._drawn = 0
        self._most_drawn = _DRAWN_BY.measure(len(data))
        for number, each in list_objects(data):
            self._objects.setdefault(number, []).append(each)

    def count(self) -> Mapping[int, Counter[int]]:
        """Return how often each nested content stream, such as a form XObject, uses each other one, by object
        number.
        """
        drawn: dict[int, Counter[int]] = {}
        for number, each in self._every():
            if each.may_draw:
                found = self._count(each, each.entries.get(b"Resources"))
                drawn[number] = drawn.get(number, Counter()) | found
            elif b"/Type3" in each.text:
                for glyph in self._list_glyphs(each.entries):
                    for stream in self._objects.get(glyph, ()):
                        found = self._count(stream, each.entries.get(b"Resources"))
                        drawn[glyph] = drawn.get(glyph, Counter()) | found
        return drawn

    def _every(self) -> Iterator[tuple[int, PdfObject]]:
        return ((number, each) for number, found in self._objects.items() for each in found)

    def _count(self, stream: PdfObject, resources: Any) -> Counter[int]:
        """Return how often a stream uses each nested content stream (by object number), given the resources
        of the former.
        """
        self._step()
        found: Counter[int] = Counter()
        if stream not in self._names:
            self._names[stream] = self._read_names(stream)
        names = self._names[stream]
        if names is None:
            for key in set(_KINDS.values()):
                for target in self._list_targets(resources, key, None):
                    found[target] = _TWICE
            return found
        for (operator, name), times in names.items():
            key = _KINDS[operator]
            targets = set(self._list_targets(resources, key, name))
            if not targets:  # PDFium then uses the page's resources, which may be any
                targets = set(self._inherited.get((key, name), ()))
            for target in targets:
                found[target] += times if operator == b"Do" else max(times, _TWICE)
        return found

    def _read_names(self, stream: PdfObject) -> Names | None:
        """Return how often a stream uses each name with each operator; None if it cannot be unpacked."""
        content = decode(stream)
        self._drawn += len(content or b"")
        if self._drawn > self._most_drawn:
            raise _DRAWN_BY.refuse()
        return _count_names(content) if content is not None else None

    @cached_property
    def _inherited(self) -> Mapping[tuple[bytes, bytes | None], set[int]]:
        """Map a resource key and a name to the numbers of the content streams that any resources in the file
        list there. The name None maps to all content streams listed under the key.
        """
        listed: dict[tuple[bytes, bytes | None], set[int]] = {}
        for each in (each for _, each in self._every() if b"/Resources" in each.text):
            for resources in self._resolve(each.entries.get(b"Resources")):
                for key in set(_KINDS.values()):
                    for named in self._resolve(get_entry(resources, key)):
                        for name, value in named.items() if isinstance(named, dict) else ():
                            targets = set(_TARGETS[key](self, value))
                            listed.setdefault((key, name), set()).update(targets)
                            listed.setdefault((key, None), set()).update(targets)
        return listed

    def _list_targets(self, resources: Any, key: bytes, name: bytes | None) -> Iterator[int]:
        """Yield the numbers of the content streams that resources list under a key by ``name``, or by any
        name if it is None.
        """
        for listed in self._resolve(resources):
            for named in self._resolve(get_entry(listed, key)):
                if isinstance(named, dict):
                    for value in named.values() if name is None else [named.get(name)]:
                        self._step()
                        yield from _TARGETS[key](self, value)

    def _resolve(self, value: Any, depth: int = 4) -> Iterator[Any]:
        """Yield a value. If it is a reference, yield the values of all objects with that number instead."""
        self._step()
        if isinstance(value, PdfReference):
            for each in self._objects.get(value, ()) if depth else ():
                yield from self._resolve(each.value, depth - 1)
        elif value is not None:
            yield value

    def _step(self) -> None:
        self._steps += 1
        _STEPS.check(self._steps)

    def _find_stream(self, value: Any) -> Iterator[int]:
        if isinstance(value, PdfReference):
            yield int(value)

    def _find_mask(self, value: Any) -> Iterator[int]:
        for state in self._resolve(value):
            for mask in self._resolve(get_entry(state, b"SMask")):
                yield from self._find_stream(get_entry(mask, b"G"))
            for font in self._resolve(get_entry(state, b"Font")):
                yield from self._find_glyphs(font[0] if isinstance(font, list) and font else None)

    def _find_glyphs(self, value: Any) -> Iterator[int]:
        for font in self._resolve(value):
            yield from self._list_glyphs(font)

    def _list_glyphs(self, font: Any) -> Iterator[int]:
        for glyphs in self._resolve(get_entry(font, b"CharProcs")):
            for glyph in glyphs.values() if isinstance(glyphs, dict) else ():
                self._step()
                yield from self._find_stream(glyph)


_TARGETS: Mapping[bytes, Callable[[_Drawings, Any], Iterator[int]]] = {
    b"XObject": _Drawings._find_stream,
    b"Pattern": _Drawings._find_stream,
    b"ExtGState": _Drawings._find_mask,
    b"Font": _Drawings._find_glyphs,
}


def _count_names(content: bytes) -> Names:
    """Return how often each operator is used with each name (None: a string)."""
    found: Names = Counter()
    for text in {content, _COMMENT.sub(b" ", content)}:
        counts: Names = Counter()
        for match in _DRAWN.finditer(text):
            name = match["name"]
            counts[match["operator"], unescape(name) if name is not None else None] += 1
        found |= counts
    return found
