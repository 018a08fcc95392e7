"""Runs the patterns of citations, texts and quotations over texts made to be hard; one process a group.

python adversarial_patterns.py GROUP prints, as JSON, the patterns whose cost grows faster than the text.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property

from lexls.citations import templates
from lexls.citations.cores import find_cores
from lexls.citations.form import Form
from lexls.citations.registry import Registry
from lexls.citations.scan import Budget, Scan
from lexls.text.phrases import Patterns

Run = Callable[[str], object]
HOLDERS = ("lexls.citations", "lexls.text", "lexls.grounding", "lexls.quotations", "lexls.reading.quotations")


def listed(pieces: str) -> tuple[str, ...]:
    """The pieces of a listing that broken bars part."""
    return tuple(pieces.split("¦"))


SIZE = 100_000
ENOUGH_SECONDS = 1.0
"""What takes less at ``SIZE`` is not looked at further: only far longer times tell how a cost grows."""
MIDDLE = 10_000
"""A shorter size at which most are seen to be harmless, at a fraction of the cost."""
DEAREST = 3
ROUNDS = 3
STEEPEST = 3.0
"""How much longer twice the text may take. A cost that is linear doubles, a quadratic one is fourfold."""
STEADY = 2.1
"""Growth at ``MIDDLE`` up to which a cost is linear. One with a square in it that comes to ``STEEPEST`` at
ten times the size grows 2.18 times there; what only a busy machine slowed down is looked at in full."""
RUNS = listed(
    " ¦\n¦A¦a¦1¦A ¦a ¦1 ¦.¦, ¦,¦-¦/¦(¦[¦([¦(a¦((a) ¦“¦’¦“a ¦A.¦A. ¦v. v. v. ¦A v. ¦A v B, ¦the ¦"
    "of the ¦A of ¦A & ¦in re ¦In re A ¦§ ¦¶ 1¦at ¦at [1] ¦para 1, ¦s 1, ¦1, ¦1-¦1(1)¦(1) ¦1.1¦"
    "[2014] ¦(1999) ¦12 A. 3, ¦Act of ¦the said Act ¦No. 1 of ¦Id. at 1, ¦supra ¦(n 1) ¦aff'd, ¦"
    "(A 1999)¦case ¦; see also ¦A\n¦*¦**¦_a ¦`¦```\n¦$¦$a ¦\\¦\\a{¦{¦}¦#¦#a[¦[^1]¦[^1]: ¦[a](¦"
    "@a¦@a; ¦[@a, p. 1; ¦<¦<!-- ¦> ¦"
    '|¦- a\n¦---\n¦%¦// ¦/* ¦"¦"a "¦‘¦‘a’ ¦” ¦…¦. . . ¦[a] ¦[sic] ¦(emphasis added) ¦a.\n¦a. A¦a-\n'
)
LINE_BY_LINE = frozenset(
    f"lexls.text.formats.{name}"
    for name in (
        "markdown._BLOCK", "typst._LINE", "plain._INDENTED", "asciidoc._UNDERLINED", "asciidoc._DELIMITER",
        "asciidoc._ATTRIBUTES", "asciidoc._COMMENT", "asciidoc._RULE", "asciidoc._ENTRY",
        "asciidoc._MACRO_LINE", "asciidoc._HEADING", "asciidoc._BLOCK_TITLE", "asciidoc._ITEM",
        "asciidoc._TERM",
    )
)  # fmt: skip
"""Patterns that are only ever matched where a line begins."""
BEGINNINGS = ("1 ", "[2014] ", "(1999) 1 ", "A. ", "1 A. ", " ", "1", "A")


def groups() -> list[str]:
    """The packages and modules whose patterns are run together, and the jurisdictions with forms."""
    return [*HOLDERS, *sorted({f"forms:{form.jurisdiction}" for form in Registry.load().forms})]


def _modules(holder: str) -> Iterator[str]:
    """A module's own name, or those of all modules of a package."""
    found = importlib.import_module(holder)
    if not hasattr(found, "__path__"):
        yield holder
        return
    for module in pkgutil.walk_packages(found.__path__, f"{holder}."):
        yield module.name


def _own(name: str) -> Mapping[str, object]:
    """What a module defines itself."""
    module = importlib.import_module(name)
    imports = [node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.ImportFrom)]
    taken = {alias.asname or alias.name for node in imports for alias in node.names}
    own = {key: value for key, value in vars(module).items() if key not in taken}
    # Patterns that are kept as data come with the loader that remembers them.
    loaders = [key for key, value in own.items() if key.startswith("load_") and hasattr(value, "cache_info")]
    loaded = {f"{key}()": own[key]() for key in loaders if not inspect.signature(own[key]).parameters}
    return {**own, **loaded}


def patterns_in(holder: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Every pattern in what a module holds, in collections too; also what is compiled at its first use."""
    if isinstance(holder, re.Pattern):
        if isinstance(holder.pattern, str):
            yield holder
    elif isinstance(holder, Patterns):
        yield from map(holder.__getitem__, holder.sources)
    elif isinstance(holder, Mapping) and depth < 3:
        for value in holder.values():
            yield from patterns_in(value, depth + 1)
    elif isinstance(holder, tuple | list | set | frozenset) and depth < 3:
        for value in holder:
            yield from patterns_in(value, depth + 1)
    elif is_dataclass(holder) and not isinstance(holder, type) and depth < 3:
        late = [name for name, value in vars(type(holder)).items() if isinstance(value, cached_property)]
        for name in [*(field.name for field in fields(holder)), *late]:
            yield from patterns_in(getattr(holder, name), depth + 1)


def _of_form(form: Form) -> Iterator[re.Pattern[str]]:
    variants = {
        token: tuple(name for canonical, others in table.items() for name in (canonical, *others))
        for token, table in form.names.items()
    }
    for parts in form.patterns:
        yield re.compile(templates.make_pattern(parts, variants))


def _near_misses(form: Form) -> list[str]:
    """What begins like a citation of the form and does not end like one."""
    texts = [example.text for example in form.examples[:2]]
    return [piece for text in texts for piece in (text[: -len(text) // 3], f"{text[:-1]}x", f"{text}, ")]


def _seconds(run: Run, text: str) -> float:
    start = time.process_time()
    run(text)
    return time.process_time() - start


def _growth(run: Run, text: str) -> float:
    """How much longer a text takes than its half: each at its best, in turn, as the machine may be busy."""
    half = text[: len(text) // 2]
    taken = [(_seconds(run, text), _seconds(run, half)) for _ in range(ROUNDS)]
    return min(each[0] for each in taken) / max(min(each[1] for each in taken), 1e-9)


def searching(pattern: re.Pattern[str]) -> Run:
    """Looks for a pattern everywhere in a text."""
    return lambda text: deque(pattern.finditer(text), maxlen=0)


def _by_lines(pattern: re.Pattern[str]) -> Run:
    """Matches a pattern where each line of a text begins."""
    return lambda text: [pattern.match(text, line.end()) for line in re.finditer("^", text, re.MULTILINE)]


def _reading(jurisdiction: str) -> Run:
    """Looks for the forms of a jurisdiction as a draft is read: where a citation can begin."""
    registry = Registry.load()
    return lambda text: find_cores(Scan(text), registry, jurisdiction, Budget(len(text)))


def steep(run: Run, pieces: Sequence[str]) -> list[str]:
    """The pieces whose repetition costs ``run`` more than its length explains.

    All are tried in short; the dearest there, among which are those whose cost grows fastest, in full.
    """
    costs = {piece: _seconds(run, _repeated(piece, SIZE // 50)) for piece in pieces}
    found = []
    for piece in sorted(costs, key=costs.__getitem__, reverse=True)[:DEAREST]:
        if _harmless(run, _repeated(piece, MIDDLE)):
            continue
        text = _repeated(piece, SIZE)
        if _seconds(run, text) > ENOUGH_SECONDS and _growth(run, text) > STEEPEST:
            found.append(piece)
    return found


def _harmless(run: Run, text: str) -> bool:
    """Whether the cost at ``MIDDLE``, or its growth, is too small to be steep at ``SIZE``."""
    if _seconds(run, text) < ENOUGH_SECONDS * (MIDDLE / SIZE) ** 2 / 2:
        return True
    return _growth(run, text) <= STEADY


def _repeated(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


def _runs(group: str) -> Iterator[tuple[str, Run, Sequence[str]]]:
    """What a group has to run, with its name and the pieces to repeat for it."""
    kind, _, jurisdiction = group.partition(":")
    if kind != "forms":
        before = set()  # modules share patterns that are data
        for module in _modules(group):
            for name, holder in _own(module).items():
                made = _by_lines if f"{module}.{name}" in LINE_BY_LINE else searching
                for pattern in patterns_in(holder):
                    if (pattern, made) not in before:
                        before.add((pattern, made))
                        yield f"{module}.{name}: {pattern.pattern}", made(pattern), RUNS
        return
    forms = [form for form in Registry.load().forms if form.jurisdiction == jurisdiction]
    for form in forms:
        for pattern in _of_form(form):
            yield f"{form.id}: {pattern.pattern}", searching(pattern), [*_near_misses(form), *BEGINNINGS]
    misses = [miss for form in forms for miss in _near_misses(form)]
    yield f"the forms of {jurisdiction or 'no place'}", _reading(jurisdiction), [*misses, *RUNS]


def run(group: str) -> list[tuple[str, list[str]]]:
    """What is steep in a group, with the pieces that show it; what is being run is told on stderr."""
    found = []
    for name, each, pieces in _runs(group):
        print(name, file=sys.stderr, flush=True)
        shown = steep(each, pieces)
        if shown:
            found.append((name, shown))
    return found


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1])))
