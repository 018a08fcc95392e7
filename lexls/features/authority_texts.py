"""The authorities that a draft quotes, made ready for comparing, and what was compared."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from lexls.grounding.quotations.authority_text import AuthorityText
from lexls.grounding.quotations.compare import compare
from lexls.grounding.quotations.comparison import Comparison
from lexls.grounding.reading import prose

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.index.records import Authority

T = TypeVar("T")

KEPT_LENGTH = 12_000_000
"""Code points of authorities that stay ready: with their words about six bytes each."""
_KEPT_COMPARISONS = 1000
"""Comparisons kept with one authority."""

_KEPT_FOUND = 4000


@dataclass(slots=True)
class _Ready:
    source: str
    generation: int
    text: AuthorityText
    compared: dict[str, Comparison] = field(default_factory=dict)


class AuthorityTexts:
    """Authorities' texts as words, the last used kept. Safe from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ready: OrderedDict[int, _Ready] = OrderedDict()
        self._length = 0
        self._found: dict[Hashable, Any] = {}

    def of(self, library: Library, authority: Authority) -> AuthorityText:
        """The authority's text as the library has it now, in words."""
        return self._of(library, authority).text

    def compare(self, library: Library, authority: Authority, quotation: str) -> Comparison:
        """How a quotation compares with the authority's text as the library has it now."""
        ready = self._of(library, authority)
        known = ready.compared.get(quotation)
        if known is None:
            known = compare(ready.text, quotation)
            if len(ready.compared) >= _KEPT_COMPARISONS:
                ready.compared.clear()
            ready.compared[quotation] = known
        return known

    def remembered(self, key: Hashable, find: Callable[[], T]) -> T:
        """What ``find`` gives, found once for ``key``, which must hold all that it depends on."""
        with self._lock:
            if key in self._found:
                known: T = self._found[key]
                return known
        found = find()
        with self._lock:
            if len(self._found) >= _KEPT_FOUND:
                self._found.clear()
            self._found[key] = found
        return found

    def _of(self, library: Library, authority: Authority) -> _Ready:
        generation = library.generation
        with self._lock:
            ready = self._ready.get(authority.id)
            if ready is not None and ready.generation == generation:
                self._ready.move_to_end(authority.id)
                return ready
        source = library.text(authority.id)
        if ready is not None and ready.source == source:
            ready.generation = generation
            return ready
        made = _Ready(source, generation, AuthorityText.of(prose(authority, source)))
        with self._lock:
            before = self._ready.pop(authority.id, None)
            self._length += len(source) - (len(before.source) if before is not None else 0)
            self._ready[authority.id] = made
            while self._length > KEPT_LENGTH and len(self._ready) > 1:
                _, oldest = self._ready.popitem(last=False)
                self._length -= len(oldest.source)
        return made
